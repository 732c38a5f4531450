import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleEvaluation, sampleJuryEvaluation } from "../../test/fixtures/sample-evaluation.ts";
import { call, run, use } from "../../test/support/stored.ts";
import { scored } from "../core/verdict.ts";
import type { BookEvaluation, Evidence } from "../judge/evaluation.ts";
import { withHash } from "../judge/settings.ts";
import { openStore } from "../store/open-store.ts";
import type { StoredCall } from "../store/records.ts";
import type { Store } from "../store/store.ts";
import { cellCall, cellCalls } from "./evidence.ts";

const JUDGE = "openai:gpt-4o";
const PLOT = { member: 0, aspect: "plot" };
const QUOTE = { chapter: 2, text: "She rowed." };
let folder: string;
let store: Store;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-cells-"));
  store = await openStore(join(folder, "store.db"));
  await store.createRun(run("the-run"));
});
afterEach(async () => {
  await store.close();
  await rm(folder, { recursive: true, force: true });
});

function judged(calls: number): BookEvaluation {
  return sampleEvaluation({
    judge: JUDGE,
    calls,
    run: "the-run",
    scale: { minimum: 0, maximum: 100 },
    settings: withHash({
      judges: [JUDGE],
      method: "aggregate",
      protocol: "rubric",
      aspects: ["plot"],
      definitions: true,
      rubric: { id: "long-story", version: 1, hash: "x" },
      language: "en",
      temperature: 0,
      summariser: JUDGE,
      chapterSummaries: false,
      segmentWords: 4096,
      runs: 1,
      untilHalfWidth: null,
      prompts: {},
    }),
  });
}

async function answer(key: string, schema: string, text: string, changes: Partial<StoredCall> = {}): Promise<void> {
  const messages = [{ role: "user", content: `Judge this: ${key}` }];
  const request = JSON.stringify({ messages, schema: { name: schema }, temperature: 0.7, seed: 1 });
  const { purpose = "judge", model = JUDGE } = changes;
  await store.recordAnswer(call(key, { text, ...changes }), request, use("the-run", key, { purpose, model }));
}

const reply = (score: number | null) =>
  JSON.stringify({
    aspects: { plot: { strengths: [{ point: "Taut.", quotes: [QUOTE] }], weaknesses: [], score } },
    assessment: "Good.",
    overall: 60,
  });
const found = async (quotes: readonly { chapter: number; text: string }[]): Promise<Evidence[]> =>
  quotes.map(({ chapter, text }) => ({
    chapter,
    quote: text,
    start: 0,
    end: text.length,
    found: true,
    match: "exact",
    similarity: 1,
  }));

describe("the calls behind a score", () => {
  it("are those that asked the judge for scores and the summaries it was shown, with what was read in each", async () => {
    await answer("a summary", "notes", "It rains.", { purpose: "summariser" });
    await answer("first", "evaluation", `Here you are: ${reply(71)}`);
    await answer("second", "evaluation", reply(null), { sample: 1, attempts: 3 });
    await answer("third", "evaluation", "I would rather not.", { sample: 2 });
    await answer("a letter", "edit_letter", "{}");
    await answer("of another judge", "evaluation", reply(3), { model: "openai:other" });
    const lost = use("the-run", "lost", { outcome: "failed", reason: "it timed out", cost: 0 });
    const asked = { messages: [{ role: "user", content: "Judge this: lost" }], schema: { name: "evaluation" } };
    await store.recordFailure({ ...lost, requestHash: "lost" }, JSON.stringify(asked));
    const { kind, calls, total } = await cellCalls(store, judged(7), PLOT);
    expect([kind, total]).toEqual(["listed", 5]);
    expect(calls.map(({ purpose, outcome, read }) => [purpose, outcome, read])).toEqual([
      ["summariser", "asked", null],
      ["judge", "asked", scored(71)],
      ["judge", "asked", { kind: "unscored", reason: "the reply gives no score for it" }],
      ["judge", "asked", expect.objectContaining({ kind: "unscored" })],
      ["judge", "failed", null],
    ]);
    expect(calls[2]!.answer).toMatchObject({ sample: 1, attempts: 3 });
    expect(calls[4]).toMatchObject({ answer: null, reason: "it timed out" });

    const opened = await cellCall(store, judged(7), PLOT, calls[1]!.position, found);
    expect(opened).toMatchObject({
      prompt: [{ role: "user", content: "Judge this: first" }],
      parameters: { temperature: 0.7, seed: 1, schema: "evaluation" },
      reply: `Here you are: ${reply(71)}`,
      parsed: { kind: "read", as: "json", score: 71, strengths: [{ text: "Taut." }] },
    });
    const parsed = opened!.parsed!;
    expect(parsed.kind === "read" && parsed.strengths[0]!.quotations[0]).toMatchObject({ quote: QUOTE.text });
    const unreadable = await cellCall(store, judged(7), PLOT, calls[3]!.position, found);
    expect(unreadable!.parsed).toMatchObject({ kind: "unreadable", reason: expect.stringContaining("holds no JSON") });
    expect(await cellCall(store, judged(7), PLOT, calls[4]!.position, found)).toMatchObject({
      prompt: asked.messages,
      reply: null,
      parsed: null,
      reason: "it timed out",
    });
    expect(await cellCall(store, judged(7), PLOT, 999, found)).toBeNull();
  });

  it("are not claimed where it was not stored which they are", async () => {
    await answer("first", "evaluation", reply(71));
    await answer("of another book", "evaluation", reply(12));
    expect(await cellCalls(store, judged(1), PLOT)).toEqual({ kind: "shared", calls: [], total: 0 });
    expect((await cellCalls(store, { ...judged(2), run: "another-run" }, PLOT)).kind).toBe("not-stored");
    expect((await cellCalls(store, sampleJuryEvaluation(), PLOT)).kind).toBe("none");
    const { settings: _unknown, ...earlier } = judged(2);
    expect((await cellCalls(store, earlier, PLOT)).calls.map(({ read }) => read)).toEqual([null, null]);
  });
});

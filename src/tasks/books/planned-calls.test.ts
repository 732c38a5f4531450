import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hurriedClock } from "../../../test/support/hurried-clock.ts";
import { draftOf } from "../../../test/support/stories.ts";
import { planInWords } from "../../cli/output/run-wording.ts";
import { assetPath } from "../../core/assets.ts";
import { seededRandom } from "../../core/random.ts";
import type { Protocol } from "../../judge/material.ts";
import { type MethodName, PUBLISHED_METHODS } from "../../judge/methods/method.ts";
import { placeholderValue } from "../../models/placeholder-value.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServerOptions } from "../../testing/index.ts";
import { type JudgedInput, type JudgeOptions, judgeBooks } from "./judge-books.ts";

const JUDGE = "openai:priced";
const SECOND_JUDGE = "openai:second";
const SUMMARISER = "openai:summariser";
const SMALL_JUDGE = "openai:small";
const RUNS = [1, 5] as const;

interface Case {
  readonly input: JudgedInput["kind"];
  readonly method: MethodName;
  readonly protocol: Protocol;
}

/** Every way to judge: the methods for whole books, and both protocols where a judge is shown a summary. */
const CASES: readonly Case[] = [
  ...PUBLISHED_METHODS.map((method): Case => ({ input: "books", method, protocol: "rubric" })),
  { input: "books", method: "summary", protocol: "novelcritique" },
  ...(["outlines", "summaries"] as const).flatMap((input): Case[] => [
    { input, method: "summary", protocol: "rubric" },
    { input, method: "summary", protocol: "novelcritique" },
  ]),
];

let folder: string;
let prices: string;
let inputs: Record<JudgedInput["kind"], JudgedInput>;
let stores = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-plan-"));
  prices = join(folder, "prices.yaml");
  const rates = "input: 1000, output: 3000";
  await writeFile(
    prices,
    `date: 2026-01-01\nmodels:\n  "${JUDGE}": { ${rates} }\n  "${SECOND_JUDGE}": { ${rates} }\n  "${SUMMARISER}": { ${rates} }\n  "${SMALL_JUDGE}": { ${rates}, context: 6000 }\n`,
  );
  const rows = join(folder, "rows.jsonl");
  await writeFile(rows, JSON.stringify({ id: 1, title: "The Ledger", plot_summary: "A ledger is lost and found." }));
  const story = join(folder, "story.md");
  await writeFile(story, draftOf("The Inspector of Weights", 4));
  const books: JudgedInput = { kind: "books", files: [story] };
  const outlines: JudgedInput = { kind: "outlines", files: [assetPath("examples", "outline.md")] };
  inputs = { books, read: books, opened: books, outlines, summaries: { kind: "summaries", file: rows } };
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A judge whose every reply is usable, and nearly as long as allowed. */
const usable: ReplyHandler = ({ schema, messages, maximumTokens }, random) => {
  const value = schema && placeholderValue(schema, random);
  // A cut-off answer is continued.
  if (messages.at(-1)!.role === "assistant")
    return `: 4.0\n${"A remark. ".repeat(Math.floor((3.5 * maximumTokens! - 6) / 10))}`;
  const headings = messages.at(-1)!.content.match(/^\*\*.+:\*\*$/gm) ?? [];
  const review = (words: string) =>
    `### Review:\n${headings.map((heading) => `${heading}\n${words}`).join("\n\n")}\n\n### Overall Assessment:\n${words}\n\n### Score: 4.0`;
  const reply = (words: string) =>
    schema ? JSON.stringify(value, (_key, part: unknown) => (typeof part === "string" ? words : part)) : review(words);
  const room = 3.5 * maximumTokens! - reply("").length;
  const places = reply("x").length - reply("").length;
  return reply("A remark. ".repeat(Math.floor(room / places / 10)));
};

/** A judge that always uses its whole limit and never gives a score. */
const endless: ReplyHandler = () => "I would rather not put a number on it. ".repeat(2000);

async function planAndRun(
  { input, ...how }: Case,
  runs: number,
  provider: SimulatedServerOptions,
  changes: Partial<JudgeOptions> = {},
) {
  const server = await createSimulatedServer(provider);
  try {
    const store = join(folder, `${++stores}.db`);
    const judge = (dryRun: boolean) =>
      judgeBooks(inputs[input], {
        judges: [JUDGE],
        ...how,
        runs,
        segmentWords: 500,
        settings: { store, prices, dryRun, command: [], folder, connections: server.connections },
        services: { signal: new AbortController().signal, clock: hurriedClock, random: seededRandom(3) },
        ...changes,
      });
    const { plan } = await judge(true);
    expect(server.exchanges).toHaveLength(0);
    const { run } = await judge(false);
    return { plan: plan!, run, requests: server.exchanges.length };
  } finally {
    await server.close();
  }
}

describe.each(CASES)("--dry-run of $input by $method, asked by $protocol", (one) => {
  it.each(RUNS)("plans the calls that %i runs make, and what they cost with the longest replies", async (runs) => {
    const { plan, requests, run } = await planAndRun(one, runs, { reply: usable });
    expect(plan.calls).toBe(requests);
    expect(plan.calls).toBeGreaterThanOrEqual(runs);
    expect(plan.obstacles).toEqual([]);
    expect(run.summary).toMatchObject({ asked: requests, failed: 0 });
    expect(run.summary.cost).toBeGreaterThan(plan.longestCost! / 3);
    expect(run.summary.cost).toBeLessThanOrEqual(plan.longestCost!);
  });

  it("names a maximum that holds when every reply has to be asked for again", async () => {
    const { plan, run, requests } = await planAndRun(one, 2, { reply: endless });
    expect(requests).toBe(run.summary.calls);
    expect(run.summary.cost).toBeGreaterThan(0);
    expect(run.summary.cost).toBeLessThanOrEqual(plan.maximumCost!);
  });
});

it("covers every method, with both protocols wherever a summary is shown", () => {
  expect(CASES).toHaveLength(PUBLISHED_METHODS.length + 5);
  expect(PUBLISHED_METHODS.length).toBeGreaterThanOrEqual(4);
});

it.each(PUBLISHED_METHODS)(
  "plans the calls of a panel with a summariser of its own, chapter by chapter: %s",
  async (method) => {
    const panel = { judges: [JUDGE, SECOND_JUDGE], summariser: SUMMARISER, bySegment: true };
    const { plan, requests } = await planAndRun(
      { input: "books", method, protocol: "rubric" },
      2,
      { reply: usable },
      panel,
    );
    expect(plan.calls).toBe(requests);
    expect(plan.calls).toBeGreaterThanOrEqual(2 * 2);
  },
);

const aggregate: Case = { input: "books", method: "aggregate", protocol: "rubric" };
const onePass: Case = { input: "books", method: "one-pass", protocol: "rubric" };

it("names a maximum above what re-asked replies cost, which replies of full length alone do not reach", async () => {
  const { plan, run } = await planAndRun(aggregate, 2, { reply: endless });
  expect(run.summary.cost).toBeGreaterThan(plan.longestCost!);
  expect(run.summary.cost).toBeLessThanOrEqual(plan.maximumCost!);
});

it("names a maximum that holds when replies arrive broken and are paid for again", async () => {
  const faults = { "malformed-body": 0.6, prose: 0.2 };
  const { plan, run, requests } = await planAndRun(aggregate, 2, { reply: usable, faults });
  expect(requests).toBeGreaterThan(1.5 * run.summary.calls);
  expect(run.summary.cost).toBeGreaterThan(plan.longestCost!);
  expect(run.summary.cost).toBeLessThanOrEqual(plan.maximumCost!);
});

it("counts every run that --until-ci may need", async () => {
  const { plan, requests } = await planAndRun(onePass, 8, { reply: usable }, { untilHalfWidth: 0.001 });
  // The letter takes one more call.
  expect(plan.calls).toBe(8 + 1);
  expect(requests).toBeLessThanOrEqual(8 + 1);
});

it("says that a book does not fit the judge, instead of a run of no calls for no money", async () => {
  const { plan, requests } = await planAndRun(onePass, 2, {}, { judges: [SMALL_JUDGE] });
  expect(requests).toBe(0);
  expect(plan.obstacles).toHaveLength(1);
  const words = planInWords(plan);
  expect(words).toMatch(/cannot be judged by one-pass, since it does not fit: about \d+ tokens.*takes 6000.*--method/);
  expect(words).not.toContain("0 calls");
  expect(words).not.toContain("$0.00");
});

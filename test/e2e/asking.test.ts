import { access, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { bookEvaluationSchema } from "../../src/judge/evaluation.ts";
import { placeholderValue } from "../../src/models/placeholder-value.ts";
import { createSimulatedServer, type ReplyHandler, type SimulatedServer } from "../../src/testing/index.ts";
import { STORY } from "../support/stories.ts";
import { runFabula } from "./run-fabula.ts";

const ASPECTS = ["plot", "characters", "writing", "world", "themes", "emotion", "enjoyment", "expectation"];
const DOLLARS = { input: 100, output: 400 };

let folder: string;
let server: SimulatedServer;
let runs = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-asking-"));
});
afterEach(() => server.close());
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A server that replies so, and a store of its own for what is asked of it. */
async function answering(reply: ReplyHandler, options: { readonly key?: string } = {}) {
  server = await createSimulatedServer({ reply, ...options });
  const judge = server.judge("m");
  const store = join(folder, `${++runs}.db`);
  const prices = join(folder, `${runs}-prices.yaml`);
  await writeFile(prices, `date: 2026-01-01\nmodels:\n  "${judge}": ${JSON.stringify(DOLLARS)}\n`);
  const fabula = (...words: string[]) => runFabula(words, { folder, environment: { FABULA_STORE: store } });
  return { judge, prices, fabula };
}

/** What the provider would bill for everything it was asked. */
function bill(): number {
  const billed = server.exchanges.flatMap((exchange) => exchange.billed ?? []);
  return billed.reduce(
    (sum, { inputTokens, outputTokens }) => sum + (inputTokens * DOLLARS.input + outputTokens * DOLLARS.output) / 1e6,
    0,
  );
}

const aspect = (score: unknown) => ({
  strengths: [{ point: "It moves.", quotes: [] }],
  weaknesses: [{ point: "It stops.", quotes: [] }],
  score,
});
const evaluation = (scores: Readonly<Record<string, unknown>>, overall: unknown) =>
  JSON.stringify({
    aspects: Object.fromEntries(Object.entries(scores).map(([id, score]) => [id, aspect(score)])),
    assessment: "A book.",
    overall,
  });
const all = (score: unknown) => Object.fromEntries(ASPECTS.map((id) => [id, score]));
const isEvaluation = (schema: unknown) => JSON.stringify(schema ?? null).includes('"aspects"');
const file = async (name: string, rows: readonly unknown[]) => {
  await writeFile(join(folder, name), rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return name;
};
const isThere = (name: string) =>
  access(join(folder, name)).then(
    () => true,
    () => false,
  );

describe("fabula evaluate", () => {
  it("with --method incremental accepts a judge that keeps its opinion, counts every request, and repeats it for nothing", async () => {
    const { judge, fabula } = await answering(({ schema }, random) =>
      isEvaluation(schema) ? evaluation(all(71), 70) : JSON.stringify(placeholderValue(schema, random)),
    );
    const words = ["evaluate", STORY, "--judge", judge, "--method", "incremental", "--runs", "1"];
    const asked = [...words, "--segment-words", "2000", "--preset", "paper", "--json"];
    const { code, stdout, stderr } = await fabula(...asked);
    expect(code, stderr).toBe(0);
    const judged = bookEvaluationSchema.parse(JSON.parse(stdout));
    expect(judged.overall).toMatchObject({ kind: "scored", score: 70 });
    expect(judged.calls).toBe(server.exchanges.length);
    const { length } = server.exchanges;
    expect(length).toBeGreaterThan(3);
    expect((await fabula(...asked)).code).toBe(0);
    expect(server.exchanges).toHaveLength(length);
  });

  it("keeps eight verdicts when the ninth cannot be read, asks for that one alone, and counts what both replies cost", async () => {
    const seen: string[] = [];
    const { judge, prices, fabula } = await answering(({ schema, messages }) => {
      seen.push(messages.at(-1)!.content);
      const isSecond = messages.at(-1)!.content.includes("An earlier reply");
      expect(isSecond).toBe(!JSON.stringify(schema).includes('"plot"'));
      return isSecond ? JSON.stringify({ aspects: { world: aspect(66) } }) : evaluation({ ...all(71), world: 120 }, 70);
    });
    const words = ["evaluate", STORY, "--judge", judge, "--method", "one-pass", "--preset", "paper", "--runs", "2"];
    const { code, stdout, stderr } = await fabula(...words, "--prices", prices, "--json");
    expect(code, stderr).toBe(0);
    const judged = bookEvaluationSchema.parse(JSON.parse(stdout));
    const scores = judged.aspects.map(({ verdict }) => (verdict.kind === "scored" ? verdict.score : verdict.reason));
    expect(scores).toEqual([71, 71, 71, 66, 71, 71, 71, 71]);
    expect(seen).toHaveLength(4);
    expect(seen[1]).toContain("Give only this now, in the form asked for above: aspects.world (0–100).");
    // What is shown is what the provider bills: four replies, not the last ones of two calls.
    expect(judged.calls).toBe(4);
    expect(judged.cost).toBeCloseTo(bill(), 9);
    const [run] = JSON.parse((await fabula("runs", "list", "--json")).stdout).runs;
    expect(run.summary).toMatchObject({ calls: 4, failed: 0 });
    expect(run.summary.cost).toBeCloseTo(bill(), 9);
  });

  it("leaves unscored with its reason what cannot be read twice", async () => {
    const { judge, fabula } = await answering(() => evaluation({ ...all(71), world: "superb" }, 70));
    const words = ["evaluate", STORY, "--judge", judge, "--method", "one-pass", "--preset", "paper", "--runs", "1"];
    const { code, stdout } = await fabula(...words, "--json");
    expect(code).toBe(3);
    const judged = bookEvaluationSchema.parse(JSON.parse(stdout));
    expect(judged.aspects.filter(({ verdict }) => verdict.kind === "scored")).toHaveLength(7);
    expect(judged.aspects.find(({ id }) => id === "world")!.verdict).toEqual({
      kind: "unscored",
      reason: "it is discussed without a score",
    });
  });

  it("and fabula replies have one rule for scores that seem to be on another scale, and one conversion", async () => {
    let text = evaluation(all(4), 4);
    const { judge, fabula } = await answering(() => text);
    const words = ["evaluate", STORY, "--judge", judge, "--method", "one-pass", "--preset", "paper", "--runs", "1"];
    const both = async () => {
      await writeFile(join(folder, "reply.txt"), text);
      const [here, there] = [
        await fabula(...words, "--refresh", "--json"),
        await fabula("replies", "reply.txt", "--json"),
      ];
      expect(here.code, here.stderr).toBe(there.code);
      const judged = bookEvaluationSchema.parse(JSON.parse(here.stdout));
      const [read] = JSON.parse(there.stdout).replies;
      return ASPECTS.map((id) => {
        const { verdict } = judged.aspects.find((one) => one.id === id)!;
        return [
          verdict.kind === "scored" ? verdict.score : verdict.reason,
          read.aspects[id].score ?? read.aspects[id].reason,
        ];
      });
    };
    for (const [evaluated, read] of await both()) {
      expect(evaluated).toContain("4 of 100 is unlikely");
      expect(read).toBe(evaluated);
    }
    text = evaluation(all("3.8/5"), "3/5");
    expect(await both()).toEqual(ASPECTS.map(() => [76, 76]));
  });

  it("by the protocol novelcritique carries its stars over by the same conversion", async () => {
    const { judge, fabula } = await answering(({ messages }) => {
      // One aspect's score goes on from the answer that was begun for the judge.
      if (messages.at(-1)!.role === "assistant") return ": 3.8";
      return "## Review\n### Plot and structure\nIt moves.\n## Overall assessment\nA book.\n## Score\n3.0";
    });
    await file("summaries.jsonl", [
      { id: 1, title: "The Weir", plot_summary: "A weir is built and nobody asks the river." },
    ]);
    const words = [
      "evaluate",
      "--in",
      "summaries.jsonl",
      "--judge",
      judge,
      "--protocol",
      "novelcritique",
      "--aspects",
      "plot",
    ];
    const { code, stdout, stderr } = await fabula(...words, "--runs", "1", "--json");
    expect(code, stderr).toBe(0);
    const document = JSON.parse(stdout);
    const [judged] = document.evaluations ?? [document];
    expect(judged.overall.score).toBe(60);
    expect(judged.aspects[0].verdict.score).toBe(76);
  });
});

describe("fabula qa", () => {
  const BOOKS = [
    {
      document_id: "d",
      title: "The Salt Ledger",
      summary: "Tomas drowns in the sea.",
      qas: [
        { question: "Who drowns?", answers: ["Tomas"] },
        { question: "Where?", answers: ["in the sea"] },
      ],
    },
  ];

  it("takes an answer in plain words, and a grade without its reason or after [RESULT]", async () => {
    let grades = 0;
    const { judge, fabula } = await answering(({ messages }) => {
      const asked = messages.at(-1)!.content;
      if (asked.includes("The answer to grade")) return grades++ === 0 ? '{"grade": 4}' : "It is close. [RESULT] 4";
      return asked.includes("Who drowns?") ? "Answer: Tomas" : "I'm sorry, but I can't help with that.";
    });
    await file("books.jsonl", BOOKS);
    const words = ["--in", "books.jsonl", "--model", judge, "--setting", "summary", "--out", "answers.jsonl"];
    const answered = await fabula("qa", "answer", ...words);
    expect(answered.code).toBe(3);
    expect(answered.stdout).toMatch(/^1 of 2 questions answered\.\n {2}1 unanswered: the model refused/);
    const lines = (await readFile(join(folder, "answers.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines.map(({ prediction }) => prediction)).toEqual(["Tomas", null]);

    await file("predictions.jsonl", [
      { question: "Who drowns?", prediction: "Tomas", answers: ["Tomas"] },
      { question: "Where?", prediction: "in a river", answers: ["in the sea"] },
    ]);
    const scored = await fabula("qa", "score", "--in", "predictions.jsonl", "--judge", judge, "--json");
    expect(scored.code, scored.stderr).toBe(0);
    expect(JSON.parse(scored.stdout).metrics[`${judge}-reference`]).toBe(4);
    expect(grades).toBe(2);
  });

  it("asks once more for a grade that is not one", async () => {
    const { judge, fabula } = await answering(({ messages }) =>
      messages.at(-1)!.content.includes("An earlier reply") ? '{"grade": 5}' : "Splendid!",
    );
    await file("one.jsonl", [{ question: "Who drowns?", prediction: "Tomas", answers: ["Tomas"] }]);
    const { code, stdout } = await fabula("qa", "score", "--in", "one.jsonl", "--judge", judge);
    expect(code).toBe(0);
    expect(stdout).toContain("1 answer\n");
    expect(server.exchanges).toHaveLength(2);
  });

  it.each([
    ["answer", (judge: string) => ["--model", judge, "--setting", "closed"]],
    ["refine", (judge: string) => ["--judge", judge]],
  ])("%s with a wrong key ends with one sentence and writes nothing", async (task, flags) => {
    const { judge, fabula } = await answering(() => "never", { key: "the-right-one" });
    await file("books.jsonl", BOOKS);
    const out = `${task}-out.jsonl`;
    const { code, stderr } = await fabula("qa", task, "--in", "books.jsonl", ...flags(judge), "--out", out);
    expect(code).toBe(1);
    expect(stderr.trim().split("\n").at(-1)).toMatch(/^fabula: .*key/);
    expect(await isThere(out)).toBe(false);
  });
});

describe("fabula reader, many at once, with replies that cannot be used", () => {
  const history = [{ title: "Salt", plot_summary: "A clerk counts salt.", rating: 4, review: "Dry." }];
  const story = (plot_summary: string) => ({ title: "A story", plot_summary });

  it("compare says so for each reason and ends with 3", async () => {
    const { judge, fabula } = await answering(({ messages }) =>
      JSON.stringify(messages).includes("A mill burns.")
        ? '{"reason": "It burns.", "overall": "first"}'
        : "I would rather not choose.",
    );
    const pair = (id: number, plot: string) => ({
      id,
      history,
      left: story(plot),
      right: story("A weir is torn down."),
    });
    await file("pairs.jsonl", [pair(1, "A weir is built."), pair(2, "A mill burns.")]);
    const words = ["reader", "compare", "--in", "pairs.jsonl", "--out", "choices.jsonl", "--judge", judge];
    const { code, stdout } = await fabula(...words, "--probe");
    expect(code).toBe(3);
    expect(stdout).toContain("1 of 2 pairs answered.");
    expect(stdout).toMatch(/2 unanswered: the reply holds no JSON/);
    expect(stdout).toMatch(/1 not probed: the reply holds no JSON/);
    await file("pairs.jsonl", [pair(3, "A weir is built again.")]);
    const none = await fabula(...words);
    expect(none.code).toBe(1);
    expect(none.stderr).toMatch(/The line got no usable reply/);
  });

  it("review --probe says so where the probe alone was not answered", async () => {
    const { judge, fabula } = await answering(({ schema }) =>
      JSON.stringify(schema).includes('"review"') ? '{"review": "Dry.", "score": 7}' : "Perhaps I have read it.",
    );
    await file("stories.jsonl", [{ id: 1, history, query: story("A weir is built."), rating: 4 }]);
    const words = ["reader", "review", "--in", "stories.jsonl", "--out", "reviews.jsonl", "--judge", judge];
    const { code, stdout } = await fabula(...words, "--probe");
    expect(code).toBe(3);
    expect(stdout).toMatch(/1 not probed: the reply holds no JSON/);
    expect((await fabula(...words)).code).toBe(0);
  });
});

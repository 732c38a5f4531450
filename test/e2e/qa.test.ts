import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { runFabula } from "./run-fabula.ts";

const LINES = [
  { question: "Who drowns?", prediction: "Tomas.", answers: ["Tomas", "her brother"] },
  { question: "Where?", prediction: "In a river", answers: ["in the sea"] },
];
const asLines = (rows: readonly unknown[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

let folder: string;
let server: SimulatedServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-qa-"));
  server = await createSimulatedServer({
    reply: () => JSON.stringify({ acceptable: true, reason: "", correction: null, answer: "the sea", grade: 4 }),
  });
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
const fabula = (words: readonly string[], input?: string) =>
  runFabula(["qa", ...words], {
    folder,
    environment: { FABULA_STORE: join(folder, "store.db") },
    ...(input !== undefined && { input }),
  });

describe("fabula qa", () => {
  it("scores answers from standard input in the shape other programs rely on", async () => {
    const { code, stdout } = await fabula(["score", "--in", "-", "--json"], asLines(LINES));
    expect(code).toBe(0);
    const report = JSON.parse(stdout);
    expect(report.items).toBe(2);
    expect(Object.keys(report.metrics)).toEqual(["em", "f1", "rouge-1", "rouge-2", "rouge-l", "meteor"]);
    expect(report.metrics.em).toBe(0.5);
  });

  it("ends with 3 when an answer is missing, and with one sentence when a line is wrong", async () => {
    const missing = await fabula(["score", "--in", "-"], asLines([...LINES, { prediction: null, answers: ["x"] }]));
    expect(missing.code).toBe(3);
    expect(missing.stdout).toContain("1 of them unscored");
    const wrong = await fabula(["score", "--in", "-"], '{"prediction": 3}\n');
    expect(wrong.code).toBe(1);
    expect(wrong.stderr).toMatch(/^fabula: Line 1 of "-" does not fit at prediction: .*\n$/);
    expect((await fabula(["score"])).stderr).toContain("needs --in");
  });

  it("takes a collection through refining, answering, grading and a report", async () => {
    const book = {
      document_id: "d",
      title: "The Salt Ledger",
      summary: "Tomas drowns in the sea.",
      qas: LINES.map(({ question, answers }) => ({ question, answers })),
    };
    await writeFile(join(folder, "books.jsonl"), asLines([book]));
    const model = server.judge("m");
    const unique = await fabula(["dedupe", "--in", "books.jsonl", "--out", "unique.jsonl"]);
    expect(unique.stdout).toContain("0 duplicate questions removed");
    const refined = await fabula([
      "refine",
      "--in",
      "unique.jsonl",
      "--judge",
      model,
      "--out",
      "refined.jsonl",
      "--json",
    ]);
    expect(refined.code).toBe(0);
    expect(JSON.parse(refined.stdout)).toMatchObject({ questions: 2, kept: 2, dropped: 0 });
    const words = [
      "answer",
      "--in",
      "refined.jsonl",
      "--model",
      model,
      "--setting",
      "summary",
      "--out",
      "answers.jsonl",
    ];
    expect((await fabula([...words, "--dry-run"])).stdout).toContain("would make 2 calls");
    expect((await fabula(words)).code).toBe(0);
    const graded = await fabula([
      "score",
      "--in",
      "answers.jsonl",
      "--judge",
      model,
      "--json",
      "--out",
      "scored.jsonl",
    ]);
    expect(JSON.parse(graded.stdout).metrics[`${model}-reference`]).toBe(4);
    const rated = (await readFile(join(folder, "scored.jsonl"), "utf8"))
      .trim()
      .split("\n")
      .flatMap((line, index) =>
        ["a", "b", "c"].map((system, place) => ({ ...JSON.parse(line), system, human: 1 + place + index })),
      );
    await writeFile(join(folder, "rated.jsonl"), asLines(rated));
    const agreement = await fabula(["agree", "rated.jsonl", "--resamples", "50"]);
    expect(agreement.stdout).toContain("Kendall's τ");
    const judged = await fabula(["agree", "rated.jsonl", "--judge", model, "--metrics", "f1"]);
    expect(judged.stdout, "a judge that was asked is compared").toContain(`\n${model} `);
    const report = await fabula(["report", "refined.jsonl"]);
    expect(report.stdout).toMatch(/original\s+1\s+2\n.*deduplicated\s+1\s+2\n.*refined\s+1\s+2/s);
  });

  it("keeps one limit on the cost for all files together", async () => {
    const judge = server.judge("priced");
    await writeFile(
      join(folder, "prices.yaml"),
      JSON.stringify({ date: "2026-01-01", models: { [judge]: { input: 50, output: 50 } } }),
    );
    const files = ["first.jsonl", "second.jsonl"];
    for (const name of files) {
      const rows = Array.from({ length: 12 }, (_, at) => ({ ...LINES[0], question: `Who drowns in ${name} ${at}?` }));
      await writeFile(join(folder, name), asLines(rows));
    }
    const cost = async (words: readonly string[], store: string) => {
      const { stdout } = await fabula([
        "score",
        ...words,
        "--judge",
        judge,
        "--prices",
        "prices.yaml",
        "--store",
        store,
        "--json",
      ]);
      const report = JSON.parse(stdout);
      return (report.files ?? [report]).reduce((sum: number, one: { cost: number }) => sum + one.cost, 0) as number;
    };
    const one = await cost([files[0]!], "one.db");
    expect(one).toBeGreaterThan(0);
    const limit = 1.5 * one;
    expect(await cost([...files, "--max-cost", limit.toFixed(6)], "two.db")).toBeLessThanOrEqual(limit);
  });
});

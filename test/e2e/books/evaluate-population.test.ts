import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { bookEvaluationSchema } from "../../../src/judge/evaluation.ts";
import { placeholderValue } from "../../../src/models/placeholder-value.ts";
import { createSimulatedServer, type SimulatedServer } from "../../../src/testing/index.ts";
import { runFabula } from "../run-fabula.ts";

let server: SimulatedServer;
let folder: string;
let judge: string;

/** The server gives every book, in all aspects, the score that its plot names. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-population-"));
  server = await createSimulatedServer({
    reply: ({ schema, messages }, random) => {
      const named = /worth (\d+) points/.exec(messages.map(({ content }) => content).join("\n"));
      return JSON.stringify(placeholderValue(schema, random), (key, value: unknown) =>
        key === "score" || (key === "overall" && typeof value !== "string") ? Number(named?.[1]) : value,
      );
    },
  });
  judge = server.judge("simulated-small");
  const shelf = Array.from({ length: 12 }, (_, at) => row(`Book ${at}`, 60 + at));
  await writeFile(join(folder, "shelf.jsonl"), shelf.join(""));
  await writeFile(join(folder, "new.jsonl"), row("The New One", 63));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const row = (title: string, worth: number) =>
  `${JSON.stringify({ id: title, title, plot_summary: `A clerk finds a ledger worth ${worth} points.`, words: 90000 })}\n`;
const fabula = (...words: string[]) =>
  runFabula(words, { folder, environment: { FABULA_STORE: join(folder, "calls.db") } });
const evaluate = (input: string, by: string, ...words: string[]) =>
  fabula("evaluate", "--in", input, "--judge", by, "--runs", "1", ...words);

async function newBook(file: string) {
  return bookEvaluationSchema.parse(JSON.parse(await readFile(join(folder, file), "utf8")));
}

describe("fabula evaluate --population", () => {
  it("places a book among those that the same judge scored before", async () => {
    const shelf = await evaluate("shelf.jsonl", judge, "--out", "shelf-evaluations.jsonl");
    expect(shelf.code, shelf.stderr).toBe(0);
    const made = await fabula(
      ...["population", "build", "--in", "shelf-evaluations.jsonl", "--out", "population.json"],
      ...["--id", "shelf", "--description", "twelve ledgers"],
    );
    expect(made.code, made.stderr).toBe(0);
    expect(made.stdout).toContain("12 books");

    const placed = await evaluate("new.jsonl", judge, "--population", "population.json", "--out", "placed.jsonl");
    expect(placed.code, placed.stderr).toBe(0);
    const { overall, overallPercentile, aspects, population } = await newBook("placed.jsonl");
    expect(overall).toMatchObject({ kind: "scored", score: 63 });
    expect(population).toMatchObject({ id: "shelf", description: "twelve ledgers", size: 12 });
    // Three books stand below 63 and one at it, of which half counts.
    expect(overallPercentile).toBeCloseTo((100 * 3.5) / 12, 9);
    expect(aspects).toHaveLength(8);
    for (const { percentile } of aspects) expect(percentile).toBeCloseTo((100 * 3.5) / 12, 9);
  });

  it.each([
    ["another judge", ["simulated-large"], "this book by simulated-large@"],
    ["other settings", ["simulated-small", "--temperature", "0.3"], "temperature 0.7, this book with 0.3"],
    ["other settings in a dry run", ["simulated-small", "--temperature", "0.3", "--dry-run"], "this book with 0.3"],
  ])("refuses a population built under %s, names what differs, and asks nobody", async (_name, given, difference) => {
    const [model, ...flags] = given;
    const asked = server.exchanges.length;
    const words = ["--population", "population.json", "--out", "apart.jsonl", ...flags];
    const { code, stderr } = await evaluate("new.jsonl", server.judge(model!), ...words);
    expect(code).toBe(1);
    expect(stderr).toContain(difference);
    expect(stderr).toContain("give the same flags");
    expect(server.exchanges).toHaveLength(asked);
  });

  it.each([
    ["nowhere.json", "could not be read as JSON"],
    ["shelf.json", "is not a population"],
  ])("asks nobody when the population cannot be read: %s", async (file, sentence) => {
    await writeFile(join(folder, "shelf.json"), '{"books": []}');
    const asked = server.exchanges.length;
    const { code, stderr } = await evaluate("new.jsonl", server.judge("never-asked"), "--population", file);
    expect(code).toBe(1);
    expect(stderr).toContain(sentence);
    expect(server.exchanges).toHaveLength(asked);
  });
});

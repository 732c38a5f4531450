import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sampleJuryEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { type BookEvaluation, bookEvaluationSchema } from "../../judge/evaluation.ts";
import { placeInPopulation } from "../../judge/population.ts";
import { buildPopulation, readPopulation } from "./population.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-population-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

function evaluation(title: string, score: number | null, over: Partial<BookEvaluation> = {}): BookEvaluation {
  const verdict = score === null ? { kind: "unscored", reason: "it failed" } : { kind: "scored", score };
  return bookEvaluationSchema.parse({
    book: { file: title, title, author: null, language: "en", words: 10, chapters: [], warnings: [] },
    judge: "openai:m",
    method: "summary",
    rubric: { id: "long-story", version: 1 },
    scale: { minimum: 0, maximum: 100 },
    runs: 1,
    overall: verdict,
    overallPercentile: null,
    overallCourse: [],
    aspects: [
      { id: "plot", name: "Plot", verdict, percentile: null, strengths: [], weaknesses: [], evidence: [], course: [] },
    ],
    population: null,
    coverage: { words: 10, judgedWords: 10, share: 1, skipped: [] },
    calls: 1,
    cost: 0,
    notes: [],
    ...over,
  });
}

async function written(evaluations: readonly BookEvaluation[]): Promise<string> {
  const file = join(folder, "evaluations.jsonl");
  await writeFile(file, evaluations.map((one) => JSON.stringify(one)).join("\n"));
  return file;
}
const shelf = Array.from({ length: 20 }, (_, at) => evaluation(`Book ${at + 1}`, (at + 1) * 4));
const request = async (evaluations: readonly BookEvaluation[]) => ({
  input: await written(evaluations),
  id: "shelf",
  description: "twenty made-up books",
});

describe("a population of a language model's own scores", () => {
  it("gives percentiles to what the same judge scored in the same way, and says what they refer to", async () => {
    const { population, unscored } = await buildPopulation(await request([...shelf, evaluation("Silent", null)]));
    expect(unscored).toEqual(["Silent"]);
    const file = join(folder, "population.json");
    await writeFile(file, JSON.stringify(population));
    const placed = placeInPopulation(evaluation("New", 61), await readPopulation(file));
    expect(placed.overallPercentile).toBe(75);
    expect(placed.aspects[0]!.percentile).toBe(75);
    expect(placed.population).toMatchObject({ id: "shelf", size: 20, description: "twenty made-up books" });
    // A book is not compared with itself.
    expect(placeInPopulation(shelf[0]!, population).population!.size).toBe(19);
  });

  it.each([
    ["another judge", { judge: "openai:other" }],
    ["another method", { method: "aggregate" }],
    ["another version of the rubric", { rubric: { id: "long-story", version: 2 } }],
  ])("is refused for %s", async (_name, over) => {
    const { population } = await buildPopulation(await request(shelf));
    expect(() => placeInPopulation(evaluation("New", 60, over), population)).toThrow(
      /^The population "shelf" was scored by .+, this book by .+: give the same flags, or leave --population out/,
    );
  });

  it("is refused when it is too small, mixed, or something else", async () => {
    await expect(buildPopulation(await request(shelf.slice(0, 5)))).rejects.toThrow("at least 10");
    const mixed = [...shelf, evaluation("Odd", 3, { judge: "x" })];
    await expect(buildPopulation(await request(mixed))).rejects.toThrow("mixes judges");
    await expect(readPopulation(await written(shelf))).rejects.toThrow("could not be read as JSON");
  });

  it("is not made of the embedded jury's evaluations, whose percentiles are its own", async () => {
    const juries = shelf.map((one) => ({ ...one, judge: "jury", jury: sampleJuryEvaluation().jury }));
    await expect(buildPopulation(await request(juries))).rejects.toThrow(
      "`evaluate --population` is for language models",
    );
  });
});

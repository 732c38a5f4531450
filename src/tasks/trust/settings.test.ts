import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { scored } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { placeInPopulation } from "../../judge/population.ts";
import { type EvaluationSettings, withHash } from "../../judge/settings.ts";
import { readerTables } from "../../report/agreement/reader-agreement.ts";
import { buildPopulation } from "../books/population.ts";
import { agreeWithReaders } from "./agree-readers.ts";
import { checkHealth } from "./check-health.ts";

const BOOKS = 40;
const USUAL: Omit<EvaluationSettings, "hash"> = {
  judges: ["openai:m"],
  method: "summary",
  protocol: "rubric",
  rubric: { id: "long-story", version: 1, hash: "r" },
  aspects: [],
  definitions: true,
  language: "en",
  temperature: 0.7,
  summariser: "openai:m",
  chapterSummaries: false,
  segmentWords: 4096,
  runs: 1,
  untilHalfWidth: null,
  prompts: { "judge-summary": "p" },
};

function shelf(settings: EvaluationSettings, level: number): BookEvaluation[] {
  return Array.from({ length: BOOKS }, (_, at) => ({
    book: { file: `${at}`, title: `Book ${at}`, author: null, language: "en", words: 10, chapters: [], warnings: [] },
    judge: "openai:m",
    method: "summary",
    rubric: { id: "long-story", version: 1 },
    scale: { minimum: 0, maximum: 100 },
    runs: 1,
    settings,
    overall: scored(level + ((at * 7) % 40)),
    overallPercentile: null,
    overallCourse: [],
    aspects: [],
    population: null,
    coverage: { words: 10, judgedWords: 10, share: 1, skipped: [] },
    calls: 1,
    cost: 0,
    notes: [],
  }));
}

const usual = shelf(withHash(USUAL), 10);
const cold = shelf(withHash({ ...USUAL, temperature: 0 }), 20);
const bare = shelf(withHash({ ...USUAL, definitions: false }), 30);
const onProgress = () => {};

let folder: string;
let ratings: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-settings-"));
  ratings = join(folder, "ratings.csv");
  await writeFile(
    ratings,
    `title,human\n${usual.map(({ book }, at) => `${book.title},${(at * 7) % 40}`).join("\n")}\n`,
  );
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function written(evaluations: readonly BookEvaluation[]): Promise<string> {
  const file = join(folder, "evaluations.jsonl");
  await writeFile(file, evaluations.map((one) => JSON.stringify(one)).join("\n"));
  return file;
}

describe("evaluations made with different settings", () => {
  it("are rows of their own for agree, named by what differs, not one pool of 120 books", async () => {
    const evaluations = [...usual, ...cold, ...bare];
    const report = await agreeWithReaders({ ratings, human: "human", evaluations, resamples: 20, seed: 1, onProgress });
    expect(report.rows.map(({ books }) => books)).toEqual([BOOKS, BOOKS, BOOKS]);
    expect(readerTables(report)[0]!.rows.map(([method]) => method)).toEqual([
      "summary, definitions on, temperature 0.7",
      "summary, definitions on, temperature 0",
      "summary, definitions off, temperature 0.7",
    ]);
    expect(report.rows[0]!.overall.kendall.value).toBeCloseTo(1);
  });

  it("are judges of their own for health", async () => {
    const scores = { name: "both", evaluations: [...usual, ...cold] };
    const report = await checkHealth({ scores, columns: { score: "overall" }, seed: 1, resamples: 10, onProgress });
    expect(report.judges.map(({ judge }) => judge)).toEqual([
      "openai:m · summary · temperature 0.7",
      "openai:m · summary · temperature 0",
    ]);
  });

  it("make no population, and the refusal names what differs", async () => {
    const request = { input: await written([...usual, ...bare]), id: "shelf", description: "a shelf" };
    await expect(buildPopulation(request)).rejects.toThrow("definitions (on, off)");
  });

  it("refuse a population made in another way, and name what differs and what to do", async () => {
    const { population } = await buildPopulation({ input: await written(usual), id: "shelf", description: "a shelf" });
    expect(placeInPopulation(usual[0]!, population).overallPercentile).not.toBeNull();
    expect(() => placeInPopulation(cold[0]!, population)).toThrow(
      /other settings \(temperature 0\.7, this book with 0\): give the same flags/,
    );
  });
});

it("agree refuses the same book twice in the same way", async () => {
  const evaluations = [...usual, usual[0]!];
  const request = { ratings, human: "human", evaluations, resamples: 20, seed: 1, onProgress };
  await expect(agreeWithReaders(request)).rejects.toThrow("was evaluated twice in the same way");
});

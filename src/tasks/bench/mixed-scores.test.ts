import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { seededRandom } from "../../core/random.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { chaptersOn } from "./chapters.ts";
import { populationFromScores, publishedScores, rankScoredWriters } from "./population.ts";

const folder = mkdtempSync(join(tmpdir(), "fabula-mixed-"));
const rubric = await loadRubric("novel-bench-en");
const made = { judgeVersion: "1", rubric: rubric.id, promptHash: "aaa", settings: "temperature 0" };

function scoresOf(judge: string, writers: readonly string[], extra: object = {}): string {
  const random = seededRandom(judge.length);
  const rows = writers.flatMap((writer) =>
    Array.from({ length: 30 }, (_, index) => ({
      novel: `n${index % 10}`,
      writer,
      chapter: Math.floor(index / 10) + 1,
      judge,
      ...made,
      ...extra,
      scores: Object.fromEntries(rubric.criteria.map(({ id }) => [id, 1 + 4 * random()])),
    })),
  );
  const file = join(folder, `${judge}-${writers.join("-")}-${Object.values(extra).join("-")}.jsonl`);
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  return file;
}

const UNSTATED = { judge: undefined, judgeVersion: undefined };

const ask = (scores: readonly string[], second: readonly string[] | null = null) =>
  rankScoredWriters({
    scores,
    rubric: rubric.id,
    population: null,
    seed: 1,
    second: second && { scores: second, rubric: rubric.id, population: null },
  });

describe("many scores", () => {
  it("are read, more of them than a function takes arguments", async () => {
    const file = join(folder, "many.jsonl");
    writeFileSync(file, `${JSON.stringify({ novel: "n", writer: "a", scores: { D1: 3 } })}\n`.repeat(130_000));
    const { chapters, made: stated } = await publishedScores([file], rubric);
    expect(chapters).toHaveLength(130_000);
    const base = { rubric: { id: rubric.id, version: 1, hash: "" }, dimensions: [rubric.criteria[0]!.id] };
    const population = { ...stated, ...base } as unknown as ReferencePopulation;
    expect(await chaptersOn(population, [file], rubric)).toHaveLength(130_000);
  });
});

describe("scores that do not belong together", () => {
  it("of two judges are refused by name instead of being pooled", async () => {
    await expect(ask([scoresOf("first-judge", ["a", "b"]), scoresOf("other", ["a", "b"])])).rejects.toThrow(
      /the judge is first-judge in .* and other in/,
    );
  });

  it("of another prompt or setting are refused by name", async () => {
    const plain = scoresOf("first-judge", ["a", "b"]);
    await expect(ask([plain, scoresOf("first-judge", ["c"], { promptHash: "bbb" })])).rejects.toThrow(
      /the prompt is aaa/,
    );
    await expect(ask([plain, scoresOf("first-judge", ["c"], { settings: "temperature 1" })])).rejects.toThrow(
      /the setting is temperature 0/,
    );
  });

  it("are refused on a population of another judge", async () => {
    const { chapters } = await publishedScores([scoresOf("first-judge", ["a", "b"])], rubric);
    const { population } = populationFromScores(chapters, {
      id: "p",
      description: "",
      rubric,
      judge: { id: "first-judge", version: "1" },
    });
    await expect(chaptersOn(population, [scoresOf("other", ["a"])], rubric)).rejects.toThrow(
      /scores by another judge than the population \(other, not first-judge\)/,
    );
  });

  it("may state a judge where the population's scores state none, and be placed", async () => {
    const { chapters, made: stated } = await publishedScores([scoresOf("", ["a", "b"], UNSTATED)], rubric);
    const { population } = populationFromScores(chapters, { id: "p", description: "", ...stated });
    expect(population.judge).toEqual({ id: "published scores" });
    const file = scoresOf("some-judge", ["c"]);
    expect(await chaptersOn(population, [file], rubric)).toHaveLength(30);
    const before = { ...population, judge: { id: "published scores", version: "0" } };
    expect(await chaptersOn(before, [file], rubric)).toHaveLength(30);
  });

  it("of a second judge may come in several files", async () => {
    const { crossJudge } = await ask(
      [scoresOf("first-judge", ["a", "b"])],
      [scoresOf("other", ["a"]), scoresOf("other", ["b"])],
    );
    expect(crossJudge?.writers).toBe(2);
  });
});

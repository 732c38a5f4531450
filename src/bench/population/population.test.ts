import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FabulaError } from "../../core/errors.ts";
import { seededRandom } from "../../core/random.ts";
import { buildPopulation } from "./build-population.ts";
import type { ScoredChapter } from "./novel-scores.ts";
import { placer } from "./place-on-population.ts";
import { loadPopulation, populationVersion } from "./reference-population.ts";

const recipe = (dimensions: string[]) => ({
  id: "test",
  description: "made-up novels",
  judge: { id: "test", version: "1" },
  rubric: { id: "test", version: 1, hash: "0" },
  dimensions,
});

const chapter = (novel: string, scores: (number | null)[], number = 1): ScoredChapter => ({
  novel,
  writer: "somebody",
  chapter: number,
  words: 1000,
  scores,
});

/** The first eigenvector of the correlation matrix by power iteration, as an independent way to compute the weights. */
function powerIterationWeights(rows: number[][]): number[] {
  const size = rows[0]!.length;
  const columns = Array.from({ length: size }, (_, column) => rows.map((row) => row[column]!));
  const standardised = columns.map((column) => {
    const mean = column.reduce((sum, value) => sum + value, 0) / column.length;
    const deviation = Math.sqrt(column.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (column.length - 1));
    return column.map((value) => (deviation === 0 ? 0 : (value - mean) / deviation));
  });
  const correlation = standardised.map((left) =>
    standardised.map((right) => left.reduce((sum, value, row) => sum + value * right[row]!, 0)),
  );
  let vector = correlation.map((_, index) => 1 + index * 0.01);
  for (let step = 0; step < 20_000; step++) {
    const next = correlation.map((row) => row.reduce((sum, value, index) => sum + value * vector[index]!, 0));
    const norm = Math.hypot(...next);
    vector = next.map((value) => value / norm);
  }
  const total = vector.reduce((sum, value) => sum + value, 0);
  return vector.map((value) => value / total);
}

describe("a reference population", () => {
  it("says of a panel that its judges do not agree, and of one judge that its dimensions do not", () => {
    const random = seededRandom(2);
    const chapters = Array.from({ length: 60 }, (_, index) => chapter(`n${index}`, [random(), random(), random()]));
    const names = recipe(["ann", "bob", "cyd"]);
    const panel = buildPopulation(chapters, { ...names, weighting: "equal" }).population;
    expect(panel.warnings).toEqual([
      expect.stringMatching(/^The judges do not see the same .* \d\d % of the variance/),
    ]);
    const { warnings } = buildPopulation(chapters, names).population;
    expect(warnings.join("\n")).toMatch(/the first component explains only \d\d %/);
  });

  it("weighs dimensions as an independent power iteration does, to 1e-9", () => {
    const random = seededRandom(5);
    const rows = Array.from({ length: 40 }, () => {
      const quality = random();
      return Array.from({ length: 8 }, () => 1 + 3 * quality + random());
    });
    const dimensions = rows[0]!.map((_, index) => `d${index}`);
    const { population } = buildPopulation(
      rows.map((scores, index) => chapter(`n${index}`, scores)),
      recipe(dimensions),
    );
    powerIterationWeights(rows).forEach((weight, index) => {
      expect(Math.abs(population.weights[index]! - weight)).toBeLessThan(1e-9);
    });
    expect(population.weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 12);
    expect(population.explainedVariance.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 12);
  });

  it("gives no weight to a dimension that never varies, and says so", () => {
    const rows = [1, 2, 3, 4].map((score, index) => chapter(`n${index}`, [score, 3, score * 2]));
    const { population } = buildPopulation(rows, recipe(["a", "flat", "b"]));
    expect(population.weights[1]).toBeCloseTo(0, 12);
    expect(population.warnings.join()).toContain("flat");
    expect(placer(population).place([4, 3, 8])?.percentile).toBe(100);
  });

  it("works with fewer novels than dimensions", () => {
    const dimensions = Array.from({ length: 8 }, (_, index) => `d${index}`);
    const low = chapter(
      "low",
      dimensions.map(() => 1),
    );
    const high = chapter(
      "high",
      dimensions.map((_, index) => 2 + index),
    );
    const { population } = buildPopulation([low, high], recipe(dimensions));
    expect(placer(population).place(high.scores)?.percentile).toBe(100);
    expect(placer(population).place(low.scores)?.percentile).toBe(50);
  });

  it("averages chapters, skips missing scores, and excludes a novel that has none, with the reason", () => {
    const chapters = [
      chapter("whole", [2, 4], 1),
      chapter("whole", [4, null], 2),
      chapter("gap", [3, null], 1),
      chapter("other", [1, 1], 1),
    ];
    const { population, excluded } = buildPopulation(chapters, recipe(["a", "b"]));
    expect(population.novels.map(({ novel, scores }) => [novel, scores])).toEqual([
      ["whole", [3, 4]],
      ["other", [1, 1]],
    ]);
    expect(excluded).toEqual([{ novel: "gap", writer: "somebody", reason: "no chapter has a score for b" }]);
  });

  it("counts ties as at or below, as the paper's third equation does", () => {
    const chapters = [1, 2, 2, 3].map((score, index) => chapter(`n${index}`, [score]));
    const { population } = buildPopulation(chapters, recipe(["a"]));
    const { place } = placer(population);
    expect([0, 1, 2, 3].map((score) => place([score])!.percentile)).toEqual([0, 25, 75, 100]);
  });

  it("never places a text that lacks a score", () => {
    const { population } = buildPopulation([chapter("a", [1, 2]), chapter("b", [2, 1])], recipe(["a", "b"]));
    expect(placer(population).place([3, null])).toBeNull();
  });

  it("places better scores no lower, whatever the population", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })), {
          minLength: 3,
          maxLength: 30,
        }),
        (rows) => {
          const correlated = rows.map(([base, noise], index) => chapter(`n${index}`, [base, base + noise / 10]));
          const { population } = buildPopulation(correlated, recipe(["a", "b"]));
          if (population.weights.some((weight) => weight < 0)) return;
          const { place } = placer(population);
          expect(place([5, 6])!.percentile).toBeGreaterThanOrEqual(place([1, 1])!.percentile);
        },
      ),
    );
  });

  it("is refused when a file is not one, in one sentence", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "fabula-")), "population.json");
    writeFileSync(file, '{"format":1}');
    await expect(loadPopulation(file)).rejects.toThrow(/fabula bench build/);
    await expect(loadPopulation(`${file}.none`)).rejects.toThrow(FabulaError);
  });

  it("has a version that follows its scores", () => {
    const build = (score: number) =>
      buildPopulation([chapter("a", [1]), chapter("b", [score])], recipe(["a"])).population;
    expect(populationVersion(build(2))).toBe(populationVersion(build(2)));
    expect(populationVersion(build(2))).not.toBe(populationVersion(build(3)));
  });
});

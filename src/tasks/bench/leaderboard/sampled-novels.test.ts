import { describe, expect, it } from "vitest";
import type { ReferencePopulation } from "../../../bench/population/reference-population.ts";
import { seededRandom } from "../../../core/random.ts";
import { extendedDraw, sampleNovels } from "../write-chapters.ts";

const named = (count: number) => Array.from({ length: count }, (_, rank) => `novel ${rank}`);

/** Only the first novels are in the population; later ones have higher scores. */
function sampled(wanted: number, inPopulation: number): number[] {
  const novels = named(inPopulation).map((novel, composite) => ({ novel, composite }));
  const population = { novels } as unknown as ReferencePopulation;
  const chosen = sampleNovels(named(110), { novels: wanted, population, random: seededRandom(1) });
  return chosen.map((novel) => Number(novel.split(" ")[1]));
}

describe("the novels that writers are given", () => {
  it("are all of the population's, each once, where it has fewer than are wanted", () => {
    expect(sampled(100, 30)).toEqual(named(30).map((_, rank) => rank));
    expect(sampled(100, 95)).toHaveLength(95);
    expect(new Set(sampled(100, 95)).size).toBe(95);
  });

  it("come one from each part of the population where it has more", () => {
    expect(sampled(10, 100).map((rank) => Math.floor(rank / 10))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("stay drawn when the corpus grows, and more are added where none was drawn", () => {
    const population = (count: number) =>
      ({ novels: named(count).map((novel, composite) => ({ novel, composite })) }) as unknown as ReferencePopulation;
    const draw = (before: readonly string[], novels: number, count: number) =>
      extendedDraw(before, named(count), { novels, population: population(count), random: seededRandom(1) });
    const first = draw([], 10, 100);
    expect(draw(first, 10, 101)).toEqual(first);
    const more = draw(first, 12, 101);
    expect(more.slice(0, 10)).toEqual(first);
    expect(new Set(more).size).toBe(12);
    expect(draw(first, 10, 50).slice(0, 5)).toEqual(first.slice(0, 5));
    expect(draw(first, 10, 50)).toHaveLength(10);
  });
});

import type { NovelSums } from "./novel-sums.ts";
import { compositeOf } from "./place-on-population.ts";
import type { ReferencePopulation } from "./reference-population.ts";

/** Novels placed on a population that they are no part of. */
export function anchorsOn(population: ReferencePopulation, sums: NovelSums): ReferencePopulation["novels"] {
  return sums.average(population.dimensions).novels.map((novel) => ({
    ...novel,
    scores: [...novel.scores],
    composite: compositeOf(novel.scores, population),
  }));
}

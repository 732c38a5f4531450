import { FabulaError } from "../core/errors.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { ReferencePopulation } from "./population/reference-population.ts";
import type { ScoredChapter } from "./scored-chapter.ts";

/** Scores in the order of a rubric, brought into the order of a population that may use fewer of its dimensions. */
export function alignScores(
  chapters: readonly ScoredChapter[],
  rubric: Rubric,
  population: Pick<ReferencePopulation, "dimensions" | "rubric"> & { readonly id?: string },
): ScoredChapter[] {
  const order = population.dimensions.map((dimension) => {
    const index = rubric.criteria.findIndex((criterion) => criterion.id === dimension);
    if (index >= 0) return index;
    throw new FabulaError(
      "E_POPULATION_RUBRIC",
      `The population "${population.id ?? "of the panel"}" has a dimension "${dimension}" that the rubric "${rubric.id}" lacks: use the rubric it was built with, ${population.rubric.id}.`,
    );
  });
  return chapters.map((chapter) => ({ ...chapter, scores: order.map((index) => chapter.scores[index] ?? null) }));
}

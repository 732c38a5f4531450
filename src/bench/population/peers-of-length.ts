import { mean, variance } from "../../stats/distribution.ts";
import type { ReferencePopulation } from "./reference-population.ts";

export interface Peers {
  /** The population whose novels' composites are spread as those of texts with this many chapters. */
  readonly peers: ReferencePopulation;
  /** What must be said beside a percentile among them. */
  readonly note: string | null;
}

/**
 * A mean of three chapters is spread wider than the means of ten that a population is made of, and stands too near its ends.
 * How much wider follows from two spreads that the population knows: that of its novels and that of single chapters. Texts of
 * as many chapters as the novels, or more, stand among the novels as they are.
 */
export function peersOf(chapters: number, population: ReferencePopulation): Peers {
  const { novels, singleChapters } = population;
  /** The share of a chapter's own variance that is left in a novel's mean. */
  const left = mean(novels.map((novel) => 1 / Math.max(1, novel.chapters)));
  if (1 / chapters <= left) return { peers: population, note: null };
  if (!singleChapters) {
    const lacking = chapters === 1 ? "single chapters" : `how far ${chapters} chapters are spread`;
    return { peers: population, note: `this population does not know ${lacking}: build it again` };
  }
  const composites = novels.map(({ composite }) => composite);
  const centre = mean(composites);
  const ofNovels = variance(composites);
  const ofChapters = (variance(singleChapters.quantiles) - ofNovels) / (1 - left);
  if (!(ofChapters > 0 && ofNovels > 0)) return { peers: population, note: null };
  const times = Math.sqrt(1 + (ofChapters * (1 / chapters - left)) / ofNovels);
  return {
    peers: {
      ...population,
      novels: novels.map((novel) => ({ ...novel, composite: centre + times * (novel.composite - centre) })),
    },
    note: `their spread widened to that of ${chapters} chapters`,
  };
}

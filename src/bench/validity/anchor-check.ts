import type { Random } from "../../core/random.ts";
import { quantiles } from "../../stats/distribution/quantile.ts";
import { placer } from "../population/place-on-population.ts";
import type { ReferencePopulation } from "../population/reference-population.ts";
import { wordsIn } from "../words/words-in.ts";
import { type WriterLevel, writerLevel } from "../writers/writer-level.ts";

export interface AnchorCheck {
  readonly novels: number;
  readonly level: number;
  readonly interval: readonly [number, number];
  /** Where the middle one of the anchors stands. */
  readonly median: number;
  readonly warning: string | null;
}

/** Above this percentile lies what is not the bulk. */
const BULK = 75;

/**
 * The paper's own check: prize-winning classics must stand high in the population, or the judge rewards something else
 * than what makes a classic. Null when the population has no anchors.
 */
export function anchorCheck(population: ReferencePopulation, random: Random): AnchorCheck | null {
  const anchors = population.anchors ?? [];
  const level = anchorLevel(population, random);
  if (level === null) return null;
  const { percentile } = placer(population);
  const median = quantiles(
    anchors.map(({ composite }) => percentile(composite)),
    [0.5],
  )[0]!;
  return {
    novels: anchors.length,
    level: level.level,
    interval: level.interval,
    median,
    warning: median >= BULK ? null : wordsIn(population.language).warnings.anchorsLow(median.toFixed(0), BULK),
  };
}

/** The anchors as if one writer had written them. */
function anchorLevel(population: ReferencePopulation, random: Random): WriterLevel | null {
  const chapters = (population.anchors ?? []).map(({ novel, words, scores }) => ({
    ...{ novel, writer: "anchors", chapter: 1, words, scores },
  }));
  return chapters.length === 0 ? null : writerLevel("anchors", chapters, population, random);
}

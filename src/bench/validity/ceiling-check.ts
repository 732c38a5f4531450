import { wordsIn } from "../words/words-in.ts";
import { toldApart } from "../writers/compare-writers.ts";
import type { Leaderboard } from "../writers/leaderboard.ts";
import type { WriterLevel } from "../writers/writer-level.ts";

export interface CeilingCheck {
  /** Writers whose level reaches the top of the population: their percentile no longer separates. */
  readonly atCeiling: readonly string[];
  /** Share of the other writers that cannot be told from the best; null where it is alone. */
  readonly withinNoiseOfTop: number | null;
  readonly advice: string | null;
}

const CEILING = 97;
/** A writer of whom so many novels stand above every novel of the population is above it. */
const MOST_ABOVE = 0.5;

/** Where a percentile says no more than "above the population", and the composite must be read instead. */
export function isAtCeiling({ level, abovePopulation }: WriterLevel): boolean {
  return level >= CEILING || abovePopulation > MOST_ABOVE;
}

/**
 * The paper's first open question: when the best writers all stand at 99, the population has nothing left to tell them
 * apart. The composite has no ceiling, so the comparison goes on there; a stronger population would give percentiles again.
 */
export function ceilingCheck({ rows, comparisons }: Leaderboard, language?: string): CeilingCheck {
  const [best, ...others] = rows;
  if (!best) return { atCeiling: [], withinNoiseOfTop: null, advice: null };
  const atCeiling = rows.filter(isAtCeiling).map((row) => row.writer);
  const differ = toldApart(comparisons);
  const near = others.filter(({ writer }) => !differ(best.writer, writer)).length;
  const advice = atCeiling.length === 0 ? null : wordsIn(language).warnings.ceiling(atCeiling);
  return { atCeiling, withinNoiseOfTop: others.length === 0 ? null : near / others.length, advice };
}

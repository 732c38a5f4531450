import { toldApart } from "../writers/compare-writers.ts";
import type { Leaderboard } from "../writers/leaderboard.ts";
import type { WriterLevel } from "../writers/writer-level.ts";

export interface CeilingCheck {
  /** Writers whose level reaches the top of the population: their percentile no longer separates. */
  readonly atCeiling: readonly string[];
  /** Share of writers that cannot be told from the best. */
  readonly withinNoiseOfTop: number;
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
export function ceilingCheck({ rows, comparisons }: Leaderboard): CeilingCheck {
  const best = rows[0];
  if (!best) return { atCeiling: [], withinNoiseOfTop: 0, advice: null };
  const atCeiling = rows.filter(isAtCeiling).map((row) => row.writer);
  const differ = toldApart(comparisons);
  const near = rows.filter((row) => row === best || !differ(best.writer, row.writer)).length / rows.length;
  return { atCeiling, withinNoiseOfTop: near, advice: atCeiling.length === 0 ? null : adviceFor(atCeiling) };
}

function adviceFor(writers: readonly string[]): string {
  const who =
    writers.length === 1
      ? `${writers[0]} stands`
      : `${writers.length} writers stand (${writers.slice(0, 5).join(", ")})`;
  return `${who} at the top of the population, where the percentile no longer separates: compare composites, or place them on a stronger population (classics, or the upper half of this one).`;
}

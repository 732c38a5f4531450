import { canBeToldApart, type Leaderboard } from "../writers/leaderboard.ts";

export interface CeilingCheck {
  /** Writers whose level reaches the top of the population. */
  readonly atCeiling: readonly string[];
  /** Share of writers that cannot be told from the best. */
  readonly withinNoiseOfTop: number;
  readonly advice: string | null;
}

const CEILING = 97;
const CROWDED = 0.25;

/**
 * The paper's first open question: when the best writers all stand at 99, the population has nothing left to tell them
 * apart, and a stronger one (classics, or the upper half) is needed.
 */
export function ceilingCheck({ rows }: Leaderboard): CeilingCheck {
  const best = rows[0];
  if (!best) return { atCeiling: [], withinNoiseOfTop: 0, advice: null };
  const atCeiling = rows.filter((row) => row.level >= CEILING).map((row) => row.writer);
  const near = rows.filter((row) => row === best || !canBeToldApart(best, row)).length / rows.length;
  const saturated = atCeiling.length >= 2 || atCeiling.length / rows.length >= CROWDED;
  return {
    atCeiling,
    withinNoiseOfTop: near,
    advice: saturated
      ? `${atCeiling.length} of ${rows.length} writers stand above the ${CEILING}th percentile: place them on a stronger population (classics, or the upper half of this one).`
      : null,
  };
}

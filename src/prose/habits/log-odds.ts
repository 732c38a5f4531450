export interface WordCounts {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

export interface WordOdds {
  readonly word: string;
  /** Standard deviations from "used alike"; positive where the first group uses it more. */
  readonly z: number;
  readonly first: number;
  readonly second: number;
}

/** How many words of the prior each group is credited with. */
const PRIOR_WORDS = 1000;

/**
 * Words one group uses more than another: log-odds ratio with an informative Dirichlet prior, as z-scores, the first
 * group's own words first (Monroe, Colaresi and Quinn, 2008, "Fightin' Words", equations 16, 19 and 22).
 */
export function logOdds(first: WordCounts, second: WordCounts, prior: WordCounts): WordOdds[] {
  const scale = PRIOR_WORDS / prior.total;
  const odds: WordOdds[] = [];
  for (const word of new Set([...first.counts.keys(), ...second.counts.keys()])) {
    const expected = (prior.counts.get(word) ?? 0.5) * scale;
    const one = (first.counts.get(word) ?? 0) + expected;
    const other = (second.counts.get(word) ?? 0) + expected;
    const delta =
      Math.log(one / (first.total + PRIOR_WORDS - one)) - Math.log(other / (second.total + PRIOR_WORDS - other));
    const z = delta / Math.sqrt(1 / one + 1 / other);
    odds.push({ word, z, first: first.counts.get(word) ?? 0, second: second.counts.get(word) ?? 0 });
  }
  return odds.sort((left, right) => right.z - left.z);
}

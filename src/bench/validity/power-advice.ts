import { pairedSampleSize } from "../../stats/comparison/paired-sample-size.ts";
import { quantile } from "../../stats/distribution/quantile.ts";
import { wordsIn } from "../words/words-in.ts";
import { LEAST_NOVELS, SIGNIFICANCE, type WriterComparisons } from "../writers/compare-writers.ts";

export interface PowerAdvice {
  /** Standard deviation of paired differences of novels: the middle one of the pilot's pairs. */
  readonly deviation: number;
  /** The pilot's pairs, and how many pairs the correction is for. */
  readonly pairs: number;
  /** Novels per writer that tell a difference of this composite, with 80 % power, in a family of this many pairs. */
  readonly novels: readonly { readonly difference: number; readonly novels: number }[];
}

const DIFFERENCES = [0.1, 0.25, 0.5, 1];

/** How many novels to write before spending: from the spread of a pilot's paired differences. Null without a pilot. */
export function powerAdvice({ pairs }: WriterComparisons, writers?: number): PowerAdvice | null {
  const deviations = pairs.flatMap(({ design, difference, effect }) =>
    design === "paired" && effect ? [Math.abs(difference / effect)] : [],
  );
  if (deviations.length === 0) return null;
  const deviation = quantile(deviations, 0.5);
  const family = writers === undefined ? pairs.length : Math.max(1, (writers * (writers - 1)) / 2);
  // Bonferroni's share is a little more than the step-down correction asks for: the advice errs on the safe side.
  const significance = SIGNIFICANCE / family;
  return {
    deviation,
    pairs: family,
    novels: DIFFERENCES.map((difference) => ({
      difference,
      // With fewer the permutation reaches no significance, however large the difference.
      novels: Math.max(LEAST_NOVELS, pairedSampleSize({ difference, deviation, significance })),
    })),
  };
}

export function powerInWords({ deviation, pairs, novels }: PowerAdvice, language?: string): string {
  return wordsIn(language).power(deviation.toFixed(2), pairs, novels);
}

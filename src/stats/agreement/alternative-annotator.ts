import { isPresent, type MaybeNumber } from "../complete-pairs.ts";
import { mean } from "../distribution/mean.ts";
import { sum } from "../distribution/sum.ts";
import { standardDeviation } from "../distribution/variance.ts";
import { studentTwoSided } from "../special/student-t.ts";

/** What the alternative-annotator test says of one judge. */
export interface AlternativeAnnotator {
  /** Rater by rater: how often the judge was at least as close to the others as this rater was, and the other way round. */
  readonly raters: readonly {
    readonly n: number;
    readonly judge: number;
    readonly rater: number;
    /** One-sided: that the judge is behind the rater by `margin` or more. */
    readonly p: number;
    readonly isWon: boolean;
  }[];
  /** The share of raters that the judge may stand in for. */
  readonly winningRate: number;
  /** How often the judge was at least as close as a rater, on average. */
  readonly advantage: number;
  /** At least half of the raters. */
  readonly passes: boolean;
}

const FALSE_DISCOVERY_RATE = 0.05;
/** Fewer texts than this for a rater are no basis for a t test of shares. */
const FEWEST_TEXTS = 20;
const FEWEST_RATERS = 3;

/**
 * May a judge stand in for a person? Each rater is left out in turn, and judge and rater are compared by how close they come
 * to the remaining raters (Calderon, Reichart and Dror, 2025). A rater is won where the judge is not behind by `margin` or
 * more: a paired t test, with Benjamini and Yekutieli's control over the raters. Null with fewer than three raters, or with fewer
 * than twenty texts each. The judge's scores must be on the raters' scale.
 *
 * @example
 * ```ts
 * const raters = [[1, 2, 3, 4], [1, 3, 3, 4], [2, 2, 3, 5]];
 * alternativeAnnotator([1, 2, 3, 4], raters, 0.1); // null: four texts are too few
 * ```
 */
export function alternativeAnnotator(
  judge: readonly MaybeNumber[],
  raters: readonly (readonly MaybeNumber[])[],
  margin: number,
): AlternativeAnnotator | null {
  const compared = raters.flatMap((own, at) => {
    const others = raters.filter((_, other) => other !== at);
    const lost: number[] = [];
    const [judged, rated]: [number[], number[]] = [[], []];
    own.forEach((rating, text) => {
      const score = judge[text];
      const remaining = others.map((ratings) => ratings[text]).filter(isPresent);
      if (!isPresent(rating) || !isPresent(score) || remaining.length === 0) return;
      const distance = (value: number) => Math.sqrt(mean(remaining.map((other) => (value - other) ** 2)));
      const [ofJudge, ofRater] = [distance(score), distance(rating)];
      judged.push(ofJudge <= ofRater ? 1 : 0);
      rated.push(ofRater <= ofJudge ? 1 : 0);
      lost.push(rated.at(-1)! - judged.at(-1)!);
    });
    return judged.length < FEWEST_TEXTS
      ? []
      : [{ n: judged.length, judge: mean(judged), rater: mean(rated), p: oneSided(lost, margin) }];
  });
  if (compared.length < FEWEST_RATERS) return null;
  const won = benjaminiYekutieli(compared.map(({ p }) => p));
  const winningRate = won.filter(Boolean).length / compared.length;
  return {
    raters: compared.map((one, at) => ({ ...one, isWon: won[at]! })),
    winningRate,
    advantage: mean(compared.map((one) => one.judge)),
    passes: winningRate >= 0.5,
  };
}

/** The chance of a mean this low if it were `margin` or more. */
function oneSided(values: readonly number[], margin: number): number {
  const gap = mean(values) - margin;
  const error = standardDeviation(values) / Math.sqrt(values.length);
  if (error === 0) return gap < 0 ? 0 : 1;
  const half = studentTwoSided(Math.abs(gap) / error, values.length - 1) / 2;
  return gap < 0 ? half : 1 - half;
}

/** Which hypotheses are rejected at a false discovery rate of 5 %, however they depend on each other. */
function benjaminiYekutieli(pValues: readonly number[]): boolean[] {
  const count = pValues.length;
  const harmonic = sum(pValues.map((_, at) => 1 / (at + 1)));
  const sorted = pValues.toSorted((one, other) => one - other);
  const last = sorted.findLastIndex((p, at) => p <= ((at + 1) * FALSE_DISCOVERY_RATE) / (count * harmonic));
  return pValues.map((p) => last >= 0 && p <= sorted[last]!);
}

import { countPairs, type ResampledCorrelation } from "./correlation.ts";
import {
  averageRanks,
  type DenseRanks,
  denseRanks,
  mean,
  resampledRanks,
  standardDeviation,
  sum,
  sumBy,
} from "./distribution.ts";
import { normalQuantile } from "./special/normal.ts";
import { studentTwoSided } from "./special/student-t.ts";
import { defined, isPresent, type MaybeNumber, notDefined, requireEqualLengths, type Statistic } from "./statistic.ts";

/** The result of the alternative-annotator test for one judge. */
export interface AlternativeAnnotator {
  /** Rater by rater: how often the judge was at least as close to the others as this rater was, and the other way round. */
  readonly raters: readonly {
    readonly n: number;
    readonly judge: number;
    readonly rater: number;
    /** One-sided: that the judge is behind the rater by `margin` or more. */
    readonly p: number;
    /** The judge is shown to be at most `margin` behind. */
    readonly isWon: boolean;
    /** The judge is shown to be more than `margin` behind. If neither holds, there are too few texts to tell. */
    readonly isLost: boolean;
  }[];
  /** The share of raters that the judge could replace. */
  readonly winningRate: number;
  /** How often the judge was at least as close as a rater, on average. */
  readonly advantage: number;
  /** At least half of the raters. */
  readonly passes: boolean;
  /**
   * It fails if the judge is shown to be behind more than half of the raters: tested together, by a partial
   * conjunction, so that it need not be shown for single raters.
   */
  readonly outcome: "passes" | "fails" | "cannot be told";
  /**
   * The total number of texts with which it would pass four times in five, if the judge is as close as it looks; null
   * if it would not.
   */
  readonly textsNeeded: number | null;
}

const FALSE_DISCOVERY_RATE = 0.05;
const SIGNIFICANCE = 0.05;
/** With fewer texts per rater, a t test of shares is not valid, as the authors of the test say. */
const FEWEST_TEXTS = 30;
const FEWEST_RATERS = 3;
const POWER = 0.8;
const MOST_TEXTS = 3000;

/**
 * May a judge stand in for a person? Each rater is left out in turn, and judge and rater are compared by how close they come
 * to the remaining raters (Calderon, Reichart and Dror, 2025). A rater is won where the judge is not behind by `margin` or
 * more: a paired t test, with Benjamini and Yekutieli's control over the raters. Null with fewer than three raters, or with fewer
 * than thirty texts each. The judge's scores must be on the raters' scale; one between two ratings counts as the nearer, since a
 * judge that says 3.8 would never be as close to two fours as a third four is. Checked against the authors' code.
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
  const steps = [...new Set(raters.flat().filter(isPresent))];
  const onStep = judge.map((score) => (isPresent(score) ? nearestStep(score, steps) : score));
  const compared = raters.flatMap((own, at) => {
    const others = raters.filter((_, other) => other !== at);
    const lost: number[] = [];
    const [judged, rated]: [number[], number[]] = [[], []];
    own.forEach((rating, text) => {
      const score = onStep[text];
      const remaining = others.map((ratings) => ratings[text]).filter(isPresent);
      if (!isPresent(rating) || !isPresent(score) || remaining.length === 0) return;
      const distance = (value: number) => Math.sqrt(mean(remaining.map((other) => (value - other) ** 2)));
      const [ofJudge, ofRater] = [distance(score), distance(rating)];
      const isTie = Math.abs(ofJudge - ofRater) < SAME;
      judged.push(isTie || ofJudge < ofRater ? 1 : 0);
      rated.push(isTie || ofRater < ofJudge ? 1 : 0);
      lost.push(rated.at(-1)! - judged.at(-1)!);
    });
    return judged.length < FEWEST_TEXTS
      ? []
      : [
          {
            n: judged.length,
            judge: mean(judged),
            rater: mean(rated),
            p: oneSided(lost, margin),
            lead: margin - mean(lost),
            deviation: standardDeviation(lost),
          },
        ];
  });
  if (compared.length < FEWEST_RATERS) return null;
  const won = benjaminiYekutieli(compared.map(({ p }) => p));
  const behind = benjaminiYekutieli(compared.map(({ p }) => 1 - p));
  const winningRate = won.filter(Boolean).length / compared.length;
  const passes = winningRate >= 0.5;
  const fails = !passes && moreThanHalf(compared.map(({ p }) => 1 - p)) <= SIGNIFICANCE;
  return {
    raters: compared.map(({ n, judge: ofJudge, rater, p }, at) => ({
      n,
      judge: ofJudge,
      rater,
      p,
      isWon: won[at]!,
      isLost: behind[at]!,
    })),
    winningRate,
    advantage: mean(compared.map((one) => one.judge)),
    passes,
    outcome: passes ? "passes" : fails ? "fails" : "cannot be told",
    textsNeeded: passes || fails ? null : textsToPass(compared),
  };
}

/** Distances that differ by less than this count as equal: 2.4 − 2.2 and 2.6 − 2.4 differ in the last bit. */
const SAME = 1e-9;

/** Rounds a score to the nearest rating, down if two are equally near. */
export function nearestStep(score: number, steps: readonly number[]): number {
  return steps.reduce((best, step) => {
    const [near, far] = [Math.abs(step - score), Math.abs(best - score)];
    return near < far - SAME || (near < far + SAME && step < best) ? step : best;
  }, steps[0] ?? score);
}

/** How many texts are needed to win half of the raters four times in five, if leads and deviations stay the same. */
function textsToPass(
  compared: readonly { readonly lead: number; readonly deviation: number; readonly n: number }[],
): number | null {
  const half = Math.ceil(compared.length / 2);
  const harmonic = sum(compared.map((_, at) => 1 / (at + 1)));
  const quantile =
    normalQuantile(1 - (half * FALSE_DISCOVERY_RATE) / (compared.length * harmonic)) + normalQuantile(POWER);
  const needed = compared
    .map(({ lead, deviation, n }) => (lead > 0 ? Math.max(n + 1, (quantile * deviation) ** 2 / lead ** 2) : Infinity))
    .toSorted((one, other) => one - other)[half - 1]!;
  return needed > MOST_TEXTS ? null : Math.ceil(needed);
}

/** The probability of a mean this low if the true one were `margin` or more. */
function oneSided(values: readonly number[], margin: number): number {
  const gap = mean(values) - margin;
  const error = standardDeviation(values) / Math.sqrt(values.length);
  if (error === 0) return gap < 0 ? 0 : 1;
  const half = studentTwoSided(Math.abs(gap) / error, values.length - 1) / 2;
  return gap < 0 ? half : 1 - half;
}

/** Which hypotheses are rejected at a false discovery rate of 5 %, under any dependence. */
function benjaminiYekutieli(pValues: readonly number[]): boolean[] {
  const count = pValues.length;
  const harmonic = sum(pValues.map((_, at) => 1 / (at + 1)));
  const sorted = pValues.toSorted((one, other) => one - other);
  const last = sorted.findLastIndex((p, at) => p <= ((at + 1) * FALSE_DISCOVERY_RATE) / (count * harmonic));
  return pValues.map((p) => last >= 0 && p <= sorted[last]!);
}

/**
 * The p-value for the claim that something holds for more than half: Simes' form of the partial conjunction
 * (Benjamini and Heller, 2008), for positively dependent tests, such as those of one judge on the same texts.
 */
function moreThanHalf(pValues: readonly number[]): number {
  const needed = Math.floor(pValues.length / 2) + 1;
  const spare = pValues.length - needed + 1;
  const upper = pValues.toSorted((one, other) => one - other).slice(needed - 1);
  return Math.min(...upper.map((p, at) => (p * spare) / (at + 1)));
}

/**
 * The area under the ROC curve: the chance that a positive item scores above a negative one, ties counting half (Mann
 * and Whitney's U over the number of such pairs). Checked against `scipy.stats.mannwhitneyu`. Use it when people said
 * yes or no and the metric gives a number: 0.5 is chance, 1 a perfect separation.
 *
 * @example
 * ```ts
 * areaUnderCurve([true, true, false, false], [0.9, 0.4, 0.5, 0.1]); // { value: 0.75 }
 * ```
 */
export function areaUnderCurve(positive: readonly boolean[], scores: ArrayLike<number>): Statistic {
  requireEqualLengths(positive, scores);
  const ranks = averageRanks(scores);
  let positives = 0;
  let rankSum = 0;
  positive.forEach((holds, i) => {
    if (!holds) return;
    positives++;
    rankSum += ranks[i]!;
  });
  const negatives = positive.length - positives;
  if (positives === 0 || negatives === 0) return notDefined("both positive and negative items are needed");
  return defined((rankSum - (positives * (positives + 1)) / 2) / (positives * negatives));
}

/**
 * How disagreements are weighted: all equally, by the steps between the two categories, or by the square of those
 * steps.
 */
export type KappaWeights = "none" | "linear" | "quadratic";

export interface KappaOptions {
  readonly weights?: KappaWeights;
  /** All levels of the scale in order, when some may not occur; otherwise the levels that do, ascending. */
  readonly categories?: readonly number[];
}

/**
 * Cohen's κ (1960, weighted 1968): agreement of two raters beyond what their own habits would give by chance. Undefined
 * when chance leaves no room for disagreement. Checked against `sklearn.metrics.cohen_kappa_score`. Use it for two
 * raters and categories; give `weights` when the categories have an order, so that a near miss counts less.
 *
 * @example
 * ```ts
 * cohenKappa([1, 2, 3, 3], [1, 2, 3, 2]); // about { value: 0.636 }
 * cohenKappa([1, 2, 3, 3], [1, 2, 3, 2], { weights: "quadratic" }); // { value: 0.8 }
 * ```
 */
export function cohenKappa(left: ArrayLike<number>, right: ArrayLike<number>, options: KappaOptions = {}): Statistic {
  requireEqualLengths(left, right);
  if (left.length === 0) return notDefined("no item was rated by both");
  const levels = [...(options.categories ?? new Set([...Array.from(left), ...Array.from(right)]))];
  if (!options.categories) levels.sort((a, b) => a - b);
  const place = new Map(levels.map((level, index) => [level, index]));
  const leftCounts = new Float64Array(levels.length);
  const rightCounts = new Float64Array(levels.length);
  const weights = options.weights ?? "none";
  let observed = 0;
  for (let i = 0; i < left.length; i++) {
    const a = place.get(left[i]!);
    const b = place.get(right[i]!);
    if (a === undefined || b === undefined) throw new RangeError("a rating lies outside the given categories");
    observed += disagreement(a, b, weights);
    leftCounts[a] = leftCounts[a]! + 1;
    rightCounts[b] = rightCounts[b]! + 1;
  }
  let expected = 0;
  for (let a = 0; a < levels.length; a++) {
    for (let b = 0; b < levels.length; b++) expected += leftCounts[a]! * rightCounts[b]! * disagreement(a, b, weights);
  }
  expected /= left.length;
  return expected === 0 ? notDefined("both raters always chose the same category") : defined(1 - observed / expected);
}

function disagreement(a: number, b: number, weights: KappaWeights): number {
  switch (weights) {
    case "none":
      return a === b ? 0 : 1;
    case "linear":
      return Math.abs(a - b);
    case "quadratic":
      return (a - b) ** 2;
    default:
      return weights satisfies never;
  }
}

/**
 * `one-way`: each item had its own raters. `random`: the same raters saw every item and stand for others like them, so
 * their levels count. `fixed`: these raters are the only ones of interest; only their consistency counts.
 */
export type IntraclassModel = "one-way" | "random" | "fixed";

export interface IntraclassOptions {
  readonly model: IntraclassModel;
  /** Reliability of one rater, or of the average over all of them. */
  readonly unit?: "single" | "average";
}

/**
 * How reliable numeric ratings are: the share of their variance that comes from the items and not from the raters or
 * noise. The intraclass correlations of Shrout and Fleiss (1979), from the two-way analysis of variance. One row per
 * item, one column per rater, nothing missing. Checked against the data and values printed in their paper.
 *
 * @example
 * ```ts
 * const ratings = [[1, 2], [3, 4], [5, 6]]; // one row per item; the second rater always gives one point more
 * intraclassCorrelation(ratings, { model: "fixed" }); // { value: 1 }: perfectly consistent
 * intraclassCorrelation(ratings, { model: "random" }); // about { value: 0.889 }: the levels differ
 * ```
 */
export function intraclassCorrelation(items: readonly (readonly number[])[], options: IntraclassOptions): Statistic {
  const raters = items[0]?.length ?? 0;
  if (items.length < 2 || raters < 2) return notDefined("at least two items and two raters are needed");
  if (items.some((row) => row.length !== raters)) throw new RangeError("every item needs a rating by every rater");
  const { betweenItems, betweenRaters, withinItems, residual } = meanSquares(items, raters);
  const single = (options.unit ?? "single") === "single";
  switch (options.model) {
    case "one-way":
      return ratio(betweenItems - withinItems, single ? betweenItems + (raters - 1) * withinItems : betweenItems);
    case "random": {
      const raterShare = (betweenRaters - residual) / items.length;
      const noise = single ? (raters - 1) * residual + raters * raterShare : raterShare;
      return ratio(betweenItems - residual, betweenItems + noise);
    }
    case "fixed":
      return ratio(betweenItems - residual, single ? betweenItems + (raters - 1) * residual : betweenItems);
    default:
      return options.model satisfies never;
  }
}

function ratio(numerator: number, denominator: number): Statistic {
  return denominator === 0 ? notDefined("the items do not differ") : defined(numerator / denominator);
}

function meanSquares(items: readonly (readonly number[])[], raters: number) {
  const n = items.length;
  const grand = mean(items.flat());
  const itemMeans = items.map((row) => mean(row));
  const raterMeans = Array.from({ length: raters }, (_, rater) => mean(items.map((row) => row[rater]!)));
  const squares = (values: readonly number[]) => sum(values.map((value) => value * value));
  const total = squares(items.flat().map((rating) => rating - grand));
  const ofItems = raters * squares(itemMeans.map((value) => value - grand));
  const ofRaters = n * squares(raterMeans.map((value) => value - grand));
  return {
    betweenItems: ofItems / (n - 1),
    betweenRaters: ofRaters / (raters - 1),
    withinItems: (total - ofItems) / (n * (raters - 1)),
    residual: (total - ofItems - ofRaters) / ((n - 1) * (raters - 1)),
  };
}

/**
 * Kendall's W: how far several raters put the same items in the same order, 0 to 1, corrected for ties. One row per
 * rater, one column per item, nothing missing. Use it when only the order of the items matters and each rater may use
 * the scale differently.
 *
 * @example
 * ```ts
 * kendallConcordance([[1, 2, 3], [10, 20, 30]]); // { value: 1 }
 * kendallConcordance([[1, 2, 3], [3, 2, 1]]); // { value: 0 }
 * ```
 */
export function kendallConcordance(ratings: readonly ArrayLike<number>[]): Statistic {
  const raters = ratings.length;
  const items = ratings[0]?.length ?? 0;
  if (raters < 2 || items < 2) return notDefined("at least two raters and two items are needed");
  if (ratings.some((row) => row.length !== items)) throw new RangeError("every rater must rate every item");
  const sums = new Float64Array(items);
  let ties = 0;
  for (const row of ratings) {
    const ranks = averageRanks(row);
    ranks.forEach((rank, item) => {
      sums[item] = sums[item]! + rank;
    });
    ties += tieCorrection(ranks);
  }
  const expected = (raters * (items + 1)) / 2;
  const spread = sum(sums.map((value) => (value - expected) ** 2));
  const possible = raters ** 2 * (items ** 3 - items) - raters * ties;
  return possible === 0 ? notDefined("every rater gave all items one rating") : defined((12 * spread) / possible);
}

function tieCorrection(ranks: Float64Array): number {
  const groups = new Map<number, number>();
  for (const rank of ranks) groups.set(rank, (groups.get(rank) ?? 0) + 1);
  return sumBy([...groups.values()], (size) => size ** 3 - size);
}

export type MeasurementLevel = "nominal" | "ordinal" | "interval";

/**
 * Krippendorff's α: agreement of any number of raters, each of whom may have skipped units, beyond chance. One row per
 * rater, one column per unit. Units with fewer than two ratings say nothing and are left out. Undefined when all
 * ratings are one value. Checked against the worked example in Krippendorff, "Computing Krippendorff's
 * Alpha-Reliability" (2011).
 *
 * @example
 * ```ts
 * krippendorffAlpha([[1, 2, 3, null], [1, 2, 3, 3], [null, 2, 3, 3]]); // { value: 1 }
 * krippendorffAlpha([[1, 2, 3], [1, 2, 2]], "nominal"); // about { value: 0.545 }
 * ```
 */
export function krippendorffAlpha(
  ratings: readonly (readonly MaybeNumber[])[],
  level: MeasurementLevel = "ordinal",
): Statistic {
  const units = pairableUnits(ratings);
  if (units.length === 0) return notDefined("no unit was rated twice");
  const values = [...new Set(units.flat())].sort((a, b) => a - b);
  const totals = values.map((value) => sum(units.map((unit) => countOf(unit, value))));
  const pairable = sum(totals);
  const distance = squaredDistances(values, totals, level);
  let observed = 0;
  for (const unit of units) {
    const counts = values.map((value) => countOf(unit, value));
    observed += weightedPairs(counts, distance) / (unit.length - 1);
  }
  const expected = weightedPairs(totals, distance) / (pairable - 1);
  return expected === 0 ? notDefined("all ratings are one value") : defined(1 - observed / expected);
}

function pairableUnits(ratings: readonly (readonly MaybeNumber[])[]): number[][] {
  const units = ratings.reduce((most, row) => Math.max(most, row.length), 0);
  return Array.from({ length: units }, (_, unit) => ratings.map((row) => row[unit]).filter(isPresent)).filter(
    (unit) => unit.length > 1,
  );
}

function countOf(unit: readonly number[], value: number): number {
  return unit.filter((rating) => rating === value).length;
}

function weightedPairs(counts: readonly number[], distance: readonly (readonly number[])[]): number {
  let total = 0;
  counts.forEach((count, a) => {
    if (count === 0) return;
    counts.forEach((other, b) => {
      total += count * other * distance[a]![b]!;
    });
  });
  return total;
}

function squaredDistances(values: readonly number[], totals: readonly number[], level: MeasurementLevel): number[][] {
  return values.map((_, a) =>
    values.map((__, b) => squaredDistance(values, totals, Math.min(a, b), Math.max(a, b), level)),
  );
}

function squaredDistance(
  values: readonly number[],
  totals: readonly number[],
  low: number,
  high: number,
  level: MeasurementLevel,
): number {
  if (low === high) return 0;
  switch (level) {
    case "nominal":
      return 1;
    case "interval":
      return (values[high]! - values[low]!) ** 2;
    case "ordinal": {
      const between = sum(totals.slice(low, high + 1));
      return (between - (totals[low]! + totals[high]!) / 2) ** 2;
    }
    default:
      return level satisfies never;
  }
}

/**
 * Lin's concordance correlation (1989): how near the pairs lie to the line of equality. Unlike Pearson's it falls when
 * one column is shifted or stretched. Undefined only when both columns are one and the same constant. Use it when two
 * judges should give the same numbers, not only the same order.
 *
 * @example
 * ```ts
 * linConcordance([1, 2, 3], [1, 2, 3]); // { value: 1 }
 * linConcordance([1, 2, 3], [2, 3, 4]); // about { value: 0.571 }, where Pearson's correlation is 1
 * ```
 */
export function linConcordance(left: ArrayLike<number>, right: ArrayLike<number>): Statistic {
  requireEqualLengths(left, right);
  if (left.length < 2) return notDefined("a concordance needs at least two pairs");
  const leftMean = mean(left);
  const rightMean = mean(right);
  let shared = 0;
  let spread = 0;
  for (let i = 0; i < left.length; i++) {
    const leftOffset = left[i]! - leftMean;
    const rightOffset = right[i]! - rightMean;
    shared += leftOffset * rightOffset;
    spread += leftOffset ** 2 + rightOffset ** 2;
  }
  const scale = spread + left.length * (leftMean - rightMean) ** 2;
  return scale === 0 ? notDefined("both columns are the same constant") : defined((2 * shared) / scale);
}

/**
 * Of the pairs that people tell apart, the share that the metric puts in the same order; a metric that ties them earns
 * half, as a coin would. Chance is 0.5.
 *
 * @example
 * ```ts
 * pairwiseAccuracy([1, 2, 3], [0.2, 0.1, 0.9]); // two of three pairs: about { value: 0.667 }
 * ```
 */
export function pairwiseAccuracy(human: ArrayLike<number>, metric: ArrayLike<number>): Statistic {
  requireEqualLengths(human, metric);
  return human.length < 2 ? NO_PAIR : accuracyOfRanks(denseRanks(human), denseRanks(metric));
}

/** Does the same over the pairs at the given positions, ranking only once. */
export function resampledPairwiseAccuracy(human: ArrayLike<number>, metric: ArrayLike<number>): ResampledCorrelation {
  const humanRanks = denseRanks(human);
  const metricRanks = denseRanks(metric);
  return (positions) =>
    positions.length < 2
      ? NO_PAIR
      : accuracyOfRanks(resampledRanks(humanRanks, positions), resampledRanks(metricRanks, positions));
}

const NO_PAIR = notDefined("people tell no pair apart");

function accuracyOfRanks(human: DenseRanks, metric: DenseRanks): Statistic {
  const { pairs, concordant, tiedLeft, tiedRight, tiedBoth } = countPairs(human, metric);
  const told = pairs - tiedLeft;
  if (told === 0) return NO_PAIR;
  return defined((concordant + (tiedRight - tiedBoth) / 2) / told);
}

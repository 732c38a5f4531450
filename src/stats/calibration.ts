import { countLeading } from "../core/count-leading.ts";
import { type Random, shuffled } from "../core/random.ts";
import { sortedOrder } from "./distribution.ts";
import { notDefined, requireEqualLengths, type Statistic } from "./statistic.ts";

/** A rising curve through breakpoints: straight between them, flat beyond the first and the last. */
export interface IsotonicModel {
  readonly scores: readonly number[];
  readonly values: readonly number[];
}

/**
 * Learns how a judge's scores translate to another scale, such as people's ratings, when all you trust is that higher
 * means better. The rising step curve nearest to the targets in least squares, by pooling adjacent violators. Equal
 * scores are first pooled into their average, so that one score never has two answers. Checked against
 * `sklearn.isotonic.IsotonicRegression`. Apply the result with `applyIsotonic`.
 *
 * @example
 * ```ts
 * fitIsotonic([1, 2, 3], [10, 30, 20]); // { scores: [1, 2, 3], values: [10, 25, 25] }
 * ```
 */
export function fitIsotonic(scores: ArrayLike<number>, targets: ArrayLike<number>): IsotonicModel {
  requireEqualLengths(scores, targets);
  if (scores.length === 0) throw new RangeError("a calibration needs at least one pair");
  const points = pooledByScore(scores, targets);
  const blocks: { value: number; weight: number; from: number; to: number }[] = [];
  points.forEach(({ value, weight }, index) => {
    let block = { value, weight, from: index, to: index };
    for (let last = blocks.at(-1); last && last.value >= block.value; last = blocks.at(-1)) {
      blocks.pop();
      const total = last.weight + block.weight;
      const pooled = (last.value * last.weight + block.value * block.weight) / total;
      block = { value: pooled, weight: total, from: last.from, to: block.to };
    }
    blocks.push(block);
  });
  const corners = blocks.flatMap(({ value, from, to }) =>
    (from === to ? [from] : [from, to]).map((index) => ({ score: points[index]!.score, value })),
  );
  return { scores: corners.map(({ score }) => score), values: corners.map(({ value }) => value) };
}

/**
 * Translates one score with a curve from `fitIsotonic`. A score beyond the curve's ends gets the value at that end; a
 * missing score is an error.
 *
 * @example
 * ```ts
 * const model = fitIsotonic([1, 2, 3], [10, 20, 40]);
 * applyIsotonic(model, 2.5); // 30
 * applyIsotonic(model, 99); // 40
 * ```
 */
export function applyIsotonic({ scores, values }: IsotonicModel, score: number): number {
  if (Number.isNaN(score)) throw new RangeError("a missing score cannot be calibrated");
  const last = scores.length - 1;
  if (score <= scores[0]!) return values[0]!;
  if (score >= scores[last]!) return values[last]!;
  const high = countLeading(scores, (known) => known <= score);
  const low = high - 1;
  const share = (score - scores[low]!) / (scores[high]! - scores[low]!);
  return values[low]! + share * (values[high]! - values[low]!);
}

function pooledByScore(scores: ArrayLike<number>, targets: ArrayLike<number>) {
  const points: { score: number; value: number; weight: number }[] = [];
  for (const position of sortedOrder(scores)) {
    const score = scores[position]!;
    const target = targets[position]!;
    if (!Number.isFinite(score) || !Number.isFinite(target)) throw new RangeError("a calibration needs finite numbers");
    const last = points.at(-1);
    if (last && last.score === score) {
      last.weight++;
      last.value += (target - last.value) / last.weight;
    } else points.push({ score, value: target, weight: 1 });
  }
  return points;
}

/**
 * Split conformal prediction (Papadopoulos and others, 2002): half the width of an interval that covers a new case with
 * at least the given chance, whatever the distribution, as long as it resembles the held-out cases. Takes the residuals
 * of cases the model was not fitted on; undefined when there are too few to promise that level.
 *
 * @example
 * ```ts
 * const residuals = [0.1, -0.4, 0.3, -0.2, 0.9, 0.5, -0.6, 0.8, 0.7]; // people's rating less the prediction
 * conformalHalfWidth(residuals, 0.8); // { value: 0.8 }: a new case is within ± 0.8 with a chance of at least 80 %
 * ```
 */
export function conformalHalfWidth(residuals: ArrayLike<number>, level: number): Statistic {
  if (!(level > 0 && level < 1)) throw new RangeError(`a level lies between 0 and 1, not at ${level}`);
  const sizes = Float64Array.from(residuals, Math.abs).sort();
  if (sizes.length > 0 && !Number.isFinite(sizes[sizes.length - 1])) {
    throw new RangeError("residuals must be finite numbers");
  }
  // Rounding must not push an exact product, such as 20 × 0.95, over the next whole number.
  const needed = Math.ceil((sizes.length + 1) * level - 1e-9);
  if (needed > sizes.length) {
    const least = Math.ceil(1 / (1 - level) - 1e-9) - 1;
    return notDefined(`a ${level * 100}% interval needs at least ${least} held-out cases; there are ${sizes.length}`);
  }
  return { value: sizes[needed - 1]! };
}

const FOLDS = 10;

/**
 * A judge's scores on people's scale, with an interval for a new text: the isotonic curve through all pairs, and the conformal
 * half width from residuals of texts that the curve was fitted without (ten folds, as cross-conformal prediction does; Vovk 2015).
 *
 * @example
 * ```ts
 * const { model, halfWidth } = calibrate(judge, people, 0.95, seededRandom(1));
 * applyIsotonic(model, 71); // what people say of a text that the judge gives 71, within ± halfWidth.value
 * ```
 */
export function calibrate(
  scores: readonly number[],
  targets: readonly number[],
  level: number,
  random: Random,
): { readonly model: IsotonicModel; readonly halfWidth: Statistic } {
  const model = fitIsotonic(scores, targets);
  const order = shuffled(
    scores.map((_, at) => at),
    random,
  );
  const residuals = Array.from({ length: FOLDS }, (_, fold) => {
    const held = order.filter((__, place) => place % FOLDS === fold);
    const kept = order.filter((__, place) => place % FOLDS !== fold);
    if (held.length === 0 || kept.length === 0) return [];
    const without = fitIsotonic(
      kept.map((at) => scores[at]!),
      kept.map((at) => targets[at]!),
    );
    return held.map((at) => targets[at]! - applyIsotonic(without, scores[at]!));
  }).flat();
  return { model, halfWidth: conformalHalfWidth(residuals, level) };
}

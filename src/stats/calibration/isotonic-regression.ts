import { requireEqualLengths } from "../complete-pairs.ts";
import { sortedOrder } from "../distribution/sorted-order.ts";

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
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (scores[middle]! <= score) low = middle;
    else high = middle;
  }
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

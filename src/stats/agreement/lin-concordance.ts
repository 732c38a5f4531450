import { requireEqualLengths } from "../complete-pairs.ts";
import { mean } from "../distribution/mean.ts";
import { defined, notDefined, type Statistic } from "../statistic.ts";

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

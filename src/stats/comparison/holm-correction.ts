/**
 * Holm's step-down correction (1979): p-values that stay honest when several comparisons are made at once. Returned in
 * the order given. Checked against R's `p.adjust(method = "holm")`. Use it whenever a table holds more than one
 * p-value.
 *
 * @example
 * ```ts
 * holmCorrection([0.01, 0.04, 0.5]); // [0.03, 0.08, 0.5]
 * ```
 */
export function holmCorrection(pValues: readonly number[]): number[] {
  const order = pValues.map((_, index) => index).sort((a, b) => pValues[a]! - pValues[b]!);
  const adjusted = new Array<number>(pValues.length);
  let highest = 0;
  order.forEach((index, step) => {
    highest = Math.max(highest, Math.min(1, pValues[index]! * (pValues.length - step)));
    adjusted[index] = highest;
  });
  return adjusted;
}

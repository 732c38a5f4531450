/** P(yes) = 1 / (1 + e^−(intercept + slope × score)), fitted by Newton's method (Platt, 1999). */
export function fitLogistic(
  scores: Float64Array,
  labels: readonly boolean[],
): { readonly intercept: number; readonly slope: number } {
  let intercept = 0;
  let slope = 1;
  for (let step = 0; step < 50; step++) {
    let [g0, g1, h00, h01, h11] = [0, 0, 1e-9, 0, 1e-9];
    for (let at = 0; at < scores.length; at++) {
      const score = scores[at]!;
      const probability = 1 / (1 + Math.exp(-(intercept + slope * score)));
      const miss = (labels[at] ? 1 : 0) - probability;
      const weight = probability * (1 - probability);
      g0 += miss;
      g1 += miss * score;
      h00 += weight;
      h01 += weight * score;
      h11 += weight * score * score;
    }
    const determinant = h00 * h11 - h01 * h01;
    const [stepIntercept, stepSlope] = [(h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant];
    intercept += stepIntercept;
    slope += stepSlope;
    if (Math.abs(stepIntercept) + Math.abs(stepSlope) < 1e-10) break;
  }
  return { intercept, slope };
}

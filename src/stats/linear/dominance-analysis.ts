import { type Random, shuffled } from "../../core/random.ts";
import { sum, sumBy } from "../distribution.ts";
import { invertPositiveDefinite } from "./positive-definite.ts";

/** Correlations of predictors with each other (row by row) and with the outcome. */
export interface PredictorCorrelations {
  readonly size: number;
  readonly among: Float64Array;
  readonly withOutcome: Float64Array;
}

/** Up to this many predictors every subset is tried; with more, this many random orders. */
const MOST_PREDICTORS_EXACT = 10;
const ORDERS = 200;

/**
 * General dominance (Budescu, Psychological Bulletin 114, 1993; Azen and Budescu, Psychological Methods 8, 2003): how
 * much each predictor adds to R², averaged over the sets of predictors it may join. The parts are never negative for
 * a regression and add up to R², so they suit correlated predictors, for which a coefficient says little. It is the
 * Shapley value of R², so many predictors are handled by averaging over random orders.
 */
export function generalDominance(correlations: PredictorCorrelations, random: Random): Float64Array {
  const { size } = correlations;
  const known = new Map<number, number>([[0, 0]]);
  const explained = (subset: number, members: readonly number[]) => {
    const before = known.get(subset);
    if (before !== undefined) return before;
    const share = explainedShare(correlations, members);
    if (size <= MOST_PREDICTORS_EXACT) known.set(subset, share);
    return share;
  };
  if (size > MOST_PREDICTORS_EXACT) return overOrders(correlations, random);
  const parts = new Float64Array(size);
  const weights = subsetWeights(size);
  for (let subset = 0; subset < 1 << size; subset++) {
    const members = membersOf(subset, size);
    const without = explained(subset, members);
    for (let predictor = 0; predictor < size; predictor++) {
      if (subset & (1 << predictor)) continue;
      const gain = explained(subset | (1 << predictor), [...members, predictor]) - without;
      parts[predictor]! += weights[members.length]! * gain;
    }
  }
  return parts;
}

function overOrders(correlations: PredictorCorrelations, random: Random): Float64Array {
  const parts = new Float64Array(correlations.size);
  const predictors = [...parts.keys()];
  for (let order = 0; order < ORDERS; order++) {
    const members: number[] = [];
    let before = 0;
    for (const predictor of shuffled(predictors, random)) {
      members.push(predictor);
      const after = explainedShare(correlations, members);
      parts[predictor]! += (after - before) / ORDERS;
      before = after;
    }
  }
  return parts;
}

/** 1 / (size · (size − 1 choose members)): the share of all orders in which exactly these members come first. */
function subsetWeights(size: number): number[] {
  let choose = 1;
  return Array.from({ length: size }, (_, members) => {
    if (members > 0) choose *= (size - members) / members;
    return 1 / (size * choose);
  });
}

function membersOf(subset: number, size: number): number[] {
  return Array.from({ length: size }, (_, predictor) => predictor).filter((predictor) => subset & (1 << predictor));
}

/** R² of a regression on these predictors; predictors that repeat each other exactly count once. */
export function explainedShare(
  { size, among, withOutcome }: PredictorCorrelations,
  members: readonly number[],
): number {
  const { length } = members;
  if (length === 0) return 0;
  const matrix = new Float64Array(length * length);
  for (const [row, left] of members.entries())
    for (const [column, right] of members.entries()) matrix[row * length + column] = among[left * size + right]!;
  const inverse = invertPositiveDefinite(matrix, length);
  if (inverse === null) return explainedShare({ size, among, withOutcome }, members.slice(0, -1));
  let share = 0;
  for (const [row, left] of members.entries())
    for (const [column, right] of members.entries())
      share += withOutcome[left]! * inverse[row * length + column]! * withOutcome[right]!;
  return Math.min(1, Math.max(0, share));
}

/** Standardised coefficients of the regression on all predictors; null when some repeat each other exactly. */
export function standardisedCoefficients({ size, among, withOutcome }: PredictorCorrelations): Float64Array | null {
  const inverse = invertPositiveDefinite(among.slice(), size);
  if (inverse === null) return null;
  return Float64Array.from({ length: size }, (_, row) =>
    sumBy(withOutcome, (value, column) => inverse[row * size + column]! * value),
  );
}

/**
 * Weighted correlations of columns with each other and with an outcome. The correlations of a constant column are 0.
 */
export function correlationsOf(
  columns: readonly Float64Array[],
  outcome: Float64Array,
  weights: Float64Array,
): PredictorCorrelations {
  const total = sum(weights);
  const standard = (values: Float64Array) => {
    const centre = sumBy(values, (value, at) => weights[at]! * value) / total;
    const spread = Math.sqrt(sumBy(values, (value, at) => weights[at]! * (value - centre) ** 2) / total);
    return values.map((value) => (spread > 0 ? (value - centre) / spread : 0));
  };
  const scaled = columns.map(standard);
  const target = standard(outcome);
  const product = (left: Float64Array, right: Float64Array) =>
    sumBy(left, (value, at) => weights[at]! * value * right[at]!) / total;
  const size = columns.length;
  const among = new Float64Array(size * size);
  for (let row = 0; row < size; row++)
    for (let column = row; column < size; column++)
      among[row * size + column] = among[column * size + row] =
        row === column ? 1 : product(scaled[row]!, scaled[column]!);
  return { size, among, withOutcome: Float64Array.from(scaled, (column) => product(column, target)) };
}

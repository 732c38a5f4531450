import { mean } from "../../stats/distribution.ts";
import type { EarlierReview } from "./votes.ts";

/** How ratings lie around the predictions made from one length of history, by groups that are off in their own way. */
export interface GroupedSpread {
  /** Between the fifths of the predictions, lowest first. */
  readonly fifths: readonly number[];
  /** Below the first a reader is strict, above the second kind, by `levelOf` the history. */
  readonly levels: readonly [number, number];
  /** By fifth, and by strict, usual and kind: how far ratings lie from predictions, at the shares of `RESIDUAL_SHARES`. */
  readonly residuals: readonly (readonly (readonly number[])[])[];
}

/** Which shares of the residuals of a group are kept, ascending. */
export const RESIDUAL_SHARES: readonly number[] = [
  0.01, 0.03, 0.06, 0.09, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.85, 0.91, 0.94, 0.97, 0.99,
];
/**
 * The residuals come from readers that the fit did not see, but of books it did: ranges from the shares 0.1 and 0.9 held 78 % of the
 * ratings of unseen readers and books (`evals/reader-ranges.ts --cuts 31,32`), so a little more is taken.
 */
const LOW = RESIDUAL_SHARES.indexOf(0.09);
const HIGH = RESIDUAL_SHARES.indexOf(0.91);

/** How far a reader's ratings lie above what was expected of the same stories: strict readers below, kind ones above. */
export function levelOf(history: readonly Pick<EarlierReview, "rating" | "expected">[]): number {
  return history.length === 0 ? 0 : mean(history.map(({ rating, expected }) => rating - expected));
}

/** The residuals of the group that a prediction belongs to; the last length stands for longer ones. */
export function residualsFor(
  spread: readonly GroupedSpread[],
  predicted: number,
  history: readonly Pick<EarlierReview, "rating" | "expected">[],
): readonly number[] {
  const { fifths, levels, residuals } = spread[Math.min(history.length, spread.length - 1)]!;
  const level = levelOf(history);
  const kind = history.length === 0 ? 1 : level < levels[0] ? 0 : level > levels[1] ? 2 : 1;
  return residuals[fifths.filter((bound) => predicted >= bound).length]![kind]!;
}

/** Where four ratings in five fall. */
export function intervalFrom(predicted: number, residuals: readonly number[]): readonly [number, number] {
  return [predicted + residuals[LOW]!, predicted + residuals[HIGH]!];
}

/** The chance of each whole number of stars, from one to five: how many residuals bring the prediction nearest to it. */
export function starChances(predicted: number, residuals: readonly number[]): number[] {
  const below = [1.5, 2.5, 3.5, 4.5].map((bound) => shareBelow(bound - predicted, residuals));
  return [0, ...below].map((share, at) => (below[at] ?? 1) - share);
}

function shareBelow(wanted: number, residuals: readonly number[]): number {
  const above = residuals.findIndex((residual) => residual > wanted);
  if (above === 0) return 0;
  if (above < 0) return 1;
  const [low, high] = [residuals[above - 1]!, residuals[above]!];
  const [from, to] = [RESIDUAL_SHARES[above - 1]!, RESIDUAL_SHARES[above]!];
  return from + ((wanted - low) / (high - low)) * (to - from);
}

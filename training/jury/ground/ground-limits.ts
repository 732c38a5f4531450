import { quantile } from "../../../src/stats/distribution/quantile.ts";

/** What a border does to texts known to be inside and texts known to be outside. */
export interface BorderRates {
  /** The part of those inside that it puts outside. */
  readonly falseOutside: number;
  /** The part of those outside that it leaves inside. */
  readonly missedOutside: number;
}

export function ratesOf(limit: number, inside: readonly number[], outside: readonly number[]): BorderRates {
  return {
    falseOutside: inside.filter((distance) => distance >= limit).length / inside.length,
    missedOutside: outside.filter((distance) => distance < limit).length / outside.length,
  };
}

/** The border that this part of the texts stays within. */
export function limitHolding(part: number, distances: readonly number[]): number {
  return quantile(distances, part);
}

const MOST = { inside: 0.98, outside: 0.05 } as const;

/** Half-way between where nearly all of those inside end and nearly all of those outside begin: one odd book decides nothing. */
export function limitBetween(inside: readonly number[], outside: readonly number[]): number {
  return (limitHolding(MOST.inside, inside) + limitHolding(MOST.outside, outside)) / 2;
}

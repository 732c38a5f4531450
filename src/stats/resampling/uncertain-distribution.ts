import type { Random } from "../../core/random.ts";

/** Where a value lies among the sorted sample: after how many entries, and how far into the gap behind them. */
export interface Spot {
  readonly after: number;
  /** 0–1 between its two neighbours; null below the least and above the greatest entry, where nothing says how far. */
  readonly within: number | null;
}

/**
 * The distribution a sample was drawn from, as uncertain as the sample is small: n entries cut it into n + 1 parts whose
 * shares are uniform on the simplex (the Bayesian bootstrap of Rubin 1981, on the gaps instead of the entries). A value
 * above every entry is then not above everything, as the plain bootstrap would have it.
 */
export class UncertainDistribution {
  readonly #sorted: Float64Array;
  /** Share below the start of each gap, for the current draw; one more entry holds 1. */
  readonly #below: Float64Array;

  constructor(sample: ArrayLike<number>) {
    this.#sorted = Float64Array.from(sample).sort();
    this.#below = new Float64Array(this.#sorted.length + 2);
  }

  spotOf(value: number): Spot {
    const sorted = this.#sorted;
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (sorted[middle]! <= value) low = middle + 1;
      else high = middle;
    }
    if (low === 0 || low === sorted.length) return { after: low, within: null };
    const [before, next] = [sorted[low - 1]!, sorted[low]!];
    return { after: low, within: (value - before) / (next - before) };
  }

  /** Draws the shares of all gaps; `shareAt` speaks of this draw until the next. */
  draw(random: Random): void {
    const below = this.#below;
    let total = 0;
    for (let gap = 0; gap < below.length - 1; gap++) {
      below[gap] = total;
      total -= Math.log(1 - random());
    }
    below[below.length - 1] = total;
    for (let gap = 0; gap < below.length; gap++) below[gap]! /= total;
  }

  /** The share of the distribution at or below a spot in the current draw. */
  shareAt({ after, within }: Spot, random: Random): number {
    const start = this.#below[after]!;
    return start + (within ?? random()) * (this.#below[after + 1]! - start);
  }
}

import type { SimulatedExchange } from "../../src/testing/index.ts";

/** The most requests that were under way at the same moment, as the server saw them. */
export function peakUnderWay(exchanges: readonly SimulatedExchange[]): number {
  const moments = exchanges.flatMap(({ at, endedAt }) => [
    { at, change: 1 },
    { at: endedAt ?? Number.POSITIVE_INFINITY, change: -1 },
  ]);
  // One that ends and one that begins in the same millisecond were not together.
  moments.sort((left, right) => left.at - right.at || left.change - right.change);
  let underWay = 0;
  let most = 0;
  for (const { change } of moments) {
    underWay += change;
    most = Math.max(most, underWay);
  }
  return most;
}

/** The most requests that arrived within so many milliseconds, wherever they are begun. */
export function busiestWindow(exchanges: readonly SimulatedExchange[], milliseconds: number): number {
  const arrivals = exchanges.map(({ at }) => at).sort((left, right) => left - right);
  let first = 0;
  let most = 0;
  arrivals.forEach((arrival, index) => {
    while (arrival - arrivals[first]! >= milliseconds) first += 1;
    most = Math.max(most, index - first + 1);
  });
  return most;
}

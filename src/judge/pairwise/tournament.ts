import { bradleyTerry } from "../../stats/rating/bradley-terry.ts";
import type { Comparison, Strength } from "../../stats/rating/paired-comparisons.ts";

/** Two contestants who should meet next. */
export interface Pairing {
  readonly left: string;
  readonly right: string;
}

/**
 * Strengths with intervals. Every contestant is given one tie with every other that weighs little, so that a contestant who
 * never lost still has a finite strength; with a few meetings each its pull is small.
 */
export function standings(contestants: readonly string[], comparisons: readonly Comparison[]): readonly Strength[] {
  const met = new Set(comparisons.flatMap(({ left, right }) => [left, right]));
  if (met.size === 0) {
    return contestants.map((id) => ({
      id,
      strength: 0,
      interval: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
      comparisons: 0,
    }));
  }
  const prior = pairsOf(contestants).map(({ left, right }): Comparison => ({ left, right, outcome: "tie" }));
  const fitted = bradleyTerry([...comparisons, ...prior]);
  if ("value" in fitted) throw new RangeError(fitted.reason);
  const others = contestants.length - 1;
  return [...fitted]
    .map((strength) => ({ ...strength, comparisons: strength.comparisons - others }))
    .sort((left, right) => right.strength - left.strength);
}

/**
 * The pair whose meeting tells most: an open outcome (the chance of either winning near one half) between contestants
 * whose strengths are least known. Pairs that met least come first among equals; null when every pair met often enough.
 */
export function nextPairing(
  contestants: readonly string[],
  comparisons: readonly Comparison[],
  options: { readonly meetingsPerPair: number; readonly until?: Goal },
): Pairing | null {
  const order = standings(contestants, comparisons);
  const ranked = new Map(order.map((strength) => [strength.id, strength]));
  const matters = mattersTo(options.until, order);
  const meetings = new Map<string, number>();
  for (const { left, right } of comparisons) {
    const key = pairKey(left, right);
    meetings.set(key, (meetings.get(key) ?? 0) + 1);
  }
  let best: { pairing: Pairing; worth: number } | null = null;
  for (const pairing of pairsOf(contestants)) {
    const met = meetings.get(pairKey(pairing.left, pairing.right)) ?? 0;
    if (met >= options.meetingsPerPair) continue;
    const [left, right] = [ranked.get(pairing.left)!, ranked.get(pairing.right)!];
    if (!matters(left, right)) continue;
    const chance = 1 / (1 + Math.exp(right.strength - left.strength));
    const unsure = spread(left) ** 2 + spread(right) ** 2;
    const worth = (chance * (1 - chance) * unsure) / (1 + met);
    if (!best || worth > best.worth + 1e-12) best = { pairing, worth };
  }
  return best?.pairing ?? null;
}

/** When a tournament may stop: at a given precision of the strengths, or when the order of the first places is settled. */
export type Goal =
  | { readonly kind: "width"; readonly halfWidth: number }
  | { readonly kind: "top"; readonly count: number };

/** Whether the goal is reached: not before every book has been compared twice, because a lucky start looks settled. */
export function isGoalReached(goal: Goal, order: readonly Strength[]): boolean {
  if (order.some(({ comparisons }) => comparisons < LEAST_COMPARISONS)) return false;
  switch (goal.kind) {
    case "width":
      return order.every((strength) => 2 * spread(strength) <= goal.halfWidth);
    case "top":
      return order.slice(0, goal.count).every((strength, at) => {
        const next = order[at + 1];
        return next === undefined || areApart(strength, next, order.length);
      });
    default:
      return goal satisfies never;
  }
}

/** Two meetings in both orders. */
const LEAST_COMPARISONS = 4;
/** One-sided 95 %: who stands above is known, by how much is another matter. */
const SURE = 1.645;

/**
 * Whether the stronger of two is above the other for sure. Strengths sum to zero, so in a balanced tournament of n the
 * variance of a difference is n ⁄ (n − 1) times the sum of the two variances.
 */
function areApart(left: Strength, right: Strength, contestants: number): boolean {
  const variance = ((spread(left) ** 2 + spread(right) ** 2) * contestants) / (contestants - 1);
  return Math.abs(left.strength - right.strength) > SURE * Math.sqrt(variance);
}

/** For the order of the first few, only meetings count that one of them is in and whose outcome is not yet known. */
function mattersTo(goal: Goal | undefined, order: readonly Strength[]): (left: Strength, right: Strength) => boolean {
  if (goal?.kind !== "top" || order.some(({ comparisons }) => comparisons < LEAST_COMPARISONS)) return () => true;
  const first = new Set(order.slice(0, goal.count).map(({ id }) => id));
  return (left, right) => (first.has(left.id) || first.has(right.id)) && !areApart(left, right, order.length);
}

function spread({ interval: [low, high] }: Strength): number {
  return Number.isFinite(high - low) ? (high - low) / 4 : 10;
}

function pairsOf(contestants: readonly string[]): Pairing[] {
  return contestants.flatMap((left, position) => contestants.slice(position + 1).map((right) => ({ left, right })));
}

function pairKey(left: string, right: string): string {
  return [left, right].sort().join("\u0000");
}

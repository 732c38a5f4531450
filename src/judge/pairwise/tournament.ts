import { bradleyTerry } from "../../stats/rating/bradley-terry.ts";
import type { Comparison, Strength } from "../../stats/rating/paired-comparisons.ts";

/** Two contestants who should meet next. */
export interface Fixture {
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
export function nextFixture(
  contestants: readonly string[],
  comparisons: readonly Comparison[],
  options: { readonly meetingsPerPair: number },
): Fixture | null {
  const ranked = new Map(standings(contestants, comparisons).map((strength) => [strength.id, strength]));
  const meetings = new Map<string, number>();
  for (const { left, right } of comparisons) {
    const key = pairKey(left, right);
    meetings.set(key, (meetings.get(key) ?? 0) + 1);
  }
  let best: { fixture: Fixture; worth: number } | null = null;
  for (const fixture of pairsOf(contestants)) {
    const met = meetings.get(pairKey(fixture.left, fixture.right)) ?? 0;
    if (met >= options.meetingsPerPair) continue;
    const [left, right] = [ranked.get(fixture.left)!, ranked.get(fixture.right)!];
    const chance = 1 / (1 + Math.exp(right.strength - left.strength));
    const unsure = spread(left) ** 2 + spread(right) ** 2;
    const worth = (chance * (1 - chance) * unsure) / (1 + met);
    if (!best || worth > best.worth + 1e-12) best = { fixture, worth };
  }
  return best?.fixture ?? null;
}

function spread({ interval: [low, high] }: Strength): number {
  return Number.isFinite(high - low) ? (high - low) / 4 : 10;
}

function pairsOf(contestants: readonly string[]): Fixture[] {
  return contestants.flatMap((left, position) => contestants.slice(position + 1).map((right) => ({ left, right })));
}

function pairKey(left: string, right: string): string {
  return [left, right].sort().join("\u0000");
}

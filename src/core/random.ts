/** A source of uniform numbers in [0, 1). Every resample, shuffle and retry takes one, so every result is repeatable. */
export type Random = () => number;

/** Mulberry32: 32 bits of state, passes gjrand's small-state tests, and gives the same sequence on every platform. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function randomInteger(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** Fisher–Yates on a copy. */
export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const copy = items.slice();
  for (let last = copy.length - 1; last > 0; last--) {
    const other = randomInteger(random, last + 1);
    // Not by destructuring: shuffles of thousands of items run hundreds of times, and that makes an array each time.
    const moved = copy[last]!;
    copy[last] = copy[other]!;
    copy[other] = moved;
  }
  return copy;
}

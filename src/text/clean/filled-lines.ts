const SHORTEST_FILLED = 50;

/** Lines of prose that a preformatted text wraps: all but the last about as long as the longest. */
export function areFilled(lines: readonly string[]): boolean {
  const longest = lines.reduce((most, { length }) => Math.max(most, length), 0);
  return longest >= SHORTEST_FILLED && lines.slice(0, -1).every(({ length }) => length >= longest * 0.75);
}

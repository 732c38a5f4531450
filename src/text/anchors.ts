import { countLeading } from "../core/count-leading.ts";

/** Positions of the same line in two texts. */
type Pair = readonly [left: number, right: number];

/**
 * The lines that occur exactly once in both texts, as many as are in the same order in both: the start of a patience
 * diff (Bram Cohen). Empty lines do not count.
 */
export function anchorsOf(left: readonly string[], right: readonly string[]): Pair[] {
  const inRight = uniquePlaces(right);
  const pairs = [...uniquePlaces(left)].flatMap(([line, at]): Pair[] => {
    const other = inRight.get(line);
    return other === undefined ? [] : [[at, other]];
  });
  return longestInOrder(pairs.sort((one, other) => one[0] - other[0]));
}

function uniquePlaces(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [at, line] of lines.entries()) {
    if (line === "") continue;
    if (places.has(line)) repeated.add(line);
    else places.set(line, at);
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/** Of pairs in the order of the left text, the longest series that is also in the order of the right text (patience sorting). */
function longestInOrder(pairs: readonly Pair[]): Pair[] {
  const tops: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (const [position, [, right]] of pairs.entries()) {
    const pile = countLeading(tops, (top) => pairs[top]![1] < right);
    if (pile > 0) previous[position] = tops[pile - 1]!;
    tops[pile] = position;
  }
  const longest: Pair[] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at]!) longest.push(pairs[at]!);
  return longest.reverse();
}

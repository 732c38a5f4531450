/** Pairs of positions with the same paragraph, in the order of both drafts. */
export type Match = readonly [before: number, after: number];

/**
 * The paragraphs that stayed where they were. Paragraphs that occur once in each draft are matched first, as many as keep
 * their order (the patience diff of Bram Cohen); from these, equal neighbours are matched in both directions. It takes
 * n log n steps however much was rewritten.
 */
export function matchParagraphs(before: readonly string[], after: readonly string[]): Match[] {
  const anchors = longestInOrder(uniquePairs(before, after));
  const matched = new Map<number, number>();
  const taken = new Set<number>();
  const take = (left: number, right: number): boolean => {
    if (before[left] === undefined || before[left] !== after[right] || matched.has(left) || taken.has(right))
      return false;
    matched.set(left, right);
    taken.add(right);
    return true;
  };
  const borders: Match[] = [[-1, -1], ...anchors, [before.length, after.length]];
  for (const [left, right] of anchors) take(left, right);
  for (const [left, right] of borders) for (let step = 1; take(left + step, right + step); step++);
  for (const [left, right] of borders) for (let step = 1; take(left - step, right - step); step++);
  return [...matched].sort(([left], [right]) => left - right);
}

function uniquePairs(before: readonly string[], after: readonly string[]): Match[] {
  const [ours, theirs] = [singles(before), singles(after)];
  return [...ours].flatMap(([text, left]): Match[] => {
    const right = theirs.get(text);
    return right === undefined ? [] : [[left, right]];
  });
}

function singles(paragraphs: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [position, text] of paragraphs.entries()) {
    if (places.has(text)) repeated.add(text);
    else places.set(text, position);
  }
  for (const text of repeated) places.delete(text);
  return places;
}

/** The longest run of pairs that ascends in both drafts: patience sorting. */
function longestInOrder(pairs: readonly Match[]): Match[] {
  const ordered = [...pairs].sort(([left], [right]) => left - right);
  const tops: number[] = [];
  const previous = new Int32Array(ordered.length).fill(-1);
  for (const [position, [, right]] of ordered.entries()) {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (ordered[tops[middle]!]![1] < right) low = middle + 1;
      else high = middle;
    }
    if (low > 0) previous[position] = tops[low - 1]!;
    tops[low] = position;
  }
  const longest: Match[] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at]!) longest.push(ordered[at]!);
  return longest.reverse();
}

/** Two texts up to this long are matched letter by letter; of longer ones, only what stands between equal sentences. */
const LETTERS_AT_ONCE = 20_000;

/** How much of two texts of these lengths can be the same at most. */
export function largestRatio(left: number, right: number): number {
  return left + right === 0 ? 1 : (2 * Math.min(left, right)) / (left + right);
}

/**
 * How much of two texts is the same, in order: twice the matching characters over all characters, as Python's difflib
 * defines its ratio, but with the longest possible match instead of a greedy one and no "junk" heuristic. Long texts are
 * first aligned at their equal sentences, so that a novel costs no more than its differences. As soon as the ratio cannot reach
 * `atLeast` any more, what it could still be at most is returned.
 */
export function matchingRatio(left: string, right: string, atLeast = 0): number {
  const total = left.length + right.length;
  if (left === right) return 1;
  const most = largestRatio(left.length, right.length);
  if (most < atLeast) return most;
  return (2 * matchingLength(left, right, (atLeast * total) / 2)) / total;
}

/** Line ends differ from edition to edition; sentences do not. */
const SENTENCE_END = /[\n.!?。！？]/;

/** What stands between two equal sentences, in both texts. */
interface Gap {
  readonly left: string;
  readonly right: string;
  /** No more than this can match. */
  readonly most: number;
}

function matchingLength(left: string, right: string, atLeast: number): number {
  if (left.length <= LETTERS_AT_ONCE && right.length <= LETTERS_AT_ONCE) return commonSubsequenceLength(left, right);
  const leftLines = left.split(SENTENCE_END);
  const rightLines = right.split(SENTENCE_END);
  const gaps: Gap[] = [];
  let possible = 0;
  let leftFrom = 0;
  let rightFrom = 0;
  for (const [leftAt, rightAt] of [...anchors(leftLines, rightLines), [leftLines.length, rightLines.length] as const]) {
    const gap = gapOf(leftLines.slice(leftFrom, leftAt), rightLines.slice(rightFrom, rightAt));
    gaps.push(gap);
    possible += gap.most;
    if (leftAt < leftLines.length) possible += leftLines[leftAt]!.length + 1;
    leftFrom = leftAt + 1;
    rightFrom = rightAt + 1;
  }
  // The largest first: where texts differ, that is seen soonest there.
  gaps.sort((one, other) => other.most - one.most);
  for (const gap of gaps) {
    if (gap.most === 0 || possible < atLeast) break;
    possible -= gap.most - gapLength(gap.left, gap.right);
  }
  return Math.min(possible, left.length, right.length);
}

function gapOf(left: readonly string[], right: readonly string[]): Gap {
  const [leftText, rightText] = [left.join("\n"), right.join("\n")];
  return { left: leftText, right: rightText, most: Math.min(leftText.length, rightText.length) };
}

function gapLength(leftText: string, rightText: string): number {
  const longest = Math.max(leftText.length, rightText.length);
  if (longest <= LETTERS_AT_ONCE) return commonSubsequenceLength(leftText, rightText);
  // Too different to be one place of one book: what little they share is not worth an hour.
  if (Math.min(leftText.length, rightText.length) < LEAST_LENGTH_SHARE * longest) return 0;
  // Letters changed all over, so that no sentence is the same: piece by piece, which finds at most a little less.
  const pieces = Math.ceil(longest / LETTERS_AT_ONCE);
  let matched = 0;
  for (let piece = 0; piece < pieces; piece++) {
    matched += commonSubsequenceLength(pieceOf(leftText, piece, pieces), pieceOf(rightText, piece, pieces));
  }
  return matched;
}

const LEAST_LENGTH_SHARE = 0.8;

function pieceOf(text: string, piece: number, pieces: number): string {
  return text.slice(Math.floor((piece * text.length) / pieces), Math.floor(((piece + 1) * text.length) / pieces));
}

/** Sentences that both texts have exactly once, in an order both share: the longest increasing run, as in a patience diff. */
function anchors(left: readonly string[], right: readonly string[]): (readonly [number, number])[] {
  const inLeft = uniquePlaces(left);
  const inRight = uniquePlaces(right);
  const pairs: [number, number][] = [];
  for (const [line, leftAt] of inLeft) {
    const rightAt = inRight.get(line) ?? -1;
    if (leftAt >= 0 && rightAt >= 0) pairs.push([leftAt, rightAt]);
  }
  pairs.sort((one, other) => one[0] - other[0]);
  return longestIncreasing(pairs);
}

function uniquePlaces(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  for (const [at, line] of lines.entries()) if (line !== "") places.set(line, places.has(line) ? -1 : at);
  return places;
}

function longestIncreasing(pairs: readonly (readonly [number, number])[]): (readonly [number, number])[] {
  const tails: number[] = [];
  const before = new Int32Array(pairs.length).fill(-1);
  for (const [index, pair] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (pairs[tails[middle]!]![1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    if (low > 0) before[index] = tails[low - 1]!;
    tails[low] = index;
  }
  const run: (readonly [number, number])[] = [];
  for (let index = tails.at(-1) ?? -1; index >= 0; index = before[index]!) run.push(pairs[index]!);
  return run.reverse();
}

/**
 * The length of the longest common subsequence of two strings, by Hyyrö's bit-parallel recurrence (2004): each step of the
 * dynamic programme handles 32 cells at once. Checked against the plain recurrence in the tests.
 */
export function commonSubsequenceLength(left: string, right: string): number {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (short.length === 0) return 0;
  const words = (short.length + 31) >>> 5;
  const positions = new Map<number, Uint32Array>();
  for (let position = 0; position < short.length; position++) {
    const unit = short.charCodeAt(position);
    let bits = positions.get(unit);
    if (!bits) {
      bits = new Uint32Array(words);
      positions.set(unit, bits);
    }
    bits[position >>> 5]! |= 1 << (position & 31);
  }
  const rows = new Uint32Array(words).fill(0xffffffff);
  for (let position = 0; position < long.length; position++) {
    const matches = positions.get(long.charCodeAt(position));
    if (!matches) continue;
    let carry = 0;
    for (let word = 0; word < words; word++) {
      const row = rows[word]!;
      const hits = (row & matches[word]!) >>> 0;
      const sum = row + hits + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      rows[word] = (sum >>> 0) | (row & ~hits);
    }
  }
  let length = 0;
  for (let word = 0; word < words; word++) {
    let zeros = ~rows[word]! >>> 0;
    if (word === words - 1 && (short.length & 31) !== 0) zeros &= 2 ** (short.length & 31) - 1;
    for (; zeros !== 0; zeros &= zeros - 1) length++;
  }
  return length;
}

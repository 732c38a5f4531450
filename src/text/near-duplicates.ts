import { readFileSync } from "node:fs";
import { assetPath } from "../core/assets.ts";
import type { ProgressListener } from "../core/progress.ts";
import { anchorsOf } from "./anchors.ts";

/** Quotation marks and stops that editions set differently, in pairs. */
const MARKS = "「“ 」” 『‘ 』’ ﹁“ ﹂” ，, ．. ：: ；; ？? ！!";

let folding: Uint16Array | null = null;

/**
 * What all editions of a text have in common: no space and line ends, which each sets in its own way, and in Chinese simplified
 * characters for traditional ones. Only for comparison, not for reading.
 */
export function comparable(text: string): string {
  if (text.length > units.length) units = new Uint16Array(text.length);
  const length = takeVisible(text, units);
  if (hasHan(units, length)) {
    folding ??= readFolding();
    for (let at = 0; at < length; at++) units[at] = folding[units[at]!]!;
  }
  return Buffer.from(units.buffer, 0, 2 * length).toString("utf16le");
}

/** A buffer as long as the longest text so far. */
let units = new Uint16Array(1 << 16);

function takeVisible(text: string, into: Uint16Array): number {
  let length = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (!isSpace(unit)) into[length++] = unit;
  }
  return length;
}

function hasHan(of: Uint16Array, length: number): boolean {
  for (let at = 0; at < length; at++) if (of[at]! >= 0x4e00 && of[at]! <= 0x9fff) return true;
  return false;
}

/** The same characters as `\s` in a regular expression. */
function isSpace(unit: number): boolean {
  if (unit < 0xa0) return unit === 32 || (unit >= 9 && unit <= 13);
  if (unit >= 0x2000 && unit <= 0x205f)
    return unit <= 0x200a || unit === 0x2028 || unit === 0x2029 || unit === 0x202f || unit === 0x205f;
  return unit === 0xa0 || unit === 0x1680 || unit === 0x3000 || unit === 0xfeff;
}

function readFolding(): Uint16Array {
  const table = Uint16Array.from({ length: 65_536 }, (_, unit) => unit);
  for (const pair of `${MARKS} ${readFileSync(assetPath("chinese", "simplified.txt"), "utf8")}`.split(/\s+/)) {
    if (pair.length === 2) table[pair.charCodeAt(0)] = pair.charCodeAt(1);
  }
  return table;
}

/** Two texts up to this length are matched letter by letter; of longer ones, only the parts between equal sentences. */
const LETTERS_AT_ONCE = 20_000;

/** The largest share of two texts with these lengths that can be the same. */
export function largestRatio(left: number, right: number): number {
  return left + right === 0 ? 1 : (2 * Math.min(left, right)) / (left + right);
}

/**
 * How much of two texts is the same, in order: twice the matching characters over all characters, as Python's difflib defines its
 * ratio, but with the longest possible match instead of a greedy one and no "junk" heuristic. Long texts are first aligned at
 * their equal sentences, so that a novel costs no more than its differences. As soon as the ratio can no longer reach `atLeast`,
 * its upper bound is returned.
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

/** The text between two equal sentences, in both texts. */
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
  for (const [leftAt, rightAt] of [
    ...anchorsOf(leftLines, rightLines),
    [leftLines.length, rightLines.length] as const,
  ]) {
    const gap = gapOf(leftLines.slice(leftFrom, leftAt), rightLines.slice(rightFrom, rightAt));
    gaps.push(gap);
    possible += gap.most;
    if (leftAt < leftLines.length) possible += leftLines[leftAt]!.length + 1;
    leftFrom = leftAt + 1;
    rightFrom = rightAt + 1;
  }
  // Compare the largest blocks first: most differing texts are told apart there.
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
  // Too different in length to be the same place in one book: what little they share is not worth the time.
  if (Math.min(leftText.length, rightText.length) < LEAST_LENGTH_SHARE * longest) return 0;
  // Letters changed all over, so that no sentence is the same: compared piece by piece, which finds only a little less.
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

// What the loop over a text uses is declared before it and not exported: either makes the loop ten times slower in Node 20.
/** Characters in a shingle: long enough that two novels share almost none by chance, in English and in Chinese. */
const SHINGLE_LENGTH = 8;
const BIN_GROUPS = 5;
const BINS = BIN_GROUPS * 64;

const EMPTY = 0xffffffff;

const MULTIPLIER = 0x01000193;
const LEAVING = Array.from({ length: SHINGLE_LENGTH }).reduce<number>((power) => Math.imul(power, MULTIPLIER), 1);

/** Bins of a signature: two per band. */
export const SIGNATURE_BINS = BINS;

/**
 * One-permutation MinHash (Li, Owen and Zhang 2012): each shingle is hashed once, falls into a bin by one half of its hash
 * and competes there for the minimum by the other. The share of equal bins estimates the Jaccard similarity of two texts'
 * shingle sets. One hash per shingle instead of 320, and one pass over the text without making a string.
 */
export function signatureOf(text: string, signature = new Uint32Array(BINS), offset = 0): Uint32Array {
  const bins = signature.subarray(offset, offset + BINS).fill(EMPTY);
  // Space and case are removed on the fly; the rolling hash sees the rest.
  const window = new Uint16Array(SHINGLE_LENGTH);
  let filled = 0;
  let hash = 0;
  for (let position = 0; position < text.length; position++) {
    let unit = text.charCodeAt(position);
    if (unit <= 32 || unit === 0xa0 || unit === 0x3000) continue;
    if (unit >= 65 && unit <= 90) unit += 32;
    const slot = filled % SHINGLE_LENGTH;
    // Removes the oldest character of the window and adds the new one.
    hash = (Math.imul(hash, MULTIPLIER) + unit - Math.imul(filled >= SHINGLE_LENGTH ? window[slot]! : 0, LEAVING)) | 0;
    window[slot] = unit;
    filled++;
    if (filled < SHINGLE_LENGTH) continue;
    const place = mix(hash, 0x85ebca6b);
    // The remainder by BINS, in numbers small enough for integers: of 32 bits, Node 20 takes it in floating point, six times as slowly.
    const bin = ((place >>> 6) % BIN_GROUPS) * 64 + (place & 63);
    const value = mix(hash, 0xc2b2ae35);
    if (value < bins[bin]!) bins[bin] = value;
  }
  densify(bins);
  return signature;
}

/** The finaliser of MurmurHash3, with the multiplier as a parameter so that one hash gives two. */
function mix(hash: number, multiplier: number): number {
  let mixed = hash ^ (hash >>> 16);
  mixed = Math.imul(mixed, multiplier);
  mixed ^= mixed >>> 13;
  mixed = Math.imul(mixed, 0x27d4eb2f);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A short text leaves bins empty: each borrows from the next filled one, at a distance that both texts share. */
function densify(bins: Uint32Array): void {
  if (!bins.some((value) => value !== EMPTY)) return;
  const original = bins.slice();
  for (let bin = 0; bin < bins.length; bin++) {
    if (original[bin] !== EMPTY) continue;
    let distance = 1;
    while (original[(bin + distance) % bins.length] === EMPTY) distance++;
    bins[bin] = (original[(bin + distance) % bins.length]! + Math.imul(distance, 0x9e3779b1)) >>> 0;
  }
}

/** The estimated Jaccard similarity of two texts from their rows in one table of signatures. */
export function estimateJaccard(signatures: Uint32Array, left: number, right: number): number {
  let equal = 0;
  const leftFrom = left * SIGNATURE_BINS;
  const rightFrom = right * SIGNATURE_BINS;
  for (let bin = 0; bin < SIGNATURE_BINS; bin++)
    if (signatures[leftFrom + bin] === signatures[rightFrom + bin]) equal++;
  return equal / SIGNATURE_BINS;
}

/** An earlier text that a text resembles. */
interface Resemblance {
  readonly earlier: number;
  /** By the signatures, 0–1. */
  readonly estimate: number;
}

/** A list is cut back once it has this many times the entries to keep: sorting now and then is cheaper than at every addition. */
const ROOM = 2;

/**
 * For every text the few earlier ones that it resembles most. Among many retellings of one story everything resembles everything:
 * comparing all of them would take time that grows with the square of their number.
 */
class ClosestEarlier {
  readonly #most: number;
  readonly #lists = new Map<number, Resemblance[]>();

  constructor(most: number) {
    this.#most = most;
  }

  has(text: number, earlier: number): boolean {
    return this.#lists.get(text)?.some((known) => known.earlier === earlier) ?? false;
  }

  add(text: number, resemblance: Resemblance): void {
    const list = this.#lists.get(text);
    if (!list) this.#lists.set(text, [resemblance]);
    else if (list.push(resemblance) > ROOM * this.#most) this.#cut(list);
  }

  /** Texts in order, each with the earlier ones it resembles most, the closest first. */
  *[Symbol.iterator](): Generator<readonly [number, readonly Resemblance[]]> {
    for (const text of [...this.#lists.keys()].sort((left, right) => left - right)) {
      const list = this.#lists.get(text)!;
      this.#cut(list);
      yield [text, list];
    }
  }

  #cut(list: Resemblance[]): void {
    list.sort((left, right) => right.estimate - left.estimate || left.earlier - right.earlier);
    list.length = Math.min(list.length, this.#most);
  }
}

/** Two bins to a band: even texts with every tenth letter changed, which share a quarter of their shingles, meet in one. */
const ROWS = 2;
/** Members of a bucket that each is compared with; in a larger one each still meets this many neighbours. */
const MOST_NEIGHBOURS = 64;

/**
 * Locality-sensitive hashing: pairs of texts that agree in all rows of some band. Works band by band over sorted keys, so
 * memory stays in proportion to the number of texts. A pair is visited once for every band it meets in.
 */
function forEachCandidatePair(
  signatures: Uint32Array,
  count: number,
  visit: (left: number, right: number) => void,
): void {
  const keys = new Float64Array(count);
  const order = new Uint32Array(count);
  for (let band = 0; band < SIGNATURE_BINS / ROWS; band++) {
    for (let text = 0; text < count; text++) {
      const from = text * SIGNATURE_BINS + band * ROWS;
      // 53 bits hold the better part of two 32-bit rows exactly.
      keys[text] = signatures[from]! * 0x200000 + (signatures[from + 1]! >>> 11);
      order[text] = text;
    }
    order.sort((left, right) => keys[left]! - keys[right]! || left - right);
    for (let start = 0; start < count; ) {
      let end = start + 1;
      while (end < count && keys[order[end]!] === keys[order[start]!]) end++;
      visitBucket(order, start, end, visit);
      start = end;
    }
  }
}

function visitBucket(
  order: Uint32Array,
  start: number,
  end: number,
  visit: (left: number, right: number) => void,
): void {
  for (let left = start; left < end - 1; left++) {
    const last = Math.min(end, left + 1 + MOST_NEIGHBOURS);
    for (let right = left + 1; right < last; right++) visit(order[left]!, order[right]!);
  }
}

export interface DuplicatePair {
  /** Positions in the corpus, the earlier first. */
  readonly left: number;
  readonly right: number;
  /** The share of matching text, 0–1. */
  readonly similarity: number;
}

export interface DuplicateOptions {
  /** Pairs at least this similar are reported. WebNovelBench's value is 0.9. */
  readonly threshold?: number;
  readonly onProgress?: ProgressListener;
}

/**
 * Below this estimate two texts cannot be near-duplicates: with every tenth letter changed they still share a quarter of
 * their shingles, and the estimate's error is a fortieth.
 */
const LEAST_ESTIMATE = 0.1;

/**
 * A text is compared letter by letter with at most this many earlier ones, those it resembles most. Of a larger family of
 * copies not every pair is reported, but each copy with its closest.
 */
const MOST_COMPARED = 8;

/**
 * Pairs of near-duplicates in a corpus. Comparing all pairs letter by letter would take days for ten thousand novels; signatures
 * and bands name the few pairs worth comparing, and only those are. The work grows with the number of texts, even if all of them
 * are alike: each is compared with the eight earlier ones that it resembles most.
 *
 * @example
 * ```ts
 * const pairs = findNearDuplicates(texts.length, (index) => texts[index] ?? "", { threshold: 0.9 });
 * for (const { left, right, similarity } of pairs) console.log(left, right, similarity);
 * ```
 */
export function findNearDuplicates(
  count: number,
  textAt: (index: number) => string,
  options: DuplicateOptions = {},
): DuplicatePair[] {
  const threshold = options.threshold ?? 0.9;
  const signatures = new Uint32Array(count * SIGNATURE_BINS);
  const lengths = new Uint32Array(count);
  for (let index = 0; index < count; index++) {
    const text = comparable(textAt(index));
    lengths[index] = text.length;
    signatureOf(text, signatures, index * SIGNATURE_BINS);
    if (index % 100 === 0) options.onProgress?.({ stage: "Comparing books", done: index, total: count });
  }
  const closest = new ClosestEarlier(MOST_COMPARED);
  forEachCandidatePair(signatures, count, (one, other) => {
    const [left, right] = one < other ? [one, other] : [other, one];
    if (largestRatio(lengths[left]!, lengths[right]!) < threshold || closest.has(right, left)) return;
    const estimate = estimateJaccard(signatures, left, right);
    if (estimate >= LEAST_ESTIMATE) closest.add(right, { earlier: left, estimate });
  });
  const pairs: DuplicatePair[] = [];
  for (const [right, resemblances] of closest) {
    const text = comparable(textAt(right));
    for (const { earlier: left } of resemblances) {
      const similarity = matchingRatio(comparable(textAt(left)), text, threshold);
      if (similarity >= threshold) pairs.push({ left, right, similarity });
    }
  }
  return pairs.sort((one, other) => one.left - other.left || one.right - other.right);
}

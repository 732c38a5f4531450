import { finished, HashTable, unfinished } from "../prose/hashing.ts";
import { MARK_HASHES, NAME, NUMBER } from "../prose/scan-prose.ts";
import { LETTERS, type ScannedProse } from "../prose/scanned-prose.ts";
import { characterKind, LOWER, lowerCaseOf, UPPER } from "../prose/word-shape.ts";
import type { SentenceHashes } from "./sentence-hashes.ts";

/**
 * The characters of a text as the jurors read them, sentence by sentence. Features are runs of two to four
 * characters. None crosses a sentence boundary, so each belongs to exactly one sentence.
 */
export interface CharacterCodes {
  readonly codes: Uint8Array;
  /** Sentence `s` holds the codes from `first[s]` up to `first[s + 1]`. */
  readonly first: Uint32Array;
}

/** Characters are coded in six bits, so that four of them fit into one number, which identifies the run. */
const BITS = 6;
const PAIR_MASK = (1 << (2 * BITS)) - 1;
const TRIPLE_MASK = (1 << (3 * BITS)) - 1;
const LONGEST_MASK = (1 << (4 * BITS)) - 1;
/** A run and its length in one number, which is hashed. */
const LENGTH_SHIFT = 28;
/** Pairs, triples and runs of four may end at each character. */
export const RUNS_PER_CHARACTER = 3;

const SPACE_CODE = 1;
const NAME_CODE = 2;
const NUMBER_CODE = 3;
const ACCENTED_CODE = 4;
const APOSTROPHE_CODE = 5;
const FIRST_MARK_CODE = 6;
const FIRST_LETTER_CODE = 32;
const markCodes = new HashTable([...MARK_HASHES.values()].map((hash, place) => [hash, FIRST_MARK_CODE + place]));

/**
 * Lower case, names and numbers as one character each, normalised punctuation, any white space as one space, and a
 * space before and after the sentence.
 */
export function codeCharacters(prose: ScannedProse, text: string): CharacterCodes {
  const { tokens, traits, tokenStarts, tokenEnds } = prose;
  const first = new Uint32Array(prose.sentenceCount + 1);
  // At most the text's own characters and, for each token and each sentence, a space.
  const codes = new Uint8Array(text.length + tokens.length + 2 * prose.sentenceCount);
  let length = 0;
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    const from = prose.firstToken[sentence]!;
    const to = prose.firstToken[sentence + 1]!;
    codes[length++] = SPACE_CODE;
    for (let token = from; token < to; token++) {
      const start = tokenStarts[token]!;
      if (token > from && start > tokenEnds[token - 1]!) codes[length++] = SPACE_CODE;
      const hash = tokens[token]!;
      if (hash === NAME) codes[length++] = NAME_CODE;
      else if (hash === NUMBER) codes[length++] = NUMBER_CODE;
      else if ((traits[token]! & LETTERS) === 0) codes[length++] = markCodes.get(hash) ?? ACCENTED_CODE;
      else {
        const end = tokenEnds[token]!;
        for (let at = start; at < end; at++) codes[length++] = letterCode(text.charCodeAt(at));
      }
    }
    codes[length++] = SPACE_CODE;
    first[sentence + 1] = length;
  }
  return { codes: codes.subarray(0, length), first };
}

function letterCode(code: number): number {
  const kind = characterKind(code);
  if (kind !== LOWER && kind !== UPPER) return APOSTROPHE_CODE;
  const letter = lowerCaseOf(code) - 97;
  return letter >= 0 && letter < 26 ? FIRST_LETTER_CODE + letter : ACCENTED_CODE;
}

/**
 * The hashes of all runs, in the order in which {@link RunIndex.look} finds them; a vocabulary is learnt from these.
 */
export function hashRuns({ codes, first }: CharacterCodes): SentenceHashes {
  const hashes = new Uint32Array(RUNS_PER_CHARACTER * codes.length);
  const firstHash = new Uint32Array(first.length);
  let total = 0;
  for (let sentence = 0; sentence + 1 < first.length; sentence++) {
    const start = first[sentence]!;
    let run = codes[start]!;
    for (let at = start + 1; at < first[sentence + 1]!; at++) {
      run = ((run << BITS) | codes[at]!) & LONGEST_MASK;
      hashes[total++] = finished((run & PAIR_MASK) | (2 << LENGTH_SHIFT));
      if (at >= start + 2) hashes[total++] = finished((run & TRIPLE_MASK) | (3 << LENGTH_SHIFT));
      if (at >= start + 3) hashes[total++] = finished(run | (4 << LENGTH_SHIFT));
    }
    firstHash[sentence + 1] = total;
  }
  return { hashes: hashes.subarray(0, total), first: firstHash };
}

/** Positions and rows are kept in 16 bits each. */
const MOST_RUNS = 0xffff;

/**
 * Maps runs of characters to their positions in a vocabulary without hashing: a run of three is an index in a table,
 * which also holds the row of the runs of four that begin with it.
 */
export class RunIndex {
  readonly size: number;
  /** By run: its position plus one, or 0. */
  private readonly pairs = new Uint16Array(PAIR_MASK + 1);
  /** By run: its position plus one in the lower half, and its row in `fours` in the upper half. */
  private readonly triples = new Uint32Array(TRIPLE_MASK + 1);
  /** By row and last character. The first row is empty, for triples that no known run begins with. */
  private readonly fours: Uint16Array;

  constructor(hashes: Uint32Array) {
    if (hashes.length > MOST_RUNS) throw new RangeError(`a judge can know at most ${MOST_RUNS} runs of characters`);
    this.size = hashes.length;
    const fours: { readonly run: number; readonly held: number }[] = [];
    let rows = 1;
    hashes.forEach((hash, position) => {
      const named = unfinished(hash);
      const run = named & LONGEST_MASK;
      const length = named >>> LENGTH_SHIFT;
      if (length === 2) this.pairs[run] = position + 1;
      else if (length === 3) this.triples[run] = this.triples[run]! | (position + 1);
      else {
        fours.push({ run, held: position + 1 });
        const triple = run >>> BITS;
        if (this.triples[triple]! >>> 16 === 0) this.triples[triple] = this.triples[triple]! | (rows++ << 16);
      }
    });
    this.fours = new Uint16Array(rows << BITS);
    for (const { run, held } of fours)
      this.fours[((this.triples[run >>> BITS]! >>> 16) << BITS) | (run & ((1 << BITS) - 1))] = held;
  }

  /**
   * Appends the positions of a sentence's runs, each plus `offset`, to the `total` that are written, and returns the
   * new total. There is no branch for unknown runs: they are written and then overwritten by the next, so `into`
   * needs room for one more. No character has the code 0, with which a sentence begins here, so runs that would begin
   * before it are unknown too.
   */
  look({ codes, first }: CharacterCodes, sentence: number, offset: number, into: Uint32Array, total: number): number {
    const { pairs, triples, fours } = this;
    const end = first[sentence + 1]!;
    let written = total;
    let run = 0;
    let rowBefore = 0;
    for (let at = first[sentence]!; at < end; at++) {
      const code = codes[at]!;
      run = ((run << BITS) | code) & TRIPLE_MASK;
      const pair = pairs[run & PAIR_MASK]!;
      const held = triples[run]!;
      const triple = held & MOST_RUNS;
      const four = fours[(rowBefore << BITS) | code]!;
      rowBefore = held >>> 16;
      into[written] = offset + pair - 1;
      written += (0 - pair) >>> 31;
      into[written] = offset + triple - 1;
      written += (0 - triple) >>> 31;
      into[written] = offset + four - 1;
      written += (0 - four) >>> 31;
    }
    return written;
  }
}

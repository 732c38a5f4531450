import { characterKind, LOWER, lowerCaseOf, UPPER } from "../prose/character-kinds.ts";
import { finished } from "../prose/hashing.ts";
import { ngramBuffer, sentenceNgrams } from "../prose/ngrams.ts";
import { MARK_HASHES, NAME, NUMBER } from "../prose/scan-prose.ts";
import { LETTERS, type ScannedProse } from "../prose/scanned-prose.ts";

/** The n-grams of a text, sentence by sentence, as hashes: read once, looked up by every juror in its own vocabulary. */
export interface SentenceHashes {
  /** Words and pairs of neighbours. */
  readonly words: HashRuns;
  /** Runs of two to four characters. */
  readonly characters: HashRuns;
}

/** Sentence `s` holds the hashes from `first[s]` up to `first[s + 1]`. */
export interface HashRuns {
  readonly hashes: Uint32Array;
  readonly first: Uint32Array;
}

/** Characters are told apart as far as six bits go: four of them fit into one number, which names the run. */
const BITS = 6;
const PAIR_MASK = (1 << (2 * BITS)) - 1;
const TRIPLE_MASK = (1 << (3 * BITS)) - 1;
const LONGEST_MASK = (1 << (4 * BITS)) - 1;
/** Pairs, triples and runs of four. */
const RUN_LENGTHS = 3;

const SPACE_CODE = 1;
const NAME_CODE = 2;
const NUMBER_CODE = 3;
const ACCENTED_CODE = 4;
const APOSTROPHE_CODE = 5;
const FIRST_MARK_CODE = 6;
const FIRST_LETTER_CODE = 32;
const markCodes = new Map([...MARK_HASHES.values()].map((hash, place) => [hash, FIRST_MARK_CODE + place]));

export function hashSentences(prose: ScannedProse, text: string): SentenceHashes {
  return { words: hashWords(prose), characters: hashCharacters(prose, text) };
}

function hashWords(prose: ScannedProse): HashRuns {
  const buffer = ngramBuffer(prose);
  const hashes = new Uint32Array(prose.tokens.length * 2 + prose.sentenceCount);
  const first = new Uint32Array(prose.sentenceCount + 1);
  let total = 0;
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    const count = sentenceNgrams(prose, sentence, buffer);
    hashes.set(buffer.subarray(0, count), total);
    total += count;
    first[sentence + 1] = total;
  }
  return { hashes: hashes.subarray(0, total), first };
}

/** Runs of characters, none of which crosses the border of a sentence, so that each belongs to exactly one. */
function hashCharacters(prose: ScannedProse, text: string): HashRuns {
  const first = new Uint32Array(prose.sentenceCount + 1);
  let hashes = new Uint32Array(Math.max(64, prose.tokens.length * 16));
  let codes = new Uint8Array(1024);
  let total = 0;
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    // A sentence holds at most its own characters, a space before and after, and one for each gap.
    const room = prose.ends[sentence]! - prose.starts[sentence]! + 3;
    if (room > codes.length) codes = new Uint8Array(2 * room);
    if (total + room * RUN_LENGTHS > hashes.length) hashes = enlarged(hashes, total + room * RUN_LENGTHS);
    const length = codeSentence(prose, sentence, text, codes);
    let run = codes[0]!;
    for (let at = 1; at < length; at++) {
      run = ((run << BITS) | codes[at]!) & LONGEST_MASK;
      hashes[total++] = finished((run & PAIR_MASK) | (2 << 28));
      if (at >= 2) hashes[total++] = finished((run & TRIPLE_MASK) | (3 << 28));
      if (at >= 3) hashes[total++] = finished(run | (4 << 28));
    }
    first[sentence + 1] = total;
  }
  return { hashes: hashes.subarray(0, total), first };
}

/**
 * The characters of a sentence as the scanner reads them: lower case, names and numbers as one character each, marks evened
 * out, any white space as one space. Returns how many there are.
 */
function codeSentence(prose: ScannedProse, sentence: number, text: string, codes: Uint8Array): number {
  const from = prose.firstToken[sentence]!;
  const to = prose.firstToken[sentence + 1]!;
  let length = 0;
  codes[length++] = SPACE_CODE;
  for (let token = from; token < to; token++) {
    const start = prose.tokenStarts[token]!;
    if (token > from && start > prose.tokenEnds[token - 1]!) codes[length++] = SPACE_CODE;
    const hash = prose.tokens[token]!;
    if (hash === NAME) codes[length++] = NAME_CODE;
    else if (hash === NUMBER) codes[length++] = NUMBER_CODE;
    else if ((prose.traits[token]! & LETTERS) === 0) codes[length++] = markCodes.get(hash) ?? ACCENTED_CODE;
    else {
      const end = prose.tokenEnds[token]!;
      for (let at = start; at < end; at++) codes[length++] = letterCode(text.charCodeAt(at));
    }
  }
  codes[length++] = SPACE_CODE;
  return length;
}

function letterCode(code: number): number {
  const kind = characterKind(code);
  if (kind !== LOWER && kind !== UPPER) return APOSTROPHE_CODE;
  const letter = lowerCaseOf(code) - 97;
  return letter >= 0 && letter < 26 ? FIRST_LETTER_CODE + letter : ACCENTED_CODE;
}

function enlarged(from: Uint32Array, needed: number): Uint32Array<ArrayBuffer> {
  const into = new Uint32Array(Math.max(needed, Math.ceil(from.length * 1.5)));
  into.set(from);
  return into;
}

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
const MASKS = [0, 0, (1 << (2 * BITS)) - 1, (1 << (3 * BITS)) - 1, (1 << (4 * BITS)) - 1] as const;
const SHORTEST_RUN = 2;
const LONGEST_RUN = 4;
const RUN_LENGTHS = LONGEST_RUN - SHORTEST_RUN + 1;

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

/**
 * Runs of characters as the scanner reads them: lower case, names and numbers as one character each, marks evened out,
 * any white space as one space. None crosses the border of a sentence, so each belongs to exactly one.
 */
function hashCharacters(prose: ScannedProse, text: string): HashRuns {
  const first = new Uint32Array(prose.sentenceCount + 1);
  let hashes = new Uint32Array(Math.max(64, prose.tokens.length * 16));
  let total = 0;
  let run = 0;
  let length = 0;
  const add = (code: number): void => {
    run = ((run << BITS) | code) & MASKS[LONGEST_RUN];
    length++;
    for (let size = SHORTEST_RUN; size <= LONGEST_RUN && size <= length; size++) {
      hashes[total++] = finished((run & MASKS[size]!) | (size << 28));
    }
  };
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    const from = prose.firstToken[sentence]!;
    const to = prose.firstToken[sentence + 1]!;
    // A sentence holds at most its own characters, a space before and after, and one for each gap.
    const room = (prose.ends[sentence]! - prose.starts[sentence]! + 3) * RUN_LENGTHS;
    if (total + room > hashes.length) hashes = enlarged(hashes, total + room);
    length = 0;
    add(SPACE_CODE);
    for (let token = from; token < to; token++) {
      if (token > from && prose.tokenStarts[token]! > prose.tokenEnds[token - 1]!) add(SPACE_CODE);
      const hash = prose.tokens[token]!;
      if (hash === NAME) add(NAME_CODE);
      else if (hash === NUMBER) add(NUMBER_CODE);
      else if ((prose.traits[token]! & LETTERS) === 0) add(markCodes.get(hash) ?? ACCENTED_CODE);
      else {
        for (let at = prose.tokenStarts[token]!; at < prose.tokenEnds[token]!; at++)
          add(letterCode(text.charCodeAt(at)));
      }
    }
    add(SPACE_CODE);
    first[sentence + 1] = total;
  }
  return { hashes: hashes.subarray(0, total), first };
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

import { hashOf, joined } from "../prose/hashing.ts";
import type { ScannedProse } from "../prose/scanned-prose.ts";

const OPENING = hashOf("<s>");
const CLOSING = hashOf("</s>");
const WORD = hashOf("word");
const PAIR = hashOf("pair");

/** At most this many n-grams begin at one token or boundary. */
const NGRAMS_PER_TOKEN = 2;

/**
 * The n-grams of one sentence: its tokens and the pairs of neighbours, with the sentence's two boundaries as tokens
 * of their own. None crosses a boundary, so each belongs to exactly one sentence. Writes their hashes into `into` and
 * returns how many there are.
 */
export function sentenceNgrams(prose: ScannedProse, sentence: number, into: Uint32Array): number {
  const from = prose.firstToken[sentence]!;
  const to = prose.firstToken[sentence + 1]!;
  let count = 0;
  let previous = OPENING;
  for (let position = from; position < to; position++) {
    const token = prose.tokens[position]!;
    into[count++] = joined(WORD, token);
    into[count++] = joined(PAIR, joined(previous, token));
    previous = token;
  }
  into[count++] = joined(PAIR, joined(previous, CLOSING));
  return count;
}

/** A buffer for the n-grams of the longest sentence. */
export function ngramBuffer(prose: ScannedProse): Uint32Array {
  let longest = 0;
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    longest = Math.max(longest, prose.firstToken[sentence + 1]! - prose.firstToken[sentence]!);
  }
  return new Uint32Array((longest + 1) * NGRAMS_PER_TOKEN);
}

/** The words and word pairs of a text as hashes; computed once, looked up by every juror in its own vocabulary. */
export interface SentenceHashes {
  readonly hashes: Uint32Array;
  /** Sentence `s` holds the hashes from `first[s]` up to `first[s + 1]`. */
  readonly first: Uint32Array;
}

export function hashSentences(prose: ScannedProse): SentenceHashes {
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

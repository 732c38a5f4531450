import { ngramBuffer, sentenceNgrams } from "../prose/ngrams.ts";
import type { ScannedProse } from "../prose/scanned-prose.ts";

/** The words and pairs of neighbours of a text as hashes: read once, looked up by every juror in its own vocabulary. */
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

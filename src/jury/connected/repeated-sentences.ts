import { lowerCaseOf } from "../../prose/character-kinds.ts";
import { EMPTY_HASH, extended, finished } from "../../prose/hashing.ts";
import type { PreparedText } from "../prepare-text.ts";

export interface RepeatedSentences {
  /** Sentences of five words or more: shorter ones come up again in any story… */
  readonly sentences: number;
  /** …and how many of them are different, whatever their spaces and capitals. */
  readonly distinct: number;
}

const FEWEST_WORDS = 5;
/** Between two words. */
const SPACE = 0x20;

export function countRepeatedSentences(chapters: readonly PreparedText[]): RepeatedSentences {
  const seen = new Set<number>();
  let sentences = 0;
  for (const { text, prose } of chapters) {
    for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
      if (prose.words[sentence]! < FEWEST_WORDS) continue;
      sentences++;
      let hash = EMPTY_HASH;
      for (let token = prose.firstToken[sentence]!; token < prose.firstToken[sentence + 1]!; token++) {
        const end = prose.tokenEnds[token]!;
        for (let at = prose.tokenStarts[token]!; at < end; at++)
          hash = extended(hash, lowerCaseOf(text.charCodeAt(at)));
        hash = extended(hash, SPACE);
      }
      seen.add(finished(hash));
    }
  }
  return { sentences, distinct: seen.size };
}

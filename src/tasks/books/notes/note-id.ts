import { sha256 } from "../../../core/hash.ts";

/** From this probability on a note is one that an editor would more likely than not act on. */
export const LIKELY = 0.5;

const LENGTH = 16;

/**
 * The name of a note: a hash of its sentence and how often the sentence occurred before. What a writer says of a note then
 * survives every change around the sentence and goes over to the next draft.
 */
export function noteIds(sentences: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return sentences.map((sentence) => {
    const hash = sha256(sentence.replace(/\s+/g, " ")).slice(0, LENGTH);
    const times = seen.get(hash) ?? 0;
    seen.set(hash, times + 1);
    return times === 0 ? hash : `${hash}-${times}`;
  });
}

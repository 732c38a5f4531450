import { lettersOf } from "./document-letters.ts";

/** A sentence of a book, with what stands around it: a short sentence may stand in many places. */
export interface WantedSentence {
  readonly before: string;
  readonly sentence: string;
  readonly after: string;
}

const CONTEXT = 60;

/** The sentence at a place of a chapter, with its surroundings. */
export function wantedSentence(chapterText: string, start: number, end: number): WantedSentence {
  return {
    before: lettersOf(chapterText.slice(Math.max(0, start - 3 * CONTEXT), start)).slice(-CONTEXT),
    sentence: lettersOf(chapterText.slice(start, end)),
    after: lettersOf(chapterText.slice(end, end + 3 * CONTEXT)).slice(0, CONTEXT),
  };
}

/**
 * Where each sentence's letters begin in a document's letters, or null. Sentences come in reading order, so each is looked
 * for behind the one before, with its surroundings first and without them only where those differ (a heading in between).
 * Without any surroundings it must be the only one left: a comment at another "He nodded." is worse than none.
 */
export function findSentences(letters: string, wanted: readonly WantedSentence[]): (number | null)[] {
  let from = 0;
  return wanted.map(({ before, sentence, after }) => {
    if (sentence === "") return null;
    for (const [left, right] of [
      [before, after],
      ["", after],
      [before, ""],
      ["", ""],
    ] as const) {
      const behind = Math.max(0, from - left.length);
      const found = letters.indexOf(left + sentence + right, behind);
      if (found === -1) continue;
      if (left === "" && right === "" && letters.includes(sentence, found + 1)) return null;
      from = found + left.length;
      return from;
    }
    return null;
  });
}

import { setImmediate } from "node:timers/promises";
import type { PassageMeasure } from "../../../judge/material.ts";
import { type GraderExamination, loadGrader } from "../../../jury/grader.ts";
import type { Book } from "../../../text/book.ts";

export interface Distinctiveness {
  readonly measure: PassageMeasure;
  readonly about: string;
}

const ABOUT = "how far they move the grader's overall score, up or down";

/**
 * Measures passages by what their sentences give to or take from the grader's overall score. A sentence's share is a part
 * of its chapter's score, so it is taken per word and times the chapter's words: what the chapter would get if all of it
 * read like this. Null when the grader reads none of the book, as with any language but English.
 */
export async function distinctivePassages(
  book: Pick<Book, "chapters">,
  signal: AbortSignal,
): Promise<Distinctiveness | null> {
  const judge = await loadGrader();
  const examined = new Map<number, GraderExamination>();
  for (const { index, text } of book.chapters) {
    // Yield between chapters, so that the work can be stopped.
    await setImmediate();
    signal.throwIfAborted();
    const examination = judge.examine(text);
    if (examination.overall.kind === "scored") examined.set(index, examination);
  }
  if (examined.size === 0) return null;
  return {
    about: ABOUT,
    measure({ chapter, start, end }) {
      const examination = examined.get(chapter);
      if (!examination) return null;
      const { sentences, shares } = examination;
      let share = 0;
      let words = 0;
      for (let at = firstFrom(sentences, start); at < sentences.length && sentences[at]!.end <= end; at++) {
        share += shares.overall![at]!;
        words += sentences[at]!.words;
      }
      return words === 0 ? null : (share / words) * examination.words;
    },
  };
}

/** Sentences stand in order: the first that starts here or later is found by halving. */
function firstFrom(sentences: GraderExamination["sentences"], start: number): number {
  let [low, high] = [0, sentences.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sentences[middle]!.start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

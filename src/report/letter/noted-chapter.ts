import { isNotable, type LineNote } from "../../jury/notes.ts";
import type { PreparedText } from "../../jury/prepare-text.ts";
import { splitSentences } from "../../text/sentences.ts";
import { countWords } from "../../text/words.ts";

/** A sentence as a reader sees it, with its note. */
export interface NotedText extends LineNote {
  readonly words: number;
}

/** A chapter's sentences with their notes, in order. */
export interface NotedChapter {
  readonly chapter: number;
  readonly text: string;
  readonly notes: readonly NotedText[];
}

/**
 * The notes on whole sentences. The editor ends a sentence at every full stop, "Mr." among them; a reader does not, so
 * notes on pieces of one sentence become one note, the likeliest of them. Headings and the like get none.
 */
export function notedChapter(chapter: number, { text }: PreparedText, notes: readonly LineNote[]): NotedChapter {
  let at = 0;
  const whole = splitSentences(text).flatMap(({ start, end }): NotedText[] => {
    let best: LineNote | null = null;
    while (at < notes.length && notes[at]!.start < end) {
      const note = notes[at++]!;
      if (note.end > start && (best === null || note.change > best.change)) best = note;
    }
    return best === null || !isNotable(text.slice(start, end))
      ? []
      : [{ start, end, change: best.change, why: best.why, words: countWords(text, start, end) }];
  });
  return { chapter, text, notes: whole };
}

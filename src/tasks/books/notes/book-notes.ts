import type { LineNotesPart } from "../../../judge/letter/line-notes-part.ts";
import type { Jury } from "../../../jury/jury.ts";
import { standingOfNotes } from "../../../jury/notes.ts";
import type { PreparedText } from "../../../jury/prepare-text.ts";
import { chooseNotes } from "../../../report/letter/choose-notes.ts";
import { type NotedChapter, notedChapter } from "../../../report/letter/noted-chapter.ts";

export interface PreparedChapter {
  readonly index: number;
  readonly prepared: PreparedText;
}

/** The line notes on a book, and all sentences they were chosen from. */
export interface BookNotes {
  readonly chosen: LineNotesPart;
  readonly chapters: readonly NotedChapter[];
}

/** Line notes, where the text is one that notes can be given on; null elsewhere. */
export function bookNotes(
  chapters: readonly PreparedChapter[],
  { notes, ground }: Jury,
  most: "few" | "all",
  /** The texts of the chapters, where a juror has judged them: what is known of that list is not measured again. */
  texts: readonly PreparedText[] = chapters.map(({ prepared }) => prepared),
): BookNotes | null {
  const { unscored, caveat } = standingOfNotes(ground, texts);
  if (unscored !== null) return null;
  const noted = chapters.map(({ index, prepared }) => notedChapter(index, prepared, notes.read(prepared)));
  return { chapters: noted, chosen: { ...chooseNotes(noted, most), isOutside: caveat !== null } };
}

import type { LineNotesPart, NotedSentence } from "../../../judge/letter/line-notes-part.ts";
import { loadJury } from "../../../jury/jury.ts";
import { standingOfNotes } from "../../../jury/notes.ts";
import type { Book } from "../../../text/book.ts";
import { bookNotes } from "./book-notes.ts";
import { noteIds } from "./note-id.ts";

/** A note with a name, so that a writer can say something of it. */
export interface IdentifiedNote extends Omit<NotedSentence, "quote"> {
  readonly id: string;
  readonly sentence: string;
}

export interface IdentifiedNotes extends Pick<LineNotesPart, "sentences"> {
  readonly unscored: string | null;
  readonly likely: number;
  readonly rates: LineNotesPart["rates"] | null;
  /** In the order of the book. */
  readonly notes: readonly IdentifiedNote[];
}

/** The sentences an editor would probably change: as few as reports show, or all of them. */
export async function identifiedNotes(book: Pick<Book, "chapters">, which: "few" | "all"): Promise<IdentifiedNotes> {
  const jury = await loadJury();
  const chapters = book.chapters.map(({ index, text }) => ({ index, prepared: jury.prepare(text) }));
  const noted = bookNotes(chapters, jury, which);
  if (noted === null) {
    const { unscored } = standingOfNotes(
      jury.ground,
      chapters.map(({ prepared }) => prepared),
    );
    return { unscored, sentences: 0, likely: 0, rates: null, notes: [] };
  }
  const { sentences, marked, shown, rates } = noted.chosen;
  const all = noted.chapters.flatMap(({ chapter, text, notes }) =>
    notes.map(({ start, end }) => ({ place: `${chapter}:${start}`, sentence: text.slice(start, end) })),
  );
  const ids = noteIds(all.map(({ sentence }) => sentence));
  const idOf = new Map(all.map(({ place }, position) => [place, ids[position]!]));
  const notes = shown
    .map(({ quote, ...note }) => ({ id: idOf.get(`${note.chapter}:${note.start}`)!, ...note, sentence: quote }))
    .sort((left, right) => left.chapter - right.chapter || left.start - right.start);
  return { unscored: null, sentences, likely: marked, rates, notes };
}

import { sha256 } from "../../../core/hash.ts";
import type { LineNotesPart, NotedSentence } from "../../../judge/letter/parts.ts";
import { type Jury, loadJury } from "../../../jury/jury.ts";
import { standingOfNotes } from "../../../jury/notes.ts";
import type { PreparedText } from "../../../jury/prepare-text.ts";
import { chooseNotes, type NotedChapter, notedChapter } from "../../../report/letter/choose-notes.ts";
import type { Book } from "../../../text/book.ts";

/** From this probability on a note is one that an editor would more likely than not act on. */
export const LIKELY = 0.5;

const LENGTH = 16;

/**
 * The name of a note: a hash of its sentence and how often the sentence occurred before. What a writer says of a note then
 * survives every change around the sentence and goes over to the next draft.
 */
function noteIds(sentences: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return sentences.map((sentence) => {
    const hash = sha256(sentence.replace(/\s+/g, " ")).slice(0, LENGTH);
    const times = seen.get(hash) ?? 0;
    seen.set(hash, times + 1);
    return times === 0 ? hash : `${hash}-${times}`;
  });
}

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
  { notes, domain }: Jury,
  most: "few" | "all",
  /** The texts of the chapters, where a juror has judged them: what is known of that list is not measured again. */
  texts: readonly PreparedText[] = chapters.map(({ prepared }) => prepared),
): BookNotes | null {
  const { unscored, caveat } = standingOfNotes(domain, texts);
  if (unscored !== null) return null;
  const noted = chapters.map(({ index, prepared }) => notedChapter(index, prepared, notes.read(prepared)));
  return { chapters: noted, chosen: { ...chooseNotes(noted, most), isOutside: caveat !== null } };
}

/** A note with a name, so that a writer can say something of it. */
interface IdentifiedNote extends Omit<NotedSentence, "quote"> {
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
      jury.domain,
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

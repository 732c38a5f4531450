import type { DraftChanges, FigureChange, NoteChanges } from "../../../judge/drafts/change-schema.ts";
import { loadJury } from "../../../jury/jury.ts";
import { type ComparedFigure, loadReferenceNovels } from "../../../prose/reference/reference-novels.ts";
import { notedChapter } from "../../../report/letter/choose-notes.ts";
import { LIKELY } from "../../../tasks/books/notes/identified-notes.ts";
import type { Book } from "../../../text/book.ts";
import { compareTexts, type DraftPlace, type TextChanges } from "../../../text/revisions.ts";
import { findingChanges, letterSource } from "../letter.ts";

/** What a comparison of two texts shows beside the scores: findings, the text itself, line notes and figures of the map. */
export async function draftDetails(
  before: Book,
  after: Book,
  reference = loadReferenceNovels(),
): Promise<Pick<DraftChanges, "findings" | "text" | "lineNotes" | "figures">> {
  const text = compareTexts(before.chapters, after.chapters);
  const [earlier, later] = [before, after].map((book) => letterSource(book, { reference }));
  return {
    findings: findingChanges(earlier!.counted, later!.counted),
    text,
    lineNotes: await noteChanges(before, after, text),
    figures: figureChanges(earlier!.figures, later!.figures),
  };
}

/** A report shows the first ones; the counts are of all. */
const MOST_CHANGES = 200;

export function shortened(changes: DraftChanges): DraftChanges {
  const { text } = changes;
  return text ? { ...changes, text: { ...text, changes: text.changes.slice(0, MOST_CHANGES) } } : changes;
}

/** A paragraph that did not change has the notes it had: only the others are read. The notes know English only. */
async function noteChanges(before: Book, after: Book, { changes }: TextChanges): Promise<NoteChanges | null> {
  if (![before, after].every(isEnglish)) return null;
  const jury = await loadJury();
  const count = (book: Book, places: readonly (DraftPlace | null)[]) => {
    const texts = new Map(book.chapters.map(({ index, text }) => [index, text]));
    const notes = places.flatMap((place) => {
      if (place === null) return [];
      const prepared = jury.prepare((texts.get(place.chapter) ?? "").slice(place.start, place.end));
      return notedChapter(place.chapter, prepared, jury.notes.read(prepared)).notes;
    });
    return { sentences: notes.length, likely: notes.filter(({ change }) => change >= LIKELY).length };
  };
  return {
    before: count(
      before,
      changes.map((change) => change.before),
    ),
    after: count(
      after,
      changes.map((change) => change.after),
    ),
  };
}

function figureChanges(before: readonly ComparedFigure[], after: readonly ComparedFigure[]): FigureChange[] {
  const earlier = new Map(before.map(({ id, value }) => [id, value]));
  return after.map(({ id, name, unit, value, reference }) => ({
    id,
    name,
    unit,
    before: earlier.get(id) ?? null,
    after: value,
    reference,
  }));
}

/** As the reference novels and the texts that the notes learnt from are. */
function isEnglish({ language }: Book): boolean {
  return language === "en" || language === null;
}

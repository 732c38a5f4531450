import type { DraftChanges, FigureChange, NoteChanges } from "../../../judge/drafts/change-schema.ts";
import { loadJury } from "../../../jury/jury.ts";
import { mapManuscript } from "../../../prose/map/manuscript-map.ts";
import { compareFigures, loadReferenceNovels } from "../../../prose/reference/reference-novels.ts";
import type { Book } from "../../../text/book.ts";
import { compareTexts } from "../../../text/revisions/compare-texts.ts";
import type { DraftPlace, TextChanges } from "../../../text/revisions/text-change.ts";
import { LIKELY } from "../notes/note-id.ts";

/** What a comparison of two texts shows beside the scores: the text itself, line notes and figures of the map. */
export async function draftDetails(
  before: Book,
  after: Book,
): Promise<Pick<DraftChanges, "text" | "lineNotes" | "figures">> {
  const text = compareTexts(before.chapters, after.chapters);
  return { text, lineNotes: await noteChanges(before, after, text), figures: figureChanges(before, after) };
}

/** A report shows the first ones; the counts are of all. */
const MOST_CHANGES = 200;

export function shortened(changes: DraftChanges): DraftChanges {
  const { text } = changes;
  return text ? { ...changes, text: { ...text, changes: text.changes.slice(0, MOST_CHANGES) } } : changes;
}

/** A paragraph that did not change has the notes it had: only the others are read. The notes know English only. */
async function noteChanges(before: Book, after: Book, { changes }: TextChanges): Promise<NoteChanges | null> {
  if (![before, after].every(({ language }) => language === "en" || language === null)) return null;
  const jury = await loadJury();
  const count = (book: Book, places: readonly (DraftPlace | null)[]) => {
    const texts = new Map(book.chapters.map(({ index, text }) => [index, text]));
    const notes = places.flatMap((place) =>
      place === null
        ? []
        : jury.notes.read(jury.prepare((texts.get(place.chapter) ?? "").slice(place.start, place.end))),
    );
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

function figureChanges(before: Book, after: Book): FigureChange[] {
  const reference = loadReferenceNovels();
  const figuresOf = ({ chapters, language }: Book) => compareFigures(mapManuscript(chapters, { language }), reference);
  const earlier = new Map(figuresOf(before).map(({ id, value }) => [id, value]));
  return figuresOf(after).map(({ id, name, unit, value, reference: novels }) => ({
    ...{ id, name, unit, before: earlier.get(id) ?? null, after: value, reference: novels },
  }));
}

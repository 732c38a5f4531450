import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { LineNotesPart } from "../../judge/letter/line-notes-part.ts";
import { type CharacterCorrections, NO_CORRECTIONS } from "../../prose/characters/corrections.ts";
import { mapManuscript } from "../../prose/map/manuscript-map.ts";
import { compareFigures, loadReferenceNovels } from "../../prose/reference/reference-novels.ts";
import { buildLetter } from "../../report/letter/build-letter.ts";
import { calmestPassage } from "../../report/letter/choose-notes.ts";
import type { LetterSource } from "../../report/letter/letter-source.ts";
import { mapPart } from "../../report/letter/map-part.ts";
import type { NotedChapter } from "../../report/letter/noted-chapter.ts";
import { quoterOf } from "../../report/letter/quote-passages.ts";
import type { Book } from "../../text/book.ts";

export interface LetterOptions {
  readonly corrections?: CharacterCorrections;
}

/** The line notes on a book, and all sentences they were chosen from. */
export interface BookNotes {
  readonly chosen: LineNotesPart;
  readonly chapters: readonly NotedChapter[];
}

/** The same evaluation with its edit letter, its map and its line notes. */
export function withLetter(
  evaluation: BookEvaluation,
  book: Book,
  notes: BookNotes | null,
  { corrections = NO_CORRECTIONS }: LetterOptions = {},
): BookEvaluation {
  const { language } = book;
  if (book.chapters.length === 0) return evaluation;
  const map = mapManuscript(book.chapters, { language, corrections });
  const reference = language === null || language === "en" ? loadReferenceNovels() : null;
  const calm = (notes?.chapters ?? []).flatMap((chapter) => calmestPassage(chapter) ?? []);
  const source: LetterSource = {
    map,
    reference,
    figures: compareFigures(map, reference),
    notes: notes?.chosen ?? null,
    isOutside: evaluation.jury?.jurors.find(({ id }) => id === "editor")?.ground !== "inside",
    calm: new Map(calm.map((passage) => [passage.chapter, passage])),
    quoter: quoterOf(book.chapters),
  };
  const read = { ...evaluation, map: mapPart(source), ...(notes && { lineNotes: notes.chosen }) };
  return { ...read, letter: buildLetter(source, read, language === "zh" ? "zh" : "en") };
}

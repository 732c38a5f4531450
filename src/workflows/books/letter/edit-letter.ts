import type { BookEvaluation } from "../../../judge/evaluation.ts";
import { mapManuscript } from "../../../prose/map/manuscript-map.ts";
import {
  compareFigures,
  loadReferenceNovels,
  type ReferenceNovels,
} from "../../../prose/reference/reference-novels.ts";
import { buildLetter, type LetterExtras } from "../../../report/letter/build-letter.ts";
import { calmestPassage } from "../../../report/letter/choose-notes.ts";
import type { LetterSource } from "../../../report/letter/letter-source.ts";
import { mapPart } from "../../../report/letter/map/map-part.ts";
import { quoterOf } from "../../../report/letter/quote-passages.ts";
import type { Book } from "../../../text/book.ts";
import { NO_CORRECTIONS } from "../../../text/corrections/character-corrections.ts";
import type { BookNotes } from "../notes/book-notes.ts";

export interface LetterOptions extends LetterExtras {
  /** Novels of the writer's own choice to compare with, instead of those that ship with Fabula. */
  readonly reference?: ReferenceNovels;
  /** Why the text is not connected prose. */
  readonly notConnected?: string | null;
}

/** The same evaluation with its edit letter, its map and its line notes. */
export function withLetter(
  evaluation: BookEvaluation,
  book: Book,
  notes: BookNotes | null,
  { reference: own, notConnected = null, ...extras }: LetterOptions = {},
): BookEvaluation {
  const { language } = book;
  if (book.chapters.length === 0) return evaluation;
  const map = mapManuscript(book.chapters, { language, corrections: book.characterCorrections ?? NO_CORRECTIONS });
  const reference = language === null || language === "en" ? (own ?? loadReferenceNovels()) : null;
  const calm = (notes?.chapters ?? []).flatMap((chapter) => calmestPassage(chapter) ?? []);
  const source: LetterSource = {
    map,
    reference,
    figures: compareFigures(map, reference),
    notes: notes?.chosen ?? null,
    isOutside: notes?.isOutside ?? false,
    notConnected: reference === null ? null : notConnected,
    calm: new Map(calm.map((passage) => [passage.chapter, passage])),
    quoter: quoterOf(book.chapters),
  };
  const read = { ...evaluation, map: mapPart(source), ...(notes && { lineNotes: notes.chosen }) };
  return { ...read, letter: buildLetter(source, read, language === "zh" ? "zh" : "en", extras) };
}

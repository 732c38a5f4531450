import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { Book } from "../../text/book.ts";
import { tenthsInWords } from "../letter/figure-words.ts";
import { fill, loadLetterTexts } from "../letter/letter-texts.ts";
import { letterView } from "../letter/letter-view.ts";
import { type AnnotatedDocx, annotateDocx, type SentenceNote } from "./annotate-docx.ts";
import { wantedSentence } from "./find-sentences.ts";
import { letterParagraphs, withLetterPages } from "./letter-docx.ts";
import { manuscriptDocx } from "./manuscript-docx.ts";

/**
 * The manuscript with its line notes as Word comments at their sentences. A writer's own Word file keeps everything else as
 * it is, and the letter is the first comment; any other input becomes a clean document that opens with the letter.
 */
export function notesDocx(evaluation: BookEvaluation, book: Book, own: Uint8Array | null): AnnotatedDocx {
  const letter = letterView(evaluation);
  const notes = sentenceNotes(evaluation, book);
  if (own) return annotateDocx(own, notes, letter ? letterParagraphs(letter) : []);
  const annotated = annotateDocx(manuscriptDocx(book), notes);
  return { ...annotated, bytes: letter ? withLetterPages(annotated.bytes, letter) : annotated.bytes };
}

/** In reading order, as `annotateDocx` wants them. */
function sentenceNotes({ lineNotes, letter }: BookEvaluation, book: Book): SentenceNote[] {
  const language = letter?.words.language ?? "en";
  const { headings, reasons, rate } = loadLetterTexts(language);
  const order = new Map(book.chapters.map(({ index, text }, at) => [index, { at, text }]));
  const { shown = [], rates = { shown: 0, any: 0 } } = lineNotes ?? {};
  const sorted = [...shown].sort(
    (left, right) => order.get(left.chapter)!.at - order.get(right.chapter)!.at || left.start - right.start,
  );
  const explained = fill(rate, {
    shown: tenthsInWords(rates.shown, language),
    any: tenthsInWords(rates.any, language),
  });
  return sorted.map(({ chapter, start, end, change, why }, at) => {
    const chance = fill(headings.chance!, { tenths: tenthsInWords(change, language) });
    const reason = why === null ? headings.noWhy! : (reasons[why] ?? why);
    return {
      wanted: wantedSentence(order.get(chapter)!.text, start, end),
      // The first comment says what the numbers mean; the others need not repeat it.
      paragraphs: [`${reason} (${chance})`, ...(at === 0 ? [explained] : [])],
    };
  });
}

import { groupBy } from "../../core/group-by.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { NotedSentence } from "../../judge/letter/line-notes-part.ts";
import type { QuotedPassage } from "../../judge/letter/quoted-passage.ts";
import { SHIPPED } from "../../prose/reference/reference-novels.ts";
import { chapterInWords } from "../chapter-in-words.ts";
import { tenthsInWords } from "./figure-words.ts";
import { fill, type LetterLanguage, loadLetterTexts } from "./letter-texts.ts";

/** A quotation with where it stands. The marks say that it was cut; between them it is the book's own text. */
export interface QuotationView {
  readonly before: string;
  readonly marked: string;
  readonly after: string;
  readonly where: string;
  readonly note: string | null;
}

export interface LetterView {
  readonly language: LetterLanguage;
  readonly headings: Readonly<Record<string, string>>;
  readonly opening: readonly string[];
  readonly items: readonly {
    readonly title: string;
    readonly finding: string;
    readonly advice: string;
    readonly passages: readonly QuotationView[];
    readonly better: QuotationView | null;
    /** What introduces the better passage. */
    readonly contrast: string;
    /** Names of the aspects whose verdicts it rests on. */
    readonly basis: readonly string[];
  }[];
  readonly works: readonly string[];
  readonly strongPassages: readonly QuotationView[];
  readonly verdicts: readonly string[];
  readonly notJudged: string;
  /** Who the figures are compared with, and that they are old. */
  readonly reference: string | null;
}

export interface NotesView {
  readonly heading: string;
  readonly intro: string;
  readonly groups: readonly { readonly why: string; readonly notes: readonly QuotationView[] }[];
  readonly leastHeading: string;
  readonly least: readonly QuotationView[];
}

export function letterView(evaluation: BookEvaluation): LetterView | null {
  const { letter } = evaluation;
  if (!letter) return null;
  const { words, items, works, reference } = letter;
  const { headings } = loadLetterTexts(words.language);
  const quotation = (passage: QuotedPassage) => quotationView(passage, evaluation, words.language);
  return {
    language: words.language,
    headings,
    opening: words.opening,
    items: words.items.map((worded, at) => {
      const { passages, better, basis = [] } = items[at]!;
      return {
        ...worded,
        passages: passages.map(quotation),
        better: better && quotation(better),
        contrast: worded.contrast ?? headings.better!,
        basis: [
          ...new Set(basis.map(({ aspect }) => evaluation.aspects.find(({ id }) => id === aspect)?.name ?? aspect)),
        ],
      };
    }),
    works: words.works,
    strongPassages: works.passages.map(quotation),
    verdicts: words.verdicts,
    notJudged: words.notJudged,
    reference:
      reference &&
      fill(reference.id === SHIPPED ? headings.reference! : headings.referenceOwn!, {
        description: reference.description,
      }),
  };
}

export function hasStrengths({ works, strongPassages }: LetterView): boolean {
  return works.length + strongPassages.length > 0;
}

/** Line notes by reason, the reason with the likeliest note first. */
export function notesView(evaluation: BookEvaluation): NotesView | null {
  const { lineNotes, letter } = evaluation;
  if (!lineNotes || lineNotes.shown.length === 0) return null;
  const language = letter?.words.language ?? "en";
  const texts = loadLetterTexts(language);
  const { headings } = texts;
  const noted = (note: NotedSentence) => ({
    ...quotationView({ ...note, mark: null }, evaluation, language),
    note: fill(headings.chance!, { tenths: tenthsInWords(note.change, language) }),
  });
  const { shown, any } = lineNotes.rates;
  const rate = fill(texts.rate, { shown: tenthsInWords(shown, language), any: tenthsInWords(any, language) });
  const marked = lineNotes.marked.toLocaleString("en-GB");
  const intro = lineNotes.shown.length < lineNotes.marked ? headings.notesIntro! : headings.notesAll!;
  return {
    heading: headings.notes!,
    intro: fill(intro, { shown: lineNotes.shown.length, marked, rate }),
    // What has no reason to give stands last, however likely.
    groups: [...groupBy(lineNotes.shown, ({ why }) => why)]
      .sort(([left], [right]) => Number(left === null) - Number(right === null))
      .map(([why, notes]) => ({
        why: why === null ? headings.noWhy! : (texts.reasons[why] ?? why),
        notes: notes.map(noted),
      })),
    leastHeading: headings.least!,
    least: lineNotes.strengths.map((passage) => quotationView({ ...passage, mark: null }, evaluation, language)),
  };
}

export function quotationView(
  { chapter, quote, mark }: QuotedPassage,
  { book }: BookEvaluation,
  language: LetterLanguage,
): QuotationView {
  const [from, to] = mark ?? [0, quote.length];
  const piece = (start: number, end?: number) => quote.slice(start, end).replace(/\s+/g, " ");
  const title = book.chapters.find(({ index }) => index === chapter)?.title;
  const isWhole = /[.!?…。．！？:;—–-]["”’'」』)\]]*$/u.test(quote.trimEnd());
  const isCutBefore = /^\p{Ll}/u.test(quote);
  return {
    before: `${isCutBefore ? "…" : ""}${mark ? piece(0, from) : ""}`,
    marked: piece(from, to),
    after: `${mark ? piece(to) : ""}${isWhole ? "" : "…"}`,
    where: chapterInWords(chapter, title, language),
    note: null,
  };
}

export function quoteText({ before, marked, after }: QuotationView): string {
  return `${before}${marked}${after}`;
}

/** In quotation marks, unless it brings its own: two kinds of the same mark cannot be told apart. */
export function inMarks(text: string): string {
  return /["“”]/.test(text) ? text : `“${text}”`;
}

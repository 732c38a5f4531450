import type { Finding } from "../../core/finding.ts";
import { sha256 } from "../../core/hash.ts";
import type { FoundChanges } from "../../judge/drafts/change-schema.ts";
import type { AspectResult, BookEvaluation, Evidence } from "../../judge/evaluation.ts";
import type { LineNotesPart, NotedSentence } from "../../judge/letter/parts.ts";
import { type Jury, loadJury } from "../../jury/jury.ts";
import { applicabilityOfNotes } from "../../jury/notes.ts";
import type { PreparedText } from "../../jury/prepare-text.ts";
import { compareFindings, letterFindings } from "../../letter/findings.ts";
import { type CountedBook, countBook } from "../../prose/count-book.ts";
import { compareFigures, loadReferenceNovels, type ReferenceNovels } from "../../prose/reference/reference-novels.ts";
import { buildLetter, type LetterExtras, type LetterSource } from "../../report/letter/build-letter.ts";
import { chooseNotes, type NotedChapter, notedChapter } from "../../report/letter/choose-notes.ts";
import { mapPart, ownFindings } from "../../report/letter/own-findings.ts";
import { quoterOf } from "../../report/letter/passages-behind.ts";
import { isIntended } from "../../story/author-says.ts";
import type { Book } from "../../text/book.ts";

interface SourceOptions {
  /** Novels of the writer's own choice to compare with, instead of those that ship with Fabula. */
  readonly reference?: ReferenceNovels;
  /** Why the text is not connected prose, if it is not. */
  readonly notConnected?: string | null;
  readonly notes?: LineNotesPart | null;
  /** The figures, if another thread has already computed them; computed here otherwise. */
  readonly counted?: CountedBook;
}

export type LetterOptions = LetterExtras & Pick<SourceOptions, "reference" | "notConnected" | "counted">;

/** The material for a letter: everything that is counted in a book, beside published novels. */
export function letterSource(
  book: Book,
  { reference: own, notConnected = null, notes = null, counted = countBook(book) }: SourceOptions = {},
): LetterSource {
  const { chapters, language } = book;
  const { map, findings } = counted;
  const reference = language === null || language === "en" ? (own ?? loadReferenceNovels()) : null;
  const quoter = quoterOf(chapters);
  return {
    map,
    counted: [...findings, ...ownFindings({ map, quoter, reference }, letterLanguage(language))].filter(
      (finding) => !isIntended(finding, book),
    ),
    reference,
    figures: compareFigures(map, reference),
    notes,
    notConnected: reference === null ? null : notConnected,
    quoter,
  };
}

/** The same evaluation with its edit letter, its map and its line notes. */
export function withLetter(
  evaluation: BookEvaluation,
  book: Book,
  notes: BookNotes | null,
  { reference, notConnected = null, counted, ...extras }: LetterOptions = {},
): BookEvaluation {
  if (book.chapters.length === 0) return evaluation;
  const source = letterSource(book, {
    ...(reference && { reference }),
    ...(counted && { counted }),
    notConnected,
    notes: notes?.chosen ?? null,
  });
  const read = { ...evaluation, map: mapPart(source), ...(notes && { lineNotes: notes.chosen }) };
  return { ...read, letter: buildLetter(source, read, letterLanguage(book.language), extras) };
}

function letterLanguage(language: string | null): "en" | "zh" {
  return language === "zh" ? "zh" : "en";
}

/**
 * What became of the findings in an earlier draft's letter. A finding that merely dropped out of the first three is
 * not fixed.
 */
export function findingChanges(before: readonly Finding[], after: readonly Finding[]): FoundChanges {
  const { fixed, still, new: added } = compareFindings(before, after);
  const [earlier, later] = [before, after].map((all) => new Set(letterFindings([], all)));
  return {
    fixed: fixed.filter((finding) => earlier!.has(finding)),
    still: still.filter((pair) => earlier!.has(pair.before) || later!.has(pair.after)).map((pair) => pair.after),
    new: added.filter((finding) => later!.has(finding)),
  };
}

/** In the data that line notes were trained on, the editor changed this share of the sentences. */
export const CHANGED_SENTENCES = 0.44;

const SHOWN = 6;

/** The sentences an editor is most and least likely to change, as weaknesses and strengths of the writing. */
export function notedPassages({
  shown,
  strengths,
}: LineNotesPart): Pick<AspectResult, "strengths" | "weaknesses" | "evidence"> {
  const least = strengths.slice(0, SHOWN);
  const most = oncePerChapter(shown).slice(0, SHOWN);
  return {
    evidence: [...least, ...most].map(evidenceOf),
    strengths: least.map((_, position) => ({ text: "", evidence: [position] })),
    weaknesses: most.map((_, position) => ({ text: "", evidence: [least.length + position] })),
  };
}

/** The likeliest note of each chapter first, then the others. */
function oncePerChapter(notes: readonly NotedSentence[]): NotedSentence[] {
  const isFirst = ({ chapter }: NotedSentence, at: number) =>
    notes.findIndex((note) => note.chapter === chapter) === at;
  return [...notes.filter(isFirst), ...notes.filter((note, at) => !isFirst(note, at))];
}

function evidenceOf({ chapter, quote, start, end, change, why }: NotedSentence): Evidence {
  return { chapter, quote, start, end, found: true, match: "exact", similarity: 1, change, why };
}

/** From this probability on, an editor would more likely than not change the sentence. */
export const LIKELY = 0.5;

const LENGTH = 16;

/**
 * A note's id: a hash of its sentence and of how often that sentence occurred before. A writer's decision on a note
 * therefore survives changes around the sentence and carries over to the next draft.
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

/** Line notes, if the text is one that notes can be given on. */
export function bookNotes(
  chapters: readonly PreparedChapter[],
  { notes, domain }: Jury,
  most: "few" | "all",
  /** The chapters' texts; passing the ones a juror has judged avoids measuring them again. */
  texts: readonly PreparedText[] = chapters.map(({ prepared }) => prepared),
): BookNotes | null {
  const { unscored, caveat } = applicabilityOfNotes(domain, texts);
  if (unscored !== null) return null;
  const noted = chapters.map(({ index, prepared }) => notedChapter(index, prepared, notes.read(prepared)));
  return { chapters: noted, chosen: { ...chooseNotes(noted, most), isOutside: caveat !== null } };
}

/** A note with an id, so that a writer's decision on it can be stored. */
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

/** The sentences an editor would probably change: either as many as reports show, or all of them. */
export async function identifiedNotes(book: Pick<Book, "chapters">, which: "few" | "all"): Promise<IdentifiedNotes> {
  const jury = await loadJury();
  const chapters = book.chapters.map(({ index, text }) => ({ index, prepared: jury.prepare(text) }));
  const noted = bookNotes(chapters, jury, which);
  if (noted === null) {
    const { unscored } = applicabilityOfNotes(
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

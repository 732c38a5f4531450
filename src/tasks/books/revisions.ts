import type { ChapterRecheck, ParagraphReading, Revision } from "../../api/drafts.ts";
import { FabulaError } from "../../core/errors.ts";
import type { Finding } from "../../core/finding.ts";
import { sha256 } from "../../core/hash.ts";
import { JUROR_IDS } from "../../jury/juror.ts";
import { loadJury } from "../../jury/jury.ts";
import { reasonNotToRead } from "../../jury/readable.ts";
import { compareFindings } from "../../letter/findings.ts";
import { checkBook } from "../../prose/checks/check-book.ts";
import type { ChapterMemory } from "../../prose/map/book-prose.ts";
import { type ManuscriptMap, mapManuscript } from "../../prose/map/manuscript-map.ts";
import { sum } from "../../stats/distribution.ts";
import { isIntended } from "../../story/author-says.ts";
import type { Book, Chapter } from "../../text/book.ts";
import { countWords } from "../../text/words.ts";

/** Jurors refuse texts under 150 words; a little more keeps a deletion from silencing them. */
const PASSAGE_WORDS = 220;

interface Place {
  readonly start: number;
  readonly end: number;
}

/** What notes, map and jurors say about a paragraph while it is being rewritten in its chapter. */
export async function readParagraph(
  chapter: string,
  { start, end }: Place,
  text: string,
  language: string | null,
): Promise<ParagraphReading> {
  const jury = await loadJury();
  const around = passageAround(chapter, { start, end });
  const passage = chapter.slice(around.start, start) + text + chapter.slice(end, around.end);
  const [prepared, wider] = [jury.prepare(text), jury.prepare(passage)];
  // A paragraph alone may be too short to recognise as prose, so its surroundings decide whether it can be read.
  const unscored = reasonNotToRead([wider], 1);
  const map = mapManuscript([{ index: 1, title: null, text }], { language });
  return {
    notes: unscored === null ? jury.notes.read(prepared) : [],
    unscored,
    figures: figuresOf(map),
    jurors: JUROR_IDS.map((id) => {
      const juror = jury.jurors[id];
      return { id, scale: { ...juror.scale }, verdict: juror.judge([wider]).overall };
    }),
    passageWords: wider.prose.wordCount,
  };
}

/** From this probability on, an editor would probably change a sentence. */
const LIKELY = 0.5;

/**
 * What is known about a book before the rewrite. It is cached because a check is requested at every pause in typing.
 */
interface KnownBook {
  readonly findings: readonly Finding[];
  readonly likelyNotes: Map<number, number | null>;
  readonly chapters: ChapterMemory;
}
const known = new WeakMap<Book, KnownBook>();

const counted = (book: Book, chapters: ChapterMemory) =>
  checkBook(book, chapters).findings.filter((finding) => !isIntended(finding, book));

function knownBook(book: Book): KnownBook {
  const chapters: ChapterMemory = new WeakMap();
  return { findings: counted(book, chapters), likelyNotes: new Map(), chapters };
}

/** Checks a chapter with all rewrites: what is fixed, still there and new, as if the whole book were read. */
export async function recheckChapter(
  book: Book,
  revisions: readonly Revision[],
  chapter: number,
): Promise<ChapterRecheck> {
  const now = { ...book, chapters: book.chapters.map((each) => revised(each, revisions)) };
  const [old, own] = [book, now].map(({ chapters }) => chapters.find(({ index }) => index === chapter));
  if (!old || !own) throw new FabulaError("E_NOT_FOUND", "This book has no such chapter: open it again.");
  const before = known.get(book) ?? knownBook(book);
  known.set(book, before);
  const { fixed, still, new: added } = compareFindings(before.findings, counted(now, before.chapters));
  const touches = ({ passages }: Finding) => passages.some((passage) => passage.chapter === chapter);
  if (!before.likelyNotes.has(chapter)) before.likelyNotes.set(chapter, await likelyNotes(old.text));
  const [notesBefore, notesNow] = [before.likelyNotes.get(chapter) ?? null, await likelyNotes(own.text)];
  return {
    chapter,
    words: { before: old.words, now: own.words },
    likelyNotes: notesBefore === null || notesNow === null ? null : { before: notesBefore, now: notesNow },
    fixed: fixed.filter(touches),
    still: still.map(({ after }) => after).filter(touches),
    new: added.filter(touches),
  };
}

async function likelyNotes(text: string): Promise<number | null> {
  const jury = await loadJury();
  const prepared = jury.prepare(text);
  if (reasonNotToRead([prepared], 1) !== null) return null;
  return jury.notes.read(prepared).filter(({ change }) => change >= LIKELY).length;
}

/** Adds whole neighbouring paragraphs, alternately before and after, until the passage is long enough. */
function passageAround(chapter: string, { start, end }: Place): Place {
  let [from, to] = [start, end];
  const isShort = () => countWords(chapter, from, to) < PASSAGE_WORDS;
  while (isShort() && (from > 0 || to < chapter.length)) {
    from = from === 0 ? 0 : startOfParagraph(chapter, from);
    if (isShort() && to < chapter.length) to = endOfParagraph(chapter, to);
  }
  return { start: from, end: to };
}

function startOfParagraph(text: string, before: number): number {
  const trimmed = text.slice(0, before).trimEnd().length;
  const gap = text.lastIndexOf("\n\n", trimmed - 1);
  return gap < 0 ? 0 : gap + 2;
}

function endOfParagraph(text: string, after: number): number {
  const from = after + (/^\s*/.exec(text.slice(after))?.[0].length ?? 0);
  const gap = text.indexOf("\n\n", from);
  return gap < 0 ? text.length : gap;
}

function figuresOf({ shape, dialogue, pace, habits, modelPhrases }: ManuscriptMap): ParagraphReading["figures"] {
  return [
    { id: "words", value: shape.words },
    { id: "sentence-words", value: pace?.sentenceWords ?? null },
    { id: "dialogue-share", value: dialogue.share },
    { id: "reading-ease", value: pace?.readingEase ?? null },
    { id: "filter-words", value: habits?.filterWords.count ?? null },
    { id: "weak-openings", value: habits?.weakOpenings.count ?? null },
    { id: "cliches", value: habits?.cliches.count ?? null },
    { id: "model-phrases", value: modelPhrases?.count ?? null },
    { id: "echoes", value: habits?.echoes.count ?? null },
    { id: "stacked-similes", value: habits?.stackedSimiles.count ?? null },
  ];
}

export interface RevisedBook {
  readonly book: Book;
  /** The draft as a file that `fabula` can read: JSON with chapters and paragraphs. */
  readonly bytes: Uint8Array;
}

/** A book with some paragraphs rewritten, which is the next draft. */
export function reviseBook(book: Book, revisions: readonly Revision[], file: string): RevisedBook {
  const chapters = book.chapters.map((chapter) => revised(chapter, revisions));
  if (chapters.every(({ text }, at) => text === book.chapters[at]!.text)) {
    throw new FabulaError("E_NO_CHANGE", "Nothing differs from this draft: change a paragraph, then save.");
  }
  const bytes = new TextEncoder().encode(JSON.stringify(asDocument(book, chapters)));
  const source = { file, format: "json", encoding: "utf-8", bytes: bytes.length, sha256: sha256(bytes) };
  return { book: { ...book, chapters, words: sum(chapters.map(({ words }) => words)), source, removed: [] }, bytes };
}

function revised(chapter: Chapter, revisions: readonly Revision[]): Chapter {
  const own = revisions
    .filter((revision) => revision.chapter === chapter.index)
    .sort((left, right) => left.start - right.start);
  if (own.length === 0) return chapter;
  let text = "";
  let at = 0;
  for (const { start, end, text: now } of own) {
    if (start < at || end < start || end > chapter.text.length) {
      throw new FabulaError("E_REVISION", "The revisions do not fit this draft: open it again and repeat them.");
    }
    text += chapter.text.slice(at, start) + within(chapter.text.slice(start, end), paragraphs(now));
    at = end;
  }
  text = (text + chapter.text.slice(at)).replace(/\n{3,}/g, "\n\n").trim();
  return { ...chapter, text, words: countWords(text) };
}

/** White space around a paragraph belongs to the chapter, not to the paragraph. */
function within(before: string, now: string): string {
  return (/^\s*/.exec(before)?.[0] ?? "") + now + (/\S(\s*)$/.exec(before)?.[1] ?? "");
}

/** In every stored text, one blank line separates paragraphs. */
function paragraphs(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    .replace(/\n[ \t]*\n\s*/g, "\n\n")
    .trim();
}

function asDocument({ title, author, genres, premise, language }: Book, chapters: readonly Chapter[]) {
  return {
    title,
    author,
    genres,
    premise,
    language,
    chaps: chapters.map((chapter) => ({ title: chapter.title, content: chapter.text.split("\n\n") })),
  };
}

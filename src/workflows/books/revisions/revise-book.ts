import type { Revision } from "../../../api/drafts.ts";
import { FabulaError } from "../../../core/errors.ts";
import { sha256 } from "../../../core/hash.ts";
import { sum } from "../../../stats/distribution/sum.ts";
import type { Book, Chapter } from "../../../text/book.ts";
import { countWords } from "../../../text/words.ts";

export interface RevisedBook {
  readonly book: Book;
  /** The draft as a file that `fabula` reads: JSON with chapters and paragraphs. */
  readonly bytes: Uint8Array;
}

/** A book with some of its paragraphs rewritten: the next draft. */
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

/** One blank line parts paragraphs in every stored text. */
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

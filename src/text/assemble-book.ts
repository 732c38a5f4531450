import { basename, extname } from "node:path";
import { FabulaError } from "../core/errors.ts";
import type { Book, BookSource, Chapter } from "./book.ts";
import { repeatedChapters } from "./chapters/repeated.ts";
import { splitIntoChapters } from "./chapters/split.ts";
import { cleanBlocks } from "./clean/block-pass.ts";
import { detectLanguage } from "./language.ts";
import type { Manuscript, Metadata } from "./manuscript.ts";
import { countWords } from "./words.ts";

/** From what a format read to a book: clean, find the chapters, count, tell the language. */
export function assembleBook(
  manuscript: Manuscript,
  source: Omit<BookSource, "encoding" | "pages">,
  overrides: Metadata = {},
): Book {
  const { blocks, isLinePassed } = manuscript;
  const cleaned = isLinePassed ? { blocks, removed: [] } : cleanBlocks(blocks);
  const split = splitIntoChapters(cleaned.blocks, manuscript.metadata.title ?? null);
  const chapters: Chapter[] = [];
  for (const { title, part, text } of split.chapters) {
    const words = countWords(text);
    if (words > 0) chapters.push({ index: chapters.length + 1, title, text, words, ...(part !== null && { part }) });
  }
  const words = chapters.reduce((sum, chapter) => sum + chapter.words, 0);
  if (words === 0) {
    throw new FabulaError("E_NO_TEXT", `${source.file} holds no readable text: check that it is the book you meant.`);
  }
  const metadata = { ...manuscript.metadata, ...overrides };
  return {
    title: metadata.title ?? basename(source.file, extname(source.file)),
    author: metadata.author ?? null,
    language: overrides.language ?? detectLanguage(longest(chapters)) ?? manuscript.metadata.language ?? null,
    genres: metadata.genres ?? [],
    premise: metadata.premise ?? null,
    chapters,
    words,
    removed: [...manuscript.removed, ...cleaned.removed, ...split.removed],
    warnings: [...manuscript.warnings, ...split.warnings, ...repeatedChapters(chapters)],
    source: { ...source, encoding: manuscript.encoding, ...(manuscript.pages && { pages: manuscript.pages }) },
  };
}

/** The longest chapter speaks the book's language; a preface or a letter may not. */
function longest(chapters: readonly Chapter[]): string {
  return chapters.reduce((best, { text }) => (text.length > best.length ? text : best), "");
}

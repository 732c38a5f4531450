import { basename, extname } from "node:path";
import { FabulaError } from "../core/errors.ts";
import { sumBy } from "../stats/distribution/sum-by.ts";
import type { Book, BookSource, Chapter, PartPage } from "./book.ts";
import type { Split } from "./chapters/raw-chapter.ts";
import { splitIntoChapters } from "./chapters/split.ts";
import { cleanBlocks } from "./clean/block-pass.ts";
import { withOpeningTitle } from "./clean/opening-title.ts";
import { detectLanguage } from "./language.ts";
import type { Manuscript, Metadata } from "./manuscript.ts";
import { sanityWarnings } from "./sanity-check.ts";
import { countWords } from "./words.ts";

/** From what a format read to a book: clean, find the chapters, count, tell the language. */
export function assembleBook(
  manuscript: Manuscript,
  source: Omit<BookSource, "encoding" | "pages">,
  overrides: Metadata = {},
): Book {
  const { blocks, isLinePassed } = manuscript;
  const cleaned = isLinePassed ? { blocks, removed: [] } : cleanBlocks(blocks);
  const isNamed = manuscript.metadata.title !== undefined;
  const opening = isNamed ? { blocks: cleaned.blocks, metadata: {}, removed: [] } : withOpeningTitle(cleaned.blocks);
  const known: Metadata = { ...opening.metadata, ...manuscript.metadata };
  const split = splitIntoChapters(opening.blocks, known.title ?? null);
  const { chapters, parts } = numbered(split);
  const words = sumBy(chapters, (chapter) => chapter.words);
  if (words === 0) {
    throw new FabulaError("E_NO_TEXT", `${source.file} holds no readable text: check that it is the book you meant.`);
  }
  const metadata = { ...known, ...overrides };
  const removed = [...manuscript.removed, ...cleaned.removed, ...opening.removed, ...split.removed];
  const { finding } = split;
  const doubts = sanityWarnings({ chapters, removed, words, finding, source: { pages: manuscript.pages ?? {} } });
  return {
    title: metadata.title ?? basename(source.file, extname(source.file)),
    author: metadata.author ?? null,
    language: overrides.language ?? detectLanguage(longest(chapters)) ?? manuscript.metadata.language ?? null,
    genres: metadata.genres ?? [],
    premise: metadata.premise ?? null,
    chapters,
    ...(parts.length > 0 && { parts }),
    words,
    removed,
    warnings: [...manuscript.warnings, ...doubts],
    ...(Object.keys(finding).length > 0 && { finding }),
    source: { ...source, encoding: manuscript.encoding, ...(manuscript.pages && { pages: manuscript.pages }) },
  };
}

/** One count for chapters and the listed title pages of parts, in reading order; what holds no word is no chapter. */
function numbered(split: Split): { chapters: Chapter[]; parts: PartPage[] } {
  const chapters: Chapter[] = [];
  const parts: PartPage[] = [];
  const nextIndex = () => chapters.length + parts.length + 1;
  const waiting = [...(split.parts ?? [])];
  const placeParts = (chaptersBefore: number) => {
    for (let next = waiting[0]; next && next.chaptersBefore <= chaptersBefore; next = waiting[0]) {
      parts.push({ index: nextIndex(), title: next.title, ...(next.part !== null && { part: next.part }) });
      waiting.shift();
    }
  };
  for (const [position, { title, part, text, includes }] of split.chapters.entries()) {
    placeParts(position);
    const words = countWords(text);
    if (words === 0) continue;
    chapters.push({
      index: nextIndex(),
      ...{ title, text, words },
      ...(part !== null && { part }),
      ...(includes && { includes }),
    });
  }
  placeParts(split.chapters.length);
  return { chapters, parts };
}

/** The longest chapter speaks the book's language; a preface or a letter may not. */
function longest(chapters: readonly Chapter[]): string {
  return chapters.reduce((best, { text }) => (text.length > best.length ? text : best), "");
}

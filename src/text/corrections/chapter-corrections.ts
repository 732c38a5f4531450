import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { sumBy } from "../../stats/distribution/sum-by.ts";
import type { Book, Chapter, PartPage } from "../book.ts";
import { sanityWarnings } from "../sanity-check.ts";
import { countWords } from "../words.ts";

const place = z.int().positive();

/**
 * What a person says about the chapters that were found, in the order in which it is done. A chapter is named by its `index`
 * as it was before any correction, so that one line does not change what the next one means.
 */
export const chapterCorrectionSchema = z.union([
  /** The chapter is joined to the one before it. */
  z.strictObject({ merge: place }),
  /** A new chapter begins at the first line that begins with `at`. */
  z.strictObject({ split: place, at: z.string().min(1), title: z.string().min(1).optional() }),
  z.strictObject({ rename: place, title: z.string().min(1) }),
  /** The chapter is no part of the story. */
  z.strictObject({ "front-matter": place }),
]);

export const chapterCorrectionsSchema = z.array(chapterCorrectionSchema);

export type ChapterCorrections = z.infer<typeof chapterCorrectionsSchema>;

interface Piece {
  /** The index it had when it was found; both halves of a split keep it. */
  readonly origin: number;
  readonly chapter: Chapter;
}

/**
 * The book with its chapters as corrected, numbered again. Throws where a correction names what is not there.
 *
 * @example
 * ```ts
 * const book = await readBook("novel.epub");
 * const corrected = correctChapters(book, [{ "front-matter": 1 }, { rename: 2, title: "The Lighthouse" }, { merge: 5 }]);
 * ```
 */
export function correctChapters(book: Book, corrections: ChapterCorrections): Book {
  if (corrections.length === 0) return book;
  let pieces: readonly Piece[] = book.chapters.map((chapter) => ({ origin: chapter.index, chapter }));
  const removed = [...book.removed];
  for (const correction of corrections) {
    if ("merge" in correction) pieces = merged(pieces, correction.merge);
    else if ("split" in correction) pieces = divided(pieces, correction);
    else if ("rename" in correction) {
      const { rename, title } = correction;
      placeOf(pieces, rename);
      pieces = pieces.map((piece) =>
        piece.origin === rename ? { ...piece, chapter: { ...piece.chapter, title } } : piece,
      );
    } else {
      const index = correction["front-matter"];
      placeOf(pieces, index);
      for (const { origin, chapter } of pieces) {
        if (origin !== index) continue;
        removed.push({ rule: "front matter, by hand", where: chapter.title ?? `chapter ${index}`, text: chapter.text });
      }
      pieces = pieces.filter(({ origin }) => origin !== index);
    }
  }
  if (pieces.length === 0)
    throw new FabulaError("E_CORRECTION", "The corrections leave no chapter: keep at least one.");
  const { chapters, parts } = numbered(pieces, book.parts ?? []);
  const words = sumBy(chapters, (chapter) => chapter.words);
  const dissolved = corrections.flatMap((correction) => {
    const index =
      "merge" in correction ? correction.merge : "front-matter" in correction ? correction["front-matter"] : null;
    return book.chapters.filter((chapter) => chapter.index === index).map(({ title }) => title);
  });
  // The chapters are no longer those that were recognised.
  const { recognised: _recognised, considered: _considered, ...finding } = book.finding ?? {};
  const corrected = { ...book, chapters, ...(book.parts && { parts }), removed, words, finding };
  return { ...corrected, warnings: [...warningsOfTheFile(book), ...sanityWarnings({ ...corrected, dissolved })] };
}

/** Leaves out the warnings about the chapters as they were found: the corrected ones are checked again. */
function warningsOfTheFile(book: Book): readonly string[] {
  const gone = new Set(sanityWarnings(book));
  return book.warnings.filter((warning) => !gone.has(warning));
}

/** One count for chapters and title pages of parts, which keep their places among the chapters. */
function numbered(pieces: readonly Piece[], pages: readonly PartPage[]): { chapters: Chapter[]; parts: PartPage[] } {
  const chapters: Chapter[] = [];
  const parts: PartPage[] = [];
  const nextIndex = () => chapters.length + parts.length + 1;
  const placePages = (before: number) => {
    for (let page = pages[parts.length]; page && page.index < before; page = pages[parts.length]) {
      parts.push({ ...page, index: nextIndex() });
    }
  };
  for (const { origin, chapter } of pieces) {
    placePages(origin);
    chapters.push({ ...chapter, index: nextIndex() });
  }
  placePages(Number.POSITIVE_INFINITY);
  return { chapters, parts };
}

function placeOf(pieces: readonly Piece[], index: number): number {
  const at = pieces.findIndex(({ origin }) => origin === index);
  if (at < 0) {
    throw new FabulaError(
      "E_CORRECTION",
      `There is no chapter ${index} to correct: corrections use the numbers that \`fabula read\` shows without any.`,
    );
  }
  return at;
}

function merged(pieces: readonly Piece[], index: number): readonly Piece[] {
  const at = placeOf(pieces, index);
  const before = pieces[at - 1];
  if (!before) throw new FabulaError("E_CORRECTION", `Chapter ${index} is the first: there is none before it to join.`);
  const { chapter } = pieces[at]!;
  const text = [before.chapter.text, chapter.title, chapter.text].filter(Boolean).join("\n\n");
  const includes = [...(before.chapter.includes ?? []), ...(chapter.includes ?? [])];
  const whole = { ...before.chapter, text, words: countWords(text), ...(includes.length > 0 && { includes }) };
  const joined = { ...before, chapter: whole };
  return [...pieces.slice(0, at - 1), joined, ...pieces.slice(at + 1)];
}

function divided(
  pieces: readonly Piece[],
  { split, at, title }: { readonly split: number; readonly at: string; readonly title?: string | undefined },
): readonly Piece[] {
  placeOf(pieces, split);
  // After an earlier split of the same chapter the line may stand in any of its pieces.
  const position = pieces.findIndex(({ origin, chapter }) => origin === split && lineStart(chapter.text, at) > 0);
  const piece = pieces[position];
  if (!piece) {
    throw new FabulaError(
      "E_CORRECTION",
      `Chapter ${split} has no line that begins with “${at}” after its first: copy the line's first words.`,
    );
  }
  const { chapter } = piece;
  const start = lineStart(chapter.text, at);
  const [head, tail] = [chapter.text.slice(0, start).trimEnd(), chapter.text.slice(start)];
  const { includes: _includes, ...rest } = chapter;
  const first = { ...piece, chapter: { ...chapter, text: head, words: countWords(head) } };
  const second = { ...piece, chapter: { ...rest, title: title ?? null, text: tail, words: countWords(tail) } };
  return [...pieces.slice(0, position), first, second, ...pieces.slice(position + 1)];
}

function lineStart(text: string, beginning: string): number {
  return text.startsWith(beginning) ? 0 : text.indexOf(`\n${beginning}`) + 1;
}

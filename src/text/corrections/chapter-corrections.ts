import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { sumBy } from "../../stats/distribution.ts";
import type { Book, Chapter, PartPage } from "../book.ts";
import { sanityWarnings } from "../sanity-check.ts";
import { countWords } from "../words.ts";

const place = z.int().positive();
/** The chapter's title or first words, by which it is found if the next draft has moved it. */
const of = z.string().min(1).optional();

/**
 * A person's corrections to the chapters that were found, applied in this order. A chapter is named by its `index` before any
 * correction, so that one line does not change what the next one means.
 */
export const chapterCorrectionSchema = z.union([
  /** The chapters are those of another strategy that `fabula read --why` shows, such as "the file's navigation". */
  z.strictObject({ strategy: z.string().min(1) }),
  /** The chapter is joined to the one before it. */
  z.strictObject({ merge: place, of }),
  /** A new chapter begins at the first line that begins with `at`. */
  z.strictObject({ split: place, at: z.string().min(1), title: z.string().min(1).optional(), of }),
  z.strictObject({ rename: place, title: z.string().min(1), of }),
  /** The chapter is not part of the story. */
  z.strictObject({ "front-matter": place, of }),
]);

export const chapterCorrectionsSchema = z.array(chapterCorrectionSchema);

export type ChapterCorrections = z.infer<typeof chapterCorrectionsSchema>;
type ChapterCorrection = Exclude<ChapterCorrections[number], { strategy: string }>;

function indexIn(correction: ChapterCorrection): number {
  if ("merge" in correction) return correction.merge;
  if ("split" in correction) return correction.split;
  return "rename" in correction ? correction.rename : correction["front-matter"];
}

function withIndex(correction: ChapterCorrection, index: number): ChapterCorrection {
  if ("merge" in correction) return { ...correction, merge: index };
  if ("split" in correction) return { ...correction, split: index };
  return "rename" in correction ? { ...correction, rename: index } : { ...correction, "front-matter": index };
}

/** If a correction states the chapter's title or first words, they count more than the number. */
function found(correction: ChapterCorrection, chapters: readonly Chapter[]): ChapterCorrection {
  const { of: name } = correction;
  if (name === undefined) return correction;
  const isMeant = ({ title, text }: Chapter) => title === name || text.startsWith(name);
  const index = indexIn(correction);
  const numbered = chapters.find((chapter) => chapter.index === index);
  if (numbered && isMeant(numbered)) return correction;
  const meant = chapters.filter(isMeant);
  if (meant.length === 1) return withIndex(correction, meant[0]!.index);
  const why =
    meant.length > 1
      ? `${meant.length} chapters are called “${name}” or begin`
      : `No chapter is called “${name}” or begins`;
  throw new FabulaError("E_CORRECTION", `${why} with it: correct the chapters of this draft again.`);
}

/** Shorter paragraphs may be the same by chance. */
const SHORTEST_PARAGRAPH = 40;
/** The share of the shorter chapter that must also be in the other. */
const LEAST_SHARED = 0.3;

/**
 * Finds a chapter of one draft, by its number, in the next draft, whose chapters may have moved: the chapter with the most
 * similar text, or the only one with the same title if its text is not that of another chapter.
 */
export function chapterFinder(
  before: readonly Chapter[],
  after: readonly Chapter[],
): (index: number) => Chapter | null {
  const [old, now] = [before.map(withParagraphs), after.map(withParagraphs)];
  return (index) => {
    const wanted = old.find(({ chapter }) => chapter.index === index);
    if (!wanted) return null;
    let best: { readonly chapter: Chapter; readonly shared: number } | null = null;
    for (const each of now) {
      const shared = sharedText(wanted, each);
      if (shared > (best?.shared ?? 0)) best = { chapter: each.chapter, shared };
    }
    if (best && best.shared >= LEAST_SHARED) return best.chapter;
    const { title } = wanted.chapter;
    const [titled, ...more] = title === null ? [] : now.filter(({ chapter }) => chapter.title === title);
    if (!titled || more.length > 0 || old.some((each) => sharedText(each, titled) >= LEAST_SHARED)) return null;
    return titled.chapter;
  };
}

interface ChapterParagraphs {
  readonly chapter: Chapter;
  readonly paragraphs: ReadonlySet<string>;
}

function withParagraphs(chapter: Chapter): ChapterParagraphs {
  const paragraphs = chapter.text.split("\n\n").filter((paragraph) => paragraph.length >= SHORTEST_PARAGRAPH);
  return { chapter, paragraphs: new Set(paragraphs) };
}

/** The share of the shorter chapter that is in the other; more than 1 if both are equal. */
function sharedText(left: ChapterParagraphs, right: ChapterParagraphs): number {
  if (left.chapter.text === right.chapter.text) return 2;
  const common = [...left.paragraphs].filter((paragraph) => right.paragraphs.has(paragraph)).length;
  return common / Math.max(1, Math.min(left.paragraphs.size, right.paragraphs.size));
}

/** Carries the corrections of one draft over to the next, each to its chapter. `lost` are those that no longer apply. */
export function carriedCorrections(
  corrections: ChapterCorrections,
  before: readonly Chapter[],
  after: readonly Chapter[],
): { readonly corrections: ChapterCorrections; readonly lost: ChapterCorrections } {
  const matchOf = chapterFinder(before, after);
  const carried: ChapterCorrections = [];
  const lost: ChapterCorrections = [];
  for (const correction of corrections) {
    if ("strategy" in correction) {
      carried.push(correction);
      continue;
    }
    const match = matchOf(indexIn(correction));
    const place = match ? after.indexOf(match) : -1;
    const previous = before.findLast(({ index }) => index < indexIn(correction));
    const holds =
      "split" in correction
        ? match !== null && lineStart(match.text, correction.at) > 0
        : !("merge" in correction) || (previous !== undefined && matchOf(previous.index) === after[place - 1]);
    if (match && holds) carried.push(withIndex(correction, match.index));
    else lost.push(correction);
  }
  return { corrections: carried, lost };
}

interface Piece {
  /** The index it had when it was found; both halves of a split keep it. */
  readonly origin: number;
  readonly chapter: Chapter;
}

/**
 * The book with its corrected chapters, numbered again. Throws if a correction names a chapter or line that does not exist.
 *
 * @example
 * ```ts
 * const book = await readBook("novel.epub");
 * const corrected = correctChapters(book, [{ "front-matter": 1 }, { rename: 2, title: "The Lighthouse" }, { merge: 5 }]);
 * ```
 */
export function correctChapters(book: Book, corrections: ChapterCorrections): Book {
  const byHand = corrections.flatMap((correction) => ("strategy" in correction ? [] : [correction]));
  // Another strategy is chosen while the file is read.
  if (byHand.length === 0) return book;
  let pieces: readonly Piece[] = book.chapters.map((chapter) => ({ origin: chapter.index, chapter }));
  const removed = [...book.removed];
  for (const correction of byHand.map((one) => found(one, book.chapters))) {
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
  const dissolved = byHand.flatMap((correction) => {
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

/** Numbers chapters and title pages of parts in one count; the title pages keep their places among the chapters. */
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
  if (!before)
    throw new FabulaError("E_CORRECTION", `Chapter ${index} is the first: there is no chapter before it to join.`);
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
  // After an earlier split of the same chapter the line may be in any of its pieces.
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

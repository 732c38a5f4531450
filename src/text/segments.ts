import { sumBy } from "../stats/distribution.ts";
import type { Book, Chapter } from "./book.ts";
import { splitSentences } from "./sentences.ts";
import { countWords } from "./words.ts";

/** A run of chapters, or a piece of one long chapter, sized for a judge. */
export interface Segment {
  /** 1-based position in reading order. */
  readonly index: number;
  /** What the segment covers: "Chapter IV", or the first and last of several. */
  readonly title: string;
  readonly text: string;
  readonly words: number;
  /** Where the text comes from: offsets into each chapter's text. */
  readonly spans: readonly SegmentSpan[];
}

export interface SegmentSpan {
  /** The chapter's index in the book. */
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
}

export interface SegmentOptions {
  /** Chapters are merged until the segment is longer than this. LongStoryEval's value is 4,096 words. */
  readonly size?: number;
  /** A chapter longer than this is split at paragraph ends, a paragraph longer than this at sentence ends. Twice the size unless given. */
  readonly maximum?: number;
  /** Whether a last segment of less than a quarter of the size joins the one before it; yes unless given. */
  readonly joinRest?: boolean;
  /** How length is measured: words unless given. Pass a token counter for a size in tokens. */
  readonly measure?: (text: string) => number;
}

export const LONG_STORY_SEGMENT_WORDS = 4096;

/**
 * Segments as LongStoryEval makes them: chapters are merged until the segment is over the size; a short rest joins the
 * segment before it. A chapter over the maximum is split at paragraph ends first, and a paragraph over it at sentence ends, so
 * no segment is much longer than that.
 *
 * @example
 * ```ts
 * const book = await readBook("novel.epub");
 * const segments = segmentBook(book); // sized in words
 * const inTokens = segmentBook(book, { size: 8000, measure: estimateTokens });
 * ```
 */
export function segmentBook(book: Pick<Book, "chapters">, options: SegmentOptions = {}): Segment[] {
  const size = options.size ?? LONG_STORY_SEGMENT_WORDS;
  const maximum = Math.max(size, options.maximum ?? size * 2);
  const measure = options.measure ?? countWords;
  const groups: Piece[][] = [];
  let group: Piece[] = [];
  let length = 0;
  for (const piece of book.chapters.flatMap((chapter) => piecesOf(chapter, size, maximum, measure))) {
    const isOwnSegment = piece.isPart || group.at(-1)?.isPart;
    if (group.length > 0 && (isOwnSegment || length + piece.length > maximum)) {
      groups.push(group);
      group = [];
      length = 0;
    }
    group.push(piece);
    length += piece.length;
    if (length > size) {
      groups.push(group);
      group = [];
      length = 0;
    }
  }
  if (group.length > 0) {
    const last = groups.at(-1);
    const lastLength = sumBy(last ?? [], ({ length }) => length);
    if (
      options.joinRest !== false &&
      last &&
      !group.some(({ isPart }) => isPart) &&
      length < size / 4 &&
      lastLength + length <= maximum
    )
      last.push(...group);
    else groups.push(group);
  }
  return groups.map((pieces, position) => toSegment(pieces, position, measure === countWords));
}

interface Piece {
  readonly chapter: Chapter;
  readonly start: number;
  readonly end: number;
  readonly length: number;
  /** Part of a chapter that was too long; such a part is a segment of its own. */
  readonly isPart: boolean;
}

function piecesOf(chapter: Chapter, size: number, maximum: number, measure: (text: string) => number): Piece[] {
  const { text } = chapter;
  const whole = measure(text);
  if (whole <= maximum)
    return text === "" ? [] : [{ chapter, start: 0, end: text.length, length: whole, isPart: false }];
  // Equal shares, so that the last piece is not much shorter.
  const target = whole / Math.ceil(whole / size);
  const pieces: Piece[] = [];
  let start = 0;
  let length = 0;
  for (const { end, next, length: own } of stretchesOf(text, maximum, measure)) {
    length += own;
    if (length >= target || next >= text.length) {
      pieces.push({ chapter, start, end, length, isPart: true });
      start = next;
      length = 0;
    }
  }
  return pieces;
}

interface Stretch {
  readonly end: number;
  readonly next: number;
  readonly length: number;
}

/** Paragraphs; of one that is over the maximum by itself, its sentences. */
function* stretchesOf(text: string, maximum: number, measure: (text: string) => number): Generator<Stretch> {
  for (const { from, end, next } of paragraphsOf(text)) {
    const paragraph = text.slice(from, end);
    const length = measure(paragraph);
    if (length <= maximum) {
      yield { end, next, length };
      continue;
    }
    const sentences = splitSentences(paragraph);
    for (const [at, sentence] of sentences.entries()) {
      const following = sentences[at + 1];
      yield {
        end: following ? from + sentence.end : end,
        next: following ? from + following.start : next,
        length: measure(paragraph.slice(sentence.start, sentence.end)),
      };
    }
  }
}

function* paragraphsOf(text: string): Generator<{ from: number; end: number; next: number }> {
  let from = 0;
  while (from < text.length) {
    const gap = text.indexOf("\n\n", from);
    const end = gap < 0 ? text.length : gap;
    yield { from, end, next: gap < 0 ? text.length : gap + 2 };
    from = gap < 0 ? text.length : gap + 2;
  }
}

function toSegment(pieces: readonly Piece[], position: number, isInWords: boolean): Segment {
  const text = pieces.map(({ chapter, start, end }) => chapter.text.slice(start, end)).join("\n\n");
  const titles = [...new Set(pieces.map(({ chapter }) => chapter.title ?? `Chapter ${chapter.index}`))];
  const [first = "", last = first] = [titles[0], titles.at(-1)];
  return {
    index: position + 1,
    title: first === last ? first : `${first} – ${last}`,
    text,
    words: isInWords ? sumBy(pieces, ({ length }) => length) : countWords(text),
    spans: pieces.map(({ chapter, start, end }) => ({ chapter: chapter.index, start, end })),
  };
}

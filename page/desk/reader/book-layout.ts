import type { ChapterSummary } from "../../../src/api/books.ts";
import { sum } from "../../../src/stats/distribution.ts";

/** A piece of a chapter that is laid out as one: a paragraph, or part of one that is too long to be drawn at once. */
export interface Block {
  readonly start: number;
  readonly end: number;
}

const longestBlock = 4000;

/** Splits a chapter at blank lines, and what is longer than a screen or two at the end of a line, a sentence, or anywhere. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  const separator = /\n[ \t]*\n\s*/g;
  let start = 0;
  for (let match = separator.exec(text); match; match = separator.exec(text)) {
    addBlock(blocks, text, start, match.index);
    start = match.index + match[0].length;
  }
  addBlock(blocks, text, start, text.length);
  return blocks;
}

function addBlock(blocks: Block[], text: string, start: number, end: number): void {
  let from = start;
  while (end - from > longestBlock) {
    const cut = cutBefore(text, from, from + longestBlock);
    blocks.push({ start: from, end: cut });
    from = cut;
  }
  if (text.slice(from, end).trim() !== "") blocks.push({ start: from, end });
}

function cutBefore(text: string, from: number, limit: number): number {
  const piece = text.slice(from, limit);
  const line = piece.lastIndexOf("\n");
  if (line > longestBlock / 2) return from + line + 1;
  const sentence = Math.max(...[". ", "。", "! ", "? ", "！", "？"].map((end) => piece.lastIndexOf(end)));
  if (sentence > longestBlock / 2) return from + sentence + 1;
  // Never between the halves of a character beyond the basic plane.
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}

/** The block that holds a position, or the one before it when the position falls between two. */
export function blockAt(blocks: readonly Block[], position: number): number {
  let low = 0;
  let high = blocks.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (blocks[middle]!.start <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** How the text is set: what heights are guessed from until they are measured. */
export interface Setting {
  readonly charactersPerLine: number;
  readonly lineHeight: number;
  readonly paragraphGap: number;
  readonly headingHeight: number;
}

/** A place in the layout. Row 0 of a chapter is its heading; the rest are its blocks, or one row while the text is awaited. */
export interface Place {
  readonly chapter: number;
  readonly row: number;
}

interface LaidChapter {
  blocks: readonly Block[] | null;
  heights: number[];
  /** Rows whose height is known and not guessed. */
  measured: Set<number>;
  total: number;
}

/**
 * Where everything in a book stands, from heights that are guessed until a row has been drawn and measured. Positions of
 * chapters are sums over chapters, positions of rows sums within one, so nothing here grows with the words of the book.
 */
export class BookLayout {
  readonly #chapters: readonly ChapterSummary[];
  readonly #setting: Setting;
  readonly #laid: LaidChapter[];
  #tops: number[] | null = null;

  constructor(chapters: readonly ChapterSummary[], setting: Setting) {
    this.#chapters = chapters;
    this.#setting = setting;
    this.#laid = chapters.map((chapter) => {
      const heights = [setting.headingHeight, this.#guess(chapter.length, chapter.paragraphs)];
      return { blocks: null, heights, measured: new Set(), total: sum(heights) };
    });
  }

  get height(): number {
    return this.#topOf(this.#chapters.length);
  }

  get count(): number {
    return this.#chapters.length;
  }

  blocksOf(chapter: number): readonly Block[] | null {
    return this.#laid[chapter]?.blocks ?? null;
  }

  rowsOf(chapter: number): number {
    return this.#laid[chapter]?.heights.length ?? 0;
  }

  /** The text has come: the one guessed row becomes a row for each block. */
  setBlocks(chapter: number, blocks: readonly Block[]): void {
    const laid = this.#laid[chapter];
    if (!laid) return;
    laid.blocks = blocks;
    laid.measured.delete(1);
    laid.heights = [laid.heights[0]!, ...blocks.map(({ start, end }) => this.#guess(end - start, 1))];
    laid.total = sum(laid.heights);
    this.#tops = null;
  }

  /** A row was drawn; true when it is not as high as was thought. */
  measure({ chapter, row }: Place, height: number): boolean {
    const laid = this.#laid[chapter];
    const known = laid?.heights[row];
    if (!laid || known === undefined) return false;
    laid.measured.add(row);
    if (Math.abs(known - height) < 0.5) return false;
    laid.heights[row] = height;
    laid.total += height - known;
    this.#tops = null;
    return true;
  }

  isMeasured({ chapter, row }: Place): boolean {
    return this.#laid[chapter]?.measured.has(row) ?? false;
  }

  /** The last row of the book. */
  get end(): Place {
    const chapter = Math.max(0, this.#chapters.length - 1);
    return { chapter, row: Math.max(0, this.rowsOf(chapter) - 1) };
  }

  top({ chapter, row }: Place): number {
    const heights = this.#laid[chapter]?.heights ?? [];
    let top = this.#topOf(chapter);
    for (let before = 0; before < row && before < heights.length; before++) top += heights[before]!;
    return top;
  }

  /** The row that stands at a height. */
  at(y: number): Place {
    let low = 0;
    let high = Math.max(0, this.#chapters.length - 1);
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (this.#topOf(middle) <= y) low = middle;
      else high = middle - 1;
    }
    const heights = this.#laid[low]?.heights ?? [];
    let top = this.#topOf(low);
    let row = 0;
    while (row < heights.length - 1 && top + heights[row]! <= y) top += heights[row++]!;
    return { chapter: low, row };
  }

  /** Every row between two heights, in order. */
  between(from: number, to: number): Place[] {
    if (this.#chapters.length === 0) return [];
    const places: Place[] = [];
    let { chapter, row } = this.at(Math.max(0, from));
    let top = this.top({ chapter, row });
    while (chapter < this.#chapters.length && top < to) {
      const heights = this.#laid[chapter]!.heights;
      places.push({ chapter, row });
      top += heights[row]!;
      row += 1;
      if (row >= heights.length) {
        chapter += 1;
        row = 0;
      }
    }
    return places;
  }

  #topOf(chapter: number): number {
    if (!this.#tops) {
      this.#tops = [0];
      for (const [position, laid] of this.#laid.entries()) this.#tops.push(this.#tops[position]! + laid.total);
    }
    return this.#tops[chapter] ?? this.#tops.at(-1) ?? 0;
  }

  #guess(characters: number, paragraphs: number): number {
    const { charactersPerLine, lineHeight, paragraphGap } = this.#setting;
    // Every paragraph ends with a line that is on average half full.
    const lines = Math.max(paragraphs, Math.ceil(characters / charactersPerLine + paragraphs * 0.5));
    return lines * lineHeight + paragraphs * paragraphGap;
  }
}

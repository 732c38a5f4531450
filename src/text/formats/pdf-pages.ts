import { groupBy } from "../../core/group-by.ts";
import type { Removal } from "../book.ts";
import { recogniseHeading } from "../chapters/recognise.ts";
import { isShortTitle } from "../chapters/title-case.ts";
import { headingKey } from "../chapters/titles.ts";
import type { Block } from "../manuscript.ts";
import { linesToBlocks } from "./plain-text/plain-text-blocks.ts";
import { compoundsIn } from "./plain-text/plain-text-layout.ts";

/** A piece of text at its position on the page; `height` is the font size, `y` the base line, counted from below. */
export interface PdfPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly font: string;
}

/** An entry of the file's own outline. */
export interface Bookmark {
  readonly page: number;
  readonly title: string;
}

/** Text on one base line: a line, or the part of it within one column. */
interface Line {
  text: string;
  x: number;
  y: number;
  right: number;
  height: number;
  font: string;
}

/** The typical measures of a book's pages. */
interface Measures {
  readonly height: number;
  readonly font: string;
  /** From one base line to the next. */
  readonly leading: number;
}

/**
 * Turns the pages of a book into blocks, by geometry alone. Text at the same height of most pages that recurs or counts up is a
 * running head; smaller text at the foot of a column is a note; text that is larger, or set apart and centred or in another font,
 * may be a heading.
 */
export function pagesToBlocks(
  pieces: readonly (readonly PdfPiece[])[],
  bookmarks: readonly Bookmark[] = [],
): { blocks: Block[]; removed: Removal[] } {
  const lines = pieces.map(toLines);
  const measures = measuresOf(lines.flat(), lines);
  const rows = lines.map((page) => withDropCaps(page, measures));
  const { pages, removed } = withoutRunningHeads(rows, measures);
  const columns = inColumns(pages, measures);
  return { blocks: new PageReader(columns, measures, bookmarks).blocks(), removed };
}

// Pieces to lines

/** In ems: a wider gap separates two columns, or two words of a justified line. */
const WIDEST_SPACE = 0.75;
const NARROWEST_SPACE = 0.18;
const MARK_OF_NOTE = /^(?:\d{1,3}|[*†‡§])$/u;

/** Pieces of text on one base line become one line. A raised number refers to a note. */
function toLines(pieces: readonly PdfPiece[]): Line[] {
  const lines: Line[] = [];
  for (const { text: written, x, y, width, height, font } of pieces) {
    const text = withLetters(written);
    if (text.trim() === "") continue;
    const line = lines.at(-1);
    const size = line ? Math.max(line.height, height) : height;
    const raised = line ? y - line.y : 0;
    const gap = line ? x - line.right : 0;
    const isCap = line !== undefined && line.height > height * SMALLEST_DROP_CAP && DROP_CAP.test(line.text.trim());
    const isBeside = line !== undefined && !isCap && gap > -size * 0.4 && gap < size * WIDEST_SPACE;
    const isMark = isBeside && height < size * 0.8 && raised > size * 0.15 && raised < size * 0.8;
    if (line && isMark && MARK_OF_NOTE.test(text.trim())) {
      line.text = `${line.text.trimEnd()}[${text.trim()}]`;
      line.right = x + width;
    } else if (line && isBeside && height > line.height * 1.2 && raised < 0 && MARK_OF_NOTE.test(line.text.trim())) {
      // The note itself begins with the raised number.
      Object.assign(line, { text: `[${line.text.trim()}] ${text}`, y, height, font, right: x + width });
    } else if (line && isBeside && Math.abs(raised) < size * 0.3) {
      const isApart = gap > size * NARROWEST_SPACE && !line.text.endsWith(" ") && !text.startsWith(" ");
      line.text += isApart ? ` ${text}` : text;
      line.right = Math.max(line.right, x + width);
      if (height > line.height) Object.assign(line, { height, font });
    } else lines.push({ text, x, y, right: x + width, height, font });
  }
  for (const line of lines)
    line.text = withoutLetterSpace(line.text.replace(/[\u2010\u00ad]$/, "-").replaceAll("\u00ad", ""));
  return lines;
}

/** Fonts of old TeX files do not say which letters they draw, and have these where other fonts have control characters. */
const TEX_SIGNS: Readonly<Record<string, string>> = {
  ...{ "\u0010": "“", "\u0011": "”", "\u0012": "„", "\u0013": "«", "\u0014": "»", "\u0015": "–", "\u0016": "—" },
  ...{ "\u001b": "ff", "\u001c": "fi", "\u001d": "fl", "\u001e": "ffi", "\u001f": "ffl" },
};

function withLetters(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
  return text.replace(/[\u0010-\u001f]/g, (sign) => TEX_SIGNS[sign] ?? sign);
}

/** "C H A P T E R  1": letter-spaced type has a space after every letter. */
function withoutLetterSpace(text: string): string {
  if (!/^(?:\S\s){4,}\S?(?:\s|$)/.test(text)) return text;
  return text
    .trim()
    .split(/\s{2,}/)
    .map((word) => word.replace(/\s/g, "").replace(/(\p{L})(\d)/gu, "$1 $2"))
    .join(" ");
}

const DROP_CAP = /^[“"‘'«]?\p{Lu}$/u;
/** How many times larger than the text beside it a drop cap is at least. */
const SMALLEST_DROP_CAP = 1.6;

/** Joins a drop cap to the first word of the line on its right. */
function withDropCaps(lines: readonly Line[], { height }: Measures): readonly Line[] {
  const isCap = (line: Line) => line.height > height * SMALLEST_DROP_CAP && DROP_CAP.test(line.text.trim());
  const caps = lines.filter(isCap);
  if (caps.length === 0) return lines;
  const words = new Set<string>();
  for (const { text } of lines) for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) words.add(word);
  const result = [...lines];
  for (const cap of caps) {
    const beside = result
      .filter((line) => line !== cap && line.height <= height * LARGER)
      .filter(({ x, y }) => y > cap.y - height * 0.3 && y < cap.y + cap.height * 0.75 && x >= cap.x - height * 0.3)
      .filter(({ x }) => x < cap.right + cap.height);
    const first = beside.reduce<Line | null>((best, line) => (best === null || line.y > best.y ? line : best), null);
    if (first === null) continue;
    // These lines are indented for the letter, not because they begin paragraphs.
    for (const line of beside) line.x = cap.x;
    const own = cap.text.trim();
    const [start = ""] = /^\p{L}+/u.exec(first.text.trim()) ?? [];
    const isWord = /[AIOÀY]$/u.test(own) && !words.has(`${own.slice(-1)}${start}`.toLowerCase());
    first.text = `${own}${isWord ? " " : ""}${first.text.trimStart()}`;
    result.splice(result.indexOf(cap), 1);
  }
  return result;
}

// Measures

function measuresOf(lines: readonly Line[], pages: readonly (readonly Line[])[]): Measures {
  const heights = new Tally<number>();
  const fonts = new Tally<string>();
  for (const { height, text } of lines) heights.add(toHalf(height), text.length);
  const height = heights.commonest() ?? 1;
  for (const line of lines) if (toHalf(line.height) === height) fonts.add(line.font, line.text.length);
  const gaps = new Tally<number>();
  for (const page of pages) {
    for (const [at, line] of page.entries()) {
      const above = page[at - 1];
      const gap = above ? above.y - line.y : 0;
      if (gap > height * 0.7 && gap < height * 4) gaps.add(toHalf(gap), 1);
    }
  }
  return { height, font: fonts.commonest() ?? "", leading: gaps.commonest() ?? height * 1.2 };
}

function toHalf(value: number): number {
  return Math.round(value * 2) / 2;
}

class Tally<Key> {
  readonly #counts = new Map<Key, number>();

  add(key: Key, weight = 1): void {
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + weight);
  }

  count(key: Key): number {
    return this.#counts.get(key) ?? 0;
  }

  commonest(): Key | undefined {
    let best: Key | undefined;
    let most = 0;
    for (const [key, count] of this.#counts) if (count > most) [best, most] = [key, count];
    return best;
  }
}

// Running heads

const PAGE_NUMBER =
  /^\s*(?:[-–—|[]\s*)?(?:page\s+)?(?:\d{1,4}|[ivxlc]{1,7})(?:\s*(?:[-–—|\]]|(?:of|\/)\s*\d{1,4}))?\s*$/i;
const NUMBER_AT_EDGE = /^(\d{1,4})\b|\b(\d{1,4})(?:\s*\/\s*\d{1,4})?$/;
const SENTENCE = /^\S+(?:\s+\S+){4,}[.!?…]["”’']?$/u;
/** Heads of two lines are common; more are not. */
const MOST_ROWS_OF_HEAD = 3;
const FEWEST_HEADS = 3;

/** All lines of a page on one base line. */
interface Row {
  readonly page: number;
  readonly y: number;
  readonly lines: readonly Line[];
  readonly text: string;
}

/**
 * Removes running heads: lines at the edge of pages that recur, or count with the pages, at the same height. If most lines at
 * that height do, all of them are running heads, even the title of a chapter that has one page.
 */
function withoutRunningHeads(
  pages: readonly (readonly Line[])[],
  { height }: Measures,
): { pages: Line[][]; removed: Removal[] } {
  const rows = pages.map((lines, page) => rowsOf(lines, page, height));
  const removed: Removal[] = [];
  const isLarge = (row: Row) => row.lines.some((line) => line.height > height * LARGER);
  let hasNumbers = false;
  const take = (edge: "top" | "bottom") => {
    const outer = rows.flatMap((page) => (edge === "top" ? page[0] : page.at(-1)) ?? []);
    const times = new Tally<string>();
    for (const { text } of outer) times.add(headKey(text));
    const offsets = new Tally<number>();
    for (const { text, page } of outer) for (const number of numbersOf(text)) offsets.add(number - page);
    const offset = offsets.commonest();
    const counts = offset !== undefined && offsets.count(offset) >= FEWEST_HEADS;
    const isAgain = ({ text }: Row) =>
      headKey(text) !== "" && times.count(headKey(text)) >= FEWEST_HEADS && (!SENTENCE.test(text) || isSame(text));
    const same = new Tally<string>();
    for (const { text } of outer) same.add(text);
    const isSame = (text: string) => same.count(text) >= FEWEST_HEADS;
    const isCounted = ({ text, page }: Row) => counts && numbersOf(text).some((number) => number - page === offset);
    const isEvident = (row: Row) => isAgain(row) || isCounted(row) || ROMAN_NUMBER.test(row.text);
    const bands = new Map<number, { all: number; evident: number }>();
    for (const row of outer) {
      const band = bands.get(Math.round(row.y)) ?? { all: 0, evident: 0 };
      bands.set(Math.round(row.y), { all: band.all + 1, evident: band.evident + (isEvident(row) ? 1 : 0) });
    }
    const near = ({ y }: Row) =>
      [-2, -1, 0, 1, 2].reduce(
        (sum, step) => {
          const band = bands.get(Math.round(y) + step);
          return { all: sum.all + (band?.all ?? 0), evident: sum.evident + (band?.evident ?? 0) };
        },
        { all: 0, evident: 0 },
      );
    let taken = 0;
    for (const page of rows) {
      const row = edge === "top" ? page[0] : page.at(-1);
      if (row === undefined) continue;
      const band = near(row);
      const isBand = band.evident >= FEWEST_HEADS && band.evident >= band.all * 0.5;
      const isLoose =
        isAgain(row) ||
        (PAGE_NUMBER.test(row.text) && !hasNumbers && (isCounted(row) || (!counts && edge === "bottom")));
      if (!(isBand || isLoose) || (isLarge(row) && !isSame(row.text))) continue;
      if (isBand && numbersOf(row.text).length > 0) hasNumbers = true;
      const rule = PAGE_NUMBER.test(row.text) ? "page number" : "running head";
      removed.push({ rule, where: `page ${row.page + 1}`, text: row.text });
      if (edge === "top") page.shift();
      else page.pop();
      taken++;
    }
    return taken;
  };
  // The bottom first: if the page numbers are there, a number at the top is a chapter's.
  for (const edge of ["bottom", "top"] as const) {
    for (let pass = 0; pass < MOST_ROWS_OF_HEAD && take(edge) > 0; pass++);
  }
  return { pages: rows.map((page) => page.flatMap(({ lines }) => lines)), removed };
}

const ROMAN_NUMBER = /^[ivxl]{1,6}$/;

function numbersOf(text: string): number[] {
  const found = NUMBER_AT_EDGE.exec(text.trim());
  const last = /(\d{1,4})$/.exec(text.trim());
  return [found?.[1] ?? found?.[2], last?.[1]].flatMap((digits) => (digits ? [Number(digits)] : []));
}

/** A key that is the same for running heads which differ only in the page number. Numbers of chapters are kept. */
function headKey(text: string): string {
  if (recogniseHeading(text)?.number != null) return text;
  return text
    .toLowerCase()
    .replace(/[\d\s|·•–—-]+/g, " ")
    .trim();
}

/** The rows of a page from top to bottom: lines on one base line form a row. */
function rowsOf(lines: readonly Line[], page: number, height: number): Row[] {
  const sorted = lines.toSorted((one, other) => other.y - one.y);
  const groups: Line[][] = [];
  for (const line of sorted) {
    const row = groups.at(-1);
    if (row && row[0]!.y - line.y < height * 0.3) row.push(line);
    else groups.push([line]);
  }
  return groups.map((group) => {
    const own = group.toSorted((one, other) => one.x - other.x);
    return { page, y: own[0]!.y, lines: own, text: own.map(({ text }) => text.trim()).join("   ") };
  });
}

// Columns

/** A unit that is read from top to bottom: a column of a page, or a line across all columns. */
interface Column {
  readonly page: number;
  readonly left: number;
  readonly right: number;
  readonly lines: readonly Line[];
}

interface Gutter {
  readonly from: number;
  readonly to: number;
}

const BIN = 2;
/** In ems. */
const NARROWEST_GUTTER = 0.7;

/**
 * Splits pages into columns. A gutter is a strip that few lines cross, between two strips with text. Odd and even pages have
 * different margins, so they are measured separately.
 */
function inColumns(pages: readonly (readonly Line[])[], measures: Measures): Column[] {
  const { height } = measures;
  const gutters = [0, 1].map((parity) =>
    guttersOf(
      pages.filter((_page, at) => at % 2 === parity),
      height,
    ),
  );
  const columns = pages.flatMap((lines, page) => columnsOfPage(lines, page, gutters[page % 2]!, height));
  return withMargins(columns, measures);
}

function guttersOf(pages: readonly (readonly Line[])[], height: number): Gutter[] {
  const covered = new Map<number, number>();
  let rows = 0;
  for (const [page, lines] of pages.entries()) {
    for (const row of rowsOf(lines, page, height)) {
      rows++;
      const bins = new Set<number>();
      for (const { x, right } of row.lines) {
        const end = Math.min(right, x + 10_000);
        for (let bin = Math.floor(x / BIN); bin <= Math.floor(end / BIN); bin++) bins.add(bin);
      }
      for (const bin of bins) covered.set(bin, (covered.get(bin) ?? 0) + 1);
    }
  }
  if (rows < FEWEST_ROWS) return [];
  const bins = [...covered.keys()].sort((one, other) => one - other);
  const share = (bin: number) => (covered.get(bin) ?? 0) / rows;
  const gutters: Gutter[] = [];
  let empty: number | null = null;
  let wasFull = false;
  for (let bin = bins[0]!; bin <= bins.at(-1)! && bin < bins[0]! + 5000; bin++) {
    if (share(bin) < MOST_CROSSING) empty ??= bin;
    else {
      const isWide = empty !== null && (bin - empty) * BIN >= height * NARROWEST_GUTTER;
      // The text must begin again at once, as a column does.
      const isFull = [0, 1, 2, 3, 4].some((step) => share(bin + step) > FEWEST_BEYOND);
      if (isWide && wasFull && isFull) gutters.push({ from: empty! * BIN, to: bin * BIN });
      empty = null;
    }
    wasFull ||= share(bin) > FEWEST_BEYOND;
  }
  return gutters;
}

const FEWEST_ROWS = 20;
const MOST_CROSSING = 0.15;
const FEWEST_BEYOND = 0.3;

function columnsOfPage(lines: readonly Line[], page: number, gutters: readonly Gutter[], height: number): Column[] {
  const across: Line[] = [];
  const sides: Line[][] = Array.from({ length: gutters.length + 1 }, () => []);
  for (const line of lines) {
    const crosses = gutters.some(({ from, to }) => line.x < from - 1 && line.right > to + 1);
    if (crosses) across.push(line);
    else sides[gutters.filter(({ to, from }) => line.x >= (from + to) / 2 - 1).length]!.push(line);
  }
  const edges = [...rowsOf(across, page, height), null];
  const result: Column[] = [];
  let top = Number.POSITIVE_INFINITY;
  for (const edge of edges) {
    const bottom = edge?.y ?? Number.NEGATIVE_INFINITY;
    for (const side of sides) {
      const own = side.filter(({ y }) => y < top && y > bottom);
      if (own.length > 0) result.push({ page, left: 0, right: 0, lines: joinedRows(own, page, height) });
    }
    if (edge) result.push({ page, left: 0, right: 0, lines: joinedRows(edge.lines, page, height) });
    top = bottom;
  }
  return result;
}

/** Joins the parts of a row, which may be far apart, such as a title and its page in a table of contents. */
function joinedRows(lines: readonly Line[], page: number, height: number): Line[] {
  return rowsOf(lines, page, height).map(({ lines: own }) => {
    const joined = { ...own[0]! };
    for (const line of own.slice(1)) {
      const isFar = line.x - joined.right > height * 2;
      joined.text = `${joined.text.trimEnd()}${isFar ? "   " : " "}${line.text.trimStart()}`;
      joined.right = Math.max(joined.right, line.right);
      joined.height = Math.max(joined.height, line.height);
    }
    return joined;
  });
}

/** The left and the right edge of the text, from all columns that begin at about the same place. */
function withMargins(columns: readonly Column[], { height }: Measures): Column[] {
  const kindOf = ({ page, lines }: Column) => {
    const least = lines.reduce((x, line) => Math.min(x, line.x), Number.POSITIVE_INFINITY);
    return `${page % 2}:${Math.round(least / (height * 8))}`;
  };
  const groups = [...groupBy(columns, kindOf)];
  const margins = new Map(groups.map(([kind, own]) => [kind, marginsOf(own, height)]));
  return columns.map((column) => ({ ...column, ...margins.get(kindOf(column))! }));
}

function marginsOf(columns: readonly Column[], height: number): Pick<Column, "left" | "right"> {
  const lefts = new Tally<number>();
  const rights: number[] = [];
  for (const { lines } of columns) {
    for (const { x, right, text } of lines) {
      lefts.add(Math.round(x), text.length > 20 ? 3 : 1);
      rights.push(right);
    }
  }
  const common = lefts.commonest() ?? 0;
  // Pages of dialogue have more indented lines than others.
  let left = common;
  for (let x = common - 1; x >= common - height * 4; x--) {
    if (lefts.count(x) >= lefts.count(common) * 0.25) left = x;
  }
  rights.sort((one, other) => one - other);
  return { left, right: rights[Math.floor((rights.length - 1) * 0.95)] ?? 0 };
}

// Lines to blocks

/** A line this many times larger than the text is a heading. */
const LARGER = 1.15;
const LONGEST_HEADING = 120;
/** Text at the foot of a page that is smaller than the main text by this factor is a note. */
const SMALLER = 0.93;
const NOTE = /^\[?(\d{1,3}|[*†‡§])\]?[.)]?\s*(?=[\p{L}“"‘'(])/u;
/** More space than a blank line of a plain text; see `HeadingBlock.space`. */
const PAGE_SPACE = 4;
const APART_SPACE = 3;
/** In blocks: no column has more paragraphs. */
const FARTHEST_NOTE = 100;
const SENTENCE_END = /[.!?…:。！？」』]["”’'»)]*$/u;

/** Whether this is the title under a bare label, such as "CHAPTER IV". */
function isTitleUnder(lines: readonly string[], text: string): boolean {
  const label = lines.length === 1 ? recogniseHeading(lines[0]!) : null;
  return label !== null && label.rest === "" && label.kind !== "paratext" && recogniseHeading(text) === null;
}

/** "twenty-" and "three" at a line break keep their hyphen if both are words of the text and "twentythree" is not. */
function compoundsAtEnds(lines: readonly Line[]): string[] {
  const words = new Set<string>();
  for (const [at, { text }] of lines.entries()) {
    const own =
      text
        .trim()
        .toLowerCase()
        .match(/\p{L}+-?/gu) ?? [];
    // The second part of a broken word is usually not a word.
    const whole = lines[at - 1]?.text.trimEnd().endsWith("-") ? own.slice(1) : own;
    for (const word of whole) if (!word.endsWith("-")) words.add(word);
  }
  return lines.flatMap(({ text }, at) => {
    const head = /(\p{L}{3,})-$/u.exec(text.trimEnd())?.[1]?.toLowerCase();
    const tail = /^\p{Ll}{3,}/u.exec(lines[at + 1]?.text.trimStart() ?? "")?.[0];
    if (!head || !tail || !words.has(head) || !words.has(tail) || words.has(head + tail)) return [];
    return [`${head}-${tail}`];
  });
}

class PageReader {
  readonly #columns: readonly Column[];
  readonly #measures: Measures;
  readonly #compounds: ReadonlySet<string>;
  readonly #bookmarks: ReadonlyMap<number, readonly { readonly key: string }[]>;
  readonly #chapterHeight: number;
  /** How paragraphs are separated: most books indent the first line, others leave space. */
  readonly #isIndented: boolean;
  readonly #blocks: Block[] = [];
  #pending: string[] = [];
  /** Each with the number of blocks up to the end of its column. */
  readonly #notes: { readonly text: string; readonly before: number }[] = [];

  constructor(columns: readonly Column[], measures: Measures, bookmarks: readonly Bookmark[]) {
    this.#columns = columns;
    this.#measures = measures;
    const lines = columns.flatMap((column) => column.lines);
    this.#compounds = new Set([...compoundsIn(lines.map(({ text }) => text)), ...compoundsAtEnds(lines)]);
    const large = new Tally<number>();
    for (const line of lines) if (this.#isLarge(line)) large.add(Math.round(line.height));
    this.#chapterHeight = large.commonest() ?? measures.height;
    const indented = columns.reduce(
      (sum, { lines: own, left }) => sum + own.filter((line) => this.#isIndentedLine(line, left)).length,
      0,
    );
    this.#isIndented = indented > lines.length * 0.05;
    const keyed = bookmarks.map(({ page, title }) => ({ page, key: headingKey(title) }));
    this.#bookmarks = groupBy(keyed, ({ page }) => page);
  }

  blocks(): Block[] {
    for (const [at, column] of this.#columns.entries()) {
      const { body, notes } = this.#withoutNotes(column);
      this.#readColumn({ ...column, lines: body }, this.#columns[at - 1]?.page !== column.page);
      const ended = this.#pending.filter((line) => line === "").length;
      const isOpen = this.#pending.length > 0 && this.#pending.at(-1) !== "";
      const before = this.#blocks.length + ended + (isOpen ? 1 : 0);
      for (const text of notes) this.#notes.push({ text, before });
    }
    this.#flush();
    return this.#withNotes();
  }

  /** Each note after the paragraph that refers to it, or at its own position. */
  #withNotes(): Block[] {
    const blocks = [...this.#blocks];
    const after = new Map<number, Block[]>();
    for (const { text, before } of this.#notes) {
      const sign = text.slice(1, text.indexOf("]"));
      const last = Math.min(before, blocks.length) - 1;
      const near = blocks.slice(Math.max(0, last - FARTHEST_NOTE), last + 1);
      const from = last + 1 - near.length;
      const find = (refers: (text: string) => boolean) =>
        near.findLastIndex((block) => block.kind === "paragraph" && refers(block.text));
      // A mark that is not raised is part of the word before it.
      const glued = new RegExp(`(?<=[\\p{L}.,;!?”"’])${sign.replace(/\W/, "\\$&")}(?=\\s|$)`, "u");
      let place = find((own) => own.includes(`[${sign}]`));
      if (place < 0) {
        place = find((own) => glued.test(own));
        const block = blocks[from + place];
        if (place >= 0 && block?.kind === "paragraph") {
          blocks[from + place] = { kind: "paragraph", text: block.text.replace(glued, `[${sign}]`) };
        }
      }
      const at = place < 0 ? Math.max(0, last) : from + place;
      const own = after.get(at);
      if (own) own.push({ kind: "paragraph", text });
      else after.set(at, [{ kind: "paragraph", text }]);
    }
    return blocks.flatMap((block, at) => [block, ...(after.get(at) ?? [])]);
  }

  #readColumn(column: Column, isFirst: boolean): void {
    let previous: Line | null = null;
    let heading: Line | null = null;
    for (const [at, line] of column.lines.entries()) {
      if (this.#isLarge(line)) {
        this.#flush();
        this.#addHeading(line, heading, column);
        heading = line;
        previous = null;
        continue;
      }
      heading = null;
      const next = column.lines[at + 1];
      const isTop = at === 0 && isFirst;
      if (this.#mayBeHeading(line, column, column.lines[at - 1], next, isTop)) {
        this.#flush();
        const isListed = this.#isListed(column.page, line.text);
        const above = this.#blocks.at(-1);
        if (at > 0 && above?.kind === "heading" && isTitleUnder(above.lines, line.text)) {
          this.#blocks[this.#blocks.length - 1] = { ...above, lines: [...above.lines, line.text.trim()] };
          previous = null;
          continue;
        }
        this.#blocks.push({
          ...{ kind: "heading", lines: [line.text.trim()], level: isListed ? 2 : 0 },
          ...{ space: isTop ? PAGE_SPACE : APART_SPACE, ...(isListed && { isListed }) },
        });
        previous = null;
        continue;
      }
      const startsHere = previous === null ? !this.#continues(line, column) : this.#starts(line, previous, column);
      if (startsHere) this.#endParagraph();
      this.#pending.push(line.text.trim());
      previous = line;
    }
    const last = column.lines.at(-1);
    if (
      previous &&
      last &&
      SENTENCE_END.test(last.text.trim()) &&
      last.right < column.right - this.#measures.height * 3
    )
      this.#endParagraph();
  }

  /** Large lines below one another are one heading; one that fills the width continues in the next. */
  #addHeading(line: Line, previous: Line | null, { page, right }: Column): void {
    const text = line.text.trim();
    const level = line.height > this.#chapterHeight * 1.15 ? 1 : 2;
    const above = previous === null ? undefined : this.#blocks.at(-1);
    const isListed = this.#isListed(page, text);
    if (previous && above?.kind === "heading" && above.lines.length < 3) {
      const isSameSize = Math.abs(previous.height - line.height) < 1;
      const isLabelled = isTitleUnder(above.lines, text);
      // "Part One" and "Chapter 1" are two headings.
      const areTwo = recogniseHeading(above.lines[0] ?? "") !== null && recogniseHeading(text)?.number != null;
      if (isLabelled || (isSameSize && !areTwo)) {
        const isWrapped = isSameSize && !isLabelled && previous.right > right - line.height * 3;
        const [last = ""] = above.lines.slice(-1);
        const lines = isWrapped ? [...above.lines.slice(0, -1), `${last} ${text}`] : [...above.lines, text];
        const isNamed = above.isListed || isListed || this.#isListed(page, lines.join(" "));
        this.#blocks[this.#blocks.length - 1] = {
          ...above,
          ...{ lines, level: Math.min(level, above.level) },
          ...(isNamed && { isListed: true }),
        };
        return;
      }
    }
    this.#blocks.push({ kind: "heading", lines: [text], level, ...(isListed && { isListed }) });
  }

  #isLarge({ height, text }: Line): boolean {
    return height > this.#measures.height * LARGER && text.length < LONGEST_HEADING && /[\p{L}\p{N}]/u.test(text);
  }

  #isIndentedLine({ x }: Line, left: number): boolean {
    return x > left + this.#measures.height * 0.6 && x < left + this.#measures.height * 5;
  }

  /** Whether a line of ordinary size may be a heading: short, and in the file's outline or set apart, centred or in another font. */
  #mayBeHeading(
    line: Line,
    { page, left, right }: Column,
    above: Line | undefined,
    below: Line | undefined,
    isTop: boolean,
  ) {
    const { height, leading, font } = this.#measures;
    const text = line.text.trim();
    if (!isShortTitle([text]) || right - left < height * 5) return false;
    if (this.#isListed(page, text)) return true;
    const gapAbove = above ? above.y - line.y : Number.POSITIVE_INFINITY;
    const gapBelow = below ? line.y - below.y : Number.POSITIVE_INFINITY;
    const isApart = (isTop || gapAbove > leading * 1.4) && gapBelow > leading * 1.2;
    if (!isApart) return false;
    const middle = (line.x + line.right) / 2;
    const isCentred =
      Math.abs(middle - (left + right) / 2) < height * 1.5 && line.x > left + height && line.right < right - height;
    return isCentred || (line.font !== font && line.right < right - height * 2);
  }

  #isListed(page: number, text: string): boolean {
    const titles = this.#bookmarks.get(page);
    if (!titles) return false;
    const key = headingKey(text);
    return (
      key !== "" && titles.some(({ key: own }) => own === key || (own.endsWith(key) && own.length < key.length * 3))
    );
  }

  /** Whether the first line of a column continues the last paragraph of the column before it. */
  #continues(line: Line, { left }: Column): boolean {
    const last = this.#pending.at(-1);
    if (last === undefined || last === "") return true;
    return !(this.#isIndented && this.#isIndentedLine(line, left) && SENTENCE_END.test(last));
  }

  #starts(line: Line, previous: Line, { left, right }: Column): boolean {
    const { height, leading } = this.#measures;
    if (previous.y - line.y > leading * 1.25) return true;
    if (this.#isIndentedLine(line, left) && (this.#isIndented || !this.#isIndentedLine(previous, left))) return true;
    if (/\s{3,}\d{1,4}$|(?:\.\s?){4,}\s*\d{1,4}$/.test(previous.text)) return false;
    return !this.#isIndented && previous.right < right - height * 4 && SENTENCE_END.test(previous.text.trim());
  }

  /** Small lines at the foot of a column that begin with a number are notes: they follow the paragraph above. */
  #withoutNotes({ lines }: Column): { body: readonly Line[]; notes: string[] } {
    let from = lines.length;
    while (from > 0 && lines[from - 1]!.height < this.#measures.height * SMALLER) from--;
    while (from < lines.length && !NOTE.test(lines[from]!.text.trim())) from++;
    if (from === lines.length || from === 0) return { body: lines, notes: [] };
    const notes: string[][] = [];
    for (const { text } of lines.slice(from)) {
      const own = text.trim();
      if (NOTE.test(own) || notes.length === 0) notes.push([own.replace(NOTE, "[$1] ")]);
      else notes.at(-1)!.push(own);
    }
    return { body: lines.slice(0, from), notes: notes.map((note) => this.#joined(note)) };
  }

  #joined(lines: readonly string[]): string {
    const [block] = linesToBlocks(lines, { paragraphs: "blank", compounds: this.#compounds });
    return block?.kind === "paragraph" ? block.text : lines.join(" ");
  }

  #endParagraph(): void {
    if (this.#pending.at(-1) !== "") this.#pending.push("");
  }

  #flush(): void {
    const layout = { paragraphs: "blank", compounds: this.#compounds } as const;
    for (const block of linesToBlocks(this.#pending, layout)) this.#blocks.push(block);
    this.#pending = [];
  }
}

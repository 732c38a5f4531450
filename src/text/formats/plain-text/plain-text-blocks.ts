import { isBoilerplate, isDate, ORNAMENTS, recogniseHeading } from "../../chapters/recognise.ts";
import { isTitleCase, mayBeTitle } from "../../chapters/title-case.ts";
import type { Block } from "../../manuscript.ts";
import { TWO_SPACES } from "../../words.ts";
import type { Layout } from "./plain-text-layout.ts";

const BREAK = new RegExp(`^[*＊~#○${ORNAMENTS}](?:[\\s　]*[*＊~#○${ORNAMENTS}]){0,9}$`, "u");

export function linesToBlocks(lines: readonly string[], layout: Layout): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let space = 0;
  let blank = 0;
  const flush = () => {
    if (paragraph.length > 0) pushParagraph(blocks, paragraph, layout, space);
    paragraph = [];
  };
  for (const line of lines) {
    const trimmed = line.trim();
    if (trimmed === "") {
      flush();
      blank++;
      continue;
    }
    if (trimmed.length < 40 && BREAK.test(trimmed)) {
      flush();
      blocks.push({ kind: "break" });
      continue;
    }
    if (startsParagraph(line, paragraph, layout)) flush();
    if (paragraph.length === 0) {
      space = blank;
      blank = 0;
    }
    paragraph.push(line.trimEnd());
  }
  flush();
  return blocks;
}

function startsParagraph(line: string, paragraph: readonly string[], layout: Layout): boolean {
  if (paragraph.length === 0) return false;
  switch (layout.paragraphs) {
    case "line":
      return true;
    case "indent":
      return /^[\s　]/u.test(line) || isHeadingBetween(paragraph.at(-1)!, line);
    case "blank":
      return false;
    default:
      return layout.paragraphs satisfies never;
  }
}

/** Without blank lines, a heading starts at the margin like the lines of a paragraph, after a line that ends a sentence. */
function isHeadingBetween(above: string, line: string): boolean {
  if (line.length > LONGEST_MARGIN_HEADING || !/[.!?…"”’»)\]]\s*$/u.test(above)) return false;
  const recognition = recogniseHeading(line);
  if (recognition === null || recognition.kind === "paratext") return false;
  return recognition.kind !== "numeral" || recognition.rest === "";
}

const LONGEST_MARGIN_HEADING = 50;

/** "CHAPTER IV" directly above prose, without a blank line. A short line, or a title over several lines, belongs to the heading. */
function isGluedHeading(lines: readonly string[], at: number): boolean {
  const heading = lines[at]!;
  if (at + 1 >= lines.length || lines[at + 1]!.length < 50) return false;
  const recognition = recogniseHeading(heading);
  if (recognition?.kind !== "chapter" || (recognition.rest !== "" && heading !== heading.toUpperCase())) return false;
  // No title has so many lines.
  const below = lines.slice(at + 1, at + 1 + LONGEST_TITLE).join(" ");
  return below.length > LONGEST_TITLE || !isTitleCase(below);
}

const LONGEST_TITLE = 200;

const LONGEST_HEADING_LINES = 6;

/** Some Chinese websites put this before every heading, numbered or not. */
const SITE_HEADING = /^[☆★]、.{1,40}$/u;

function pushParagraph(blocks: Block[], raw: readonly string[], layout: Layout, space: number): void {
  let from = 0;
  const all = raw.map((line) => line.trim());
  while (layout.paragraphs === "blank" && isGluedHeading(all, from)) {
    blocks.push({ kind: "heading", lines: [withoutUnderscores(all[from]!)], level: 0, space: from === 0 ? space : 0 });
    from++;
  }
  if (from === 0) pushUnglued(blocks, raw, all, layout, space);
  else pushUnglued(blocks, raw.slice(from), all.slice(from), layout, 0);
}

function pushUnglued(
  blocks: Block[],
  raw: readonly string[],
  lines: readonly string[],
  layout: Layout,
  space: number,
): void {
  if (lines.length === 1 && SITE_HEADING.test(lines[0]!)) {
    blocks.push({ kind: "heading", lines: [lines[0]!.slice(2).trim()], level: 2 });
    return;
  }
  if (isTable(blocks, lines)) {
    // A table of contents in one block: each line is a candidate of its own.
    for (const line of lines) {
      blocks.push(
        recogniseHeading(line) ? { kind: "heading", lines: [line], level: 0 } : { kind: "paragraph", text: line },
      );
    }
  } else if (
    lines[0]!.length < 160 &&
    ((lines.length <= LONGEST_HEADING_LINES && mayBeHeading(lines)) || isSetTitle(lines, layout, space, blocks.length))
  ) {
    blocks.push({ kind: "heading", lines: lines.map(withoutUnderscores), level: 0, space });
  } else {
    const text = isVerse(raw, layout) ? lines.join("\n") : joinLines(lines, layout);
    blocks.push({ kind: "paragraph", text: withoutUnderscores(text) });
  }
}

/** Lines of verse are indented and differ in length; indented prose fills its lines. */
function isVerse(raw: readonly string[], layout: Layout): boolean {
  if (layout.paragraphs !== "blank" || raw.length < 2) return false;
  if (layout.width !== undefined && isBrokenEarly(raw, layout.width)) return true;
  if (isSetInLines(raw)) return true;
  let widest = 0;
  let narrowest = Number.POSITIVE_INFINITY;
  for (const [at, line] of raw.entries()) {
    if (!/^(?: {2}|\t)/.test(line)) return false;
    widest = Math.max(widest, line.length);
    if (at < raw.length - 1) narrowest = Math.min(narrowest, line.length);
  }
  return widest < WRAP_WIDTH && (narrowest < widest * 0.8 || widest < LONGEST_VERSE);
}

/** Whether every line ends although the next word would fit: verse, an address, a list. */
function isBrokenEarly(raw: readonly string[], width: number): boolean {
  if (raw.length < 3 || width < NARROWEST_PROSE) return false;
  return raw.every((line, at) => {
    const next = raw[at + 1]?.trimStart();
    if (next === undefined) return line.length < width;
    const word = next.search(/\s/);
    return line.length + 1 + (word < 0 ? next.length : word) <= width * 0.85;
  });
}

/**
 * Whether most lines are short and break off within a sentence, before a capital: verse that fills a whole file, with no wider
 * prose to compare it with.
 */
function isSetInLines(raw: readonly string[]): boolean {
  if (raw.length < 4 || raw.some((line) => line.length > LONGEST_VERSE)) return false;
  const broken = raw.filter((line, at) => {
    const next = raw[at + 1];
    return next !== undefined && !/[.!?…:"”]\s*$/.test(line) && /^\s*["“'‘(]?\p{Lu}/u.test(next);
  });
  return broken.length >= 3 && broken.length >= SHARE_OF_BROKEN_LINES * (raw.length - 1);
}

const SHARE_OF_BROKEN_LINES = 0.6;
const NARROWEST_PROSE = 50;
const WRAP_WIDTH = 75;
const LONGEST_VERSE = 60;

/** Plain texts set _italics_ between underscores. */
function withoutUnderscores(text: string): string {
  if (!text.includes("_")) return text;
  return text.replace(/(^|[^\p{L}\p{N}_])_([^_]+)_(?![\p{L}\p{N}_])/gu, "$1$2");
}

/** A short line by itself, far below the one above or near the top of the file: "Darl", "1914", 药. */
function isSetTitle(lines: readonly string[], { titleSpace }: Layout, space: number, blocksBefore: number): boolean {
  if (titleSpace === undefined || lines.length > 1 || lines[0]!.length > LONGEST_SET_TITLE) return false;
  const isApart = space >= titleSpace || blocksBefore < TOP_BLOCKS;
  return isApart && (mayBeTitle(lines) || TIME_OF_DAY.test(lines[0]!)) && !isDate(lines[0]!);
}

/** "6:00 a.m." ends with a full stop but may be the heading of a chapter. */
const TIME_OF_DAY = /^\d{1,2}[:.]\d{2}(?: ?[ap]\.?m\.?)?$/i;

const LONGEST_SET_TITLE = 60;
const TOP_BLOCKS = 5;

function mayBeHeading(lines: readonly string[]): boolean {
  if (recogniseHeading(lines[0]!)) return lines.length === 1 || !isProse(lines);
  return lines.length <= 2 && lines[0]!.length < 70 && isCapitals(lines[0]!);
}

/** "BOOK I. (Folio), CHAPTER V.--Of this whale little is known but his name. I have seen him …": a label that begins a paragraph. */
function isProse(lines: readonly string[]): boolean {
  const recognition = recogniseHeading(lines[0]!);
  if (recognition === null || recognition.rest === "" || isTitleCase(lines.slice(1).join(" "))) return false;
  const text = lines.join(" ").slice(lines[0]!.length - recognition.rest.length);
  return /\p{Ll}[.?!]["”’']? \S/u.test(text) && text !== text.toUpperCase();
}

function isCapitals(line: string): boolean {
  return line === line.toUpperCase() && /\p{Lu}.*\p{Lu}/u.test(line) && !/[,;?!]["”’']?$/.test(line);
}

/** A list of headings, or the lines directly under "CONTENTS". Two lines may be a label and its title. */
function isTable(blocks: readonly Block[], lines: readonly string[]): boolean {
  if (lines.length < 2) return false;
  const mayBeOne = lines.length <= LONGEST_HEADING_LINES && mayBeHeading(lines);
  return isList(lines) || (!mayBeOne && isUnderContents(blocks, lines));
}

/** The lines directly under "CONTENTS" are its entries, even without numbers; what follows "NOTE" is prose. */
function isUnderContents(blocks: readonly Block[], lines: readonly string[]): boolean {
  const previous = blocks.at(-1);
  if (previous?.kind !== "heading" || lines.some((line) => line.length > 80)) return false;
  const recognition = recogniseHeading(previous.lines[0]!);
  return recognition?.kind === "paratext" && isBoilerplate(recognition.series);
}

function isList(lines: readonly string[]): boolean {
  if (!lines.slice(0, 3).some(isEntry)) return false;
  let entries = 0;
  for (const line of lines) if (line.length < 90 && isEntry(line)) entries++;
  return entries >= 3 && entries >= lines.length * 0.5;
}

/** A heading, a title with its page (The Lamp .... 17), or a number in words with a gap before the title (ONE  THE LAMP). */
function isEntry(line: string): boolean {
  if (recogniseHeading(line) !== null) return true;
  const mayHavePage = PAGE_SIGNS.includes(line.charAt(line.length - 1)) && /\s{3}|\t|\. ?\./.test(line);
  if (mayHavePage && /\S(?:\s{3,}|\s*(?:\.\s*){3,})[\divxlc]{1,5}$/i.test(line)) return true;
  if (!TWO_SPACES.test(line) && !line.includes("\t")) return false;
  const [number, ...title] = line.split(/\s{2,}/);
  return title.length > 0 && recogniseHeading(number!.toUpperCase())?.kind === "numeral";
}

/** The characters that a page number ends with. */
const PAGE_SIGNS = "0123456789ivxlcIVXLC";

/** Joins hard-wrapped lines: Han lines without a space, and a word broken by a hyphen into one word. */
function joinLines(lines: readonly string[], layout: Layout): string {
  if (lines.length === 1) return evenlySpaced(lines[0]!);
  let text = lines[0]!;
  // The end of the text, kept separately: reading it from the growing text would copy all of it for every line.
  let tail = text;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!;
    const last = tail.charCodeAt(tail.length - 1);
    const isBroken = layout.compounds !== null && last === 0x2d && isBrokenWord(tail, line, layout.compounds);
    if (isBroken) text = text.slice(0, -1);
    const isDash = last === 0x2d && /[\p{L}-]-$/u.test(tail);
    const isHan = last >= 0x2e80 && line.charCodeAt(0) >= 0x2e80;
    text += isBroken || isDash || isHan ? line : ` ${line}`;
    tail = line.length >= LONGEST_WORD ? line : `${isBroken ? tail.slice(0, -1) : tail}${line}`.slice(-LONGEST_WORD);
  }
  return evenlySpaced(text);
}

const LONGEST_WORD = 40;

/** Quick searches first: almost no paragraph has two spaces in a row. */
function evenlySpaced(text: string): string {
  const isUneven = TWO_SPACES.test(text) || text.includes("\t") || text.includes("\u00a0") || text.includes("\u3000");
  return isUneven ? text.replace(/\s{2,}/g, " ") : text;
}

/** "inter-" and "esting" are one word; "well-" and "known" keep their hyphen if the text has it elsewhere. */
function isBrokenWord(text: string, next: string, compounds: ReadonlySet<string>): boolean {
  const tail = /^\p{Ll}+/u.exec(next)?.[0];
  const head = /[\p{L}-]*\p{Ll}-$/u.exec(text.slice(-LONGEST_WORD))?.[0];
  return tail !== undefined && head !== undefined && !compounds.has((head + tail).toLowerCase());
}

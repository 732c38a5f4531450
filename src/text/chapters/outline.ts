import type { Block, HeadingBlock, Recognition } from "../manuscript.ts";
import { countWords } from "../words.ts";
import { recogniseHeading } from "./recognise.ts";

/** A block that may be a heading, with what decides whether it is. */
export interface Candidate {
  /** Position among the blocks. */
  readonly at: number;
  readonly lines: readonly string[];
  /** 1–6 if the file marks it as a heading, 0 if only its words do. */
  readonly level: number;
  readonly recognition: Recognition | null;
  /** Words of prose before it in the book. */
  readonly wordsBefore: number;
  /** Words of prose between this candidate and the next. */
  readonly wordsAfter: number;
  /** Blank lines above it in a plain text; null if the file has no countable ones. */
  readonly space: number | null;
  /** The file's navigation names it. */
  readonly isListed: boolean;
}

/** Reads all blocks once: words per block and the candidates among them. */
export interface Outline {
  readonly blocks: readonly Block[];
  /** Words before each block, with one entry more for the end. */
  readonly wordsBefore: Float64Array;
  readonly candidates: readonly Candidate[];
}

/** `isDeclared`: the file itself says what its pages are, so lines that it does not mark as headings are not headings. */
export function outlineOf(blocks: readonly Block[], isDeclared = false): Outline {
  const wordsBefore = new Float64Array(blocks.length + 1);
  const headings: { at: number; block: HeadingBlock; recognition: Recognition | null }[] = [];
  for (const [at, block] of blocks.entries()) {
    const counted = isDeclared ? 0 : LONGEST_COUNTED;
    wordsBefore[at + 1] = wordsBefore[at]! + (block.kind === "paragraph" ? roughWords(block.text, counted) : 0);
    if (block.kind === "heading") headings.push({ at, block, recognition: recogniseHeading(block.lines[0] ?? "") });
    if (isDeclared || block.kind !== "paragraph" || !isShort(block.text)) continue;
    const recognition = recogniseHeading(firstLine(block.text));
    if (recognition === null || isProse(block.text)) continue;
    headings.push({ at, block: { kind: "heading", lines: block.text.split("\n"), level: 0 }, recognition });
  }
  const candidates = headings.map(({ at, block, recognition }, index) => ({
    at,
    lines: block.lines,
    level: block.level,
    space: block.space ?? null,
    isListed: block.isListed ?? false,
    recognition,
    wordsBefore: wordsBefore[at]!,
    wordsAfter: wordsBefore[headings[index + 1]?.at ?? blocks.length]! - wordsBefore[at + 1]!,
  }));
  return { blocks, wordsBefore, candidates };
}

/** Dozens or hundreds of words decide about a heading, so the length of a long paragraph is estimated. */
function roughWords(text: string, longestCounted: number): number {
  if (text.length <= longestCounted) return countWords(text);
  const isEastAsian = text.charCodeAt(text.length >> 1) >= 0x2e80;
  return Math.round(text.length / (isEastAsian ? 1.2 : 5.6));
}

const LONGEST_COUNTED = 200;

const LONGEST_HEADING_TEXT = 200;

function isShort(text: string): boolean {
  return text.length <= LONGEST_HEADING_TEXT;
}

/** "BOOK I. (Folio).--Of this whale little is known. I have seen it …": a paragraph may begin with a label. */
function isProse(text: string): boolean {
  return text.length > 100 && /\p{Ll}{2}[.?!]["”’']? \p{Lu}/u.test(text);
}

function firstLine(text: string): string {
  const end = text.indexOf("\n");
  return end < 0 ? text : text.slice(0, end);
}

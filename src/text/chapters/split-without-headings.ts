import type { Block } from "../manuscript.ts";
import { splitSentences } from "../sentences.ts";
import { countWords } from "../words.ts";
import { textOf } from "./block-text.ts";
import type { Split } from "./raw-chapter.ts";
import { unheededLines } from "./unheeded-lines.ts";

/** The length of an ordinary chapter; a piece ends at the next scene break after it, or at a paragraph's end. */
const PIECE_WORDS = 3000;
const LONGEST_PIECE_WORDS = 4500;

/** No headings at all: pieces of a chapter's length, cut at scene breaks where there are any, else at paragraph ends. */
export function splitWithoutHeadings(blocks: readonly Block[]): Split {
  const pieces: Block[][] = [];
  let piece: Block[] = [];
  let words = 0;
  const cut = () => {
    if (piece.length > 0) pieces.push(piece);
    piece = [];
    words = 0;
  };
  for (const block of blocks.flatMap(inReach)) {
    if (block.kind === "break" && words >= PIECE_WORDS) {
      cut();
      continue;
    }
    const count = block.kind === "paragraph" ? countWords(block.text) : 0;
    if (words + count > LONGEST_PIECE_WORDS && words > 0) cut();
    piece.push(block);
    words += count;
  }
  cut();
  const texts = pieces.map(textOf).filter((text) => text !== "");
  return {
    chapters: texts.map((text) => ({ title: null, part: null, text })),
    removed: [],
    finding: { unheededLines: unheededLines(blocks) },
  };
}

/** How many of the file's pages hold more than a title. */
export function pagesWithText(blocks: readonly Block[]): number {
  let pages = 0;
  let words = 0;
  for (const block of blocks) {
    if (block.kind === "section") words = 0;
    if (block.kind !== "paragraph" || words >= FEWEST_PAGE_WORDS) continue;
    words += countWords(block.text);
    if (words >= FEWEST_PAGE_WORDS) pages++;
  }
  return pages;
}

const FEWEST_PAGE_WORDS = 100;

/** A paragraph longer than a piece, such as a whole novel in one line, is cut at sentence ends. */
function inReach(block: Block): readonly Block[] {
  // The shortest words have a letter: fewer characters cannot be more words.
  if (block.kind !== "paragraph" || block.text.length <= LONGEST_PIECE_WORDS) return [block];
  if (countWords(block.text) <= LONGEST_PIECE_WORDS) return [block];
  const parts: Block[] = [];
  let from = 0;
  let words = 0;
  const sentences = splitSentences(block.text);
  for (const [at, { start, end }] of sentences.entries()) {
    words += countWords(block.text.slice(start, end));
    if (words < PIECE_WORDS && at < sentences.length - 1) continue;
    parts.push({ kind: "paragraph", text: block.text.slice(from, end).trim() });
    from = end;
    words = 0;
  }
  return parts;
}

import type { Removal } from "../book.ts";
import { textOf } from "../chapters/block-text.ts";
import { recogniseHeading } from "../chapters/recognise.ts";
import { joinTitle } from "../chapters/titles.ts";
import type { Block, HeadingBlock, Metadata } from "../manuscript.ts";
import { countWords } from "../words.ts";

/** A title page holds a name, a subtitle and little more. */
const MOST_WORDS = 10;
const AUTHOR = /^(?:\S.{0,30}\s)?(?:by|By|BY)\s+(\p{Lu}[\p{L}.'’ -]{1,60})$/u;

interface OpeningTitle {
  readonly blocks: readonly Block[];
  readonly metadata: Metadata;
  readonly removed: readonly Removal[];
}

/**
 * Where a file names its book nowhere else: a first heading with hardly a word under it is the book's title, "by Jane Doe" its
 * author. Not where a later heading stands as empty over others, since both are parts.
 */
export function withOpeningTitle(blocks: readonly Block[]): OpeningTitle {
  const none = { blocks, metadata: {}, removed: [] };
  const first = blocks[0];
  if (!isMarked(first) || recogniseHeading(first.lines[0] ?? "") !== null) return none;
  if (blocks.some(({ kind }) => kind === "section")) return none;
  const places = [...blocks.keys()].filter((at) => isMarked(blocks[at]));
  const levelAt = (place: number) => (blocks[places[place] ?? -1] as HeadingBlock | undefined)?.level;
  const isEmpty = (place: number) => wordsIn(blocks.slice(places[place]! + 1, places[place + 1])) < MOST_WORDS;
  if (places.length < FEWEST_HEADINGS || !isEmpty(0)) return none;
  // A subtitle is lower than what follows it, a chapter is not.
  const isSubtitled = isEmpty(1) && levelAt(1)! > first.level && (levelAt(2) ?? 0) < levelAt(1)!;
  const from = isSubtitled ? 2 : 1;
  if (places.some((_at, place) => place >= from && levelAt(place)! <= first.level && isEmpty(place))) return none;
  const page = blocks.slice(0, places[from]);
  const author = page
    .slice(1)
    .map((block) => AUTHOR.exec(textOf([block]))?.[1])
    .find(Boolean);
  return {
    blocks: blocks.slice(places[from]),
    metadata: { title: joinTitle(first.lines), ...(author && { author }) },
    removed: [{ rule: "title page", where: "front", text: textOf(page) }],
  };
}

/** The title and two chapters. */
const FEWEST_HEADINGS = 3;

function isMarked(block: Block | undefined): block is HeadingBlock {
  return block?.kind === "heading" && block.level > 0;
}

function wordsIn(blocks: readonly Block[]): number {
  let words = 0;
  for (const block of blocks) {
    if (block.kind === "paragraph") words += countWords(block.text);
    if (words >= MOST_WORDS) break;
  }
  return words;
}

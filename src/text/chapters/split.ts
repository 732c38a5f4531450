import type { Removal } from "../book.ts";
import type { Block } from "../manuscript.ts";
import { countWords } from "../words.ts";
import { excerpt, textOf } from "./block-text.ts";
import { chooseHeadings } from "./choose.ts";
import { findContents } from "./contents.ts";
import { DivisionStack } from "./divisions.ts";
import { numberingWarnings } from "./numbering.ts";
import { outlineOf } from "./outline.ts";
import type { RawChapter, Split } from "./raw-chapter.ts";
import { splitByMarks } from "./split-by-marks.ts";
import { splitWithoutHeadings } from "./split-without-headings.ts";
import { joinTitle, splitHeadingLines, subtitleOf } from "./titles.ts";

/** Blocks to chapters: by the file's own marks where it has them, by the words of headings otherwise, else by length. */
export function splitIntoChapters(blocks: readonly Block[], bookTitle: string | null): Split {
  if (blocks.some((block) => block.kind === "section" && block.role === "chapter")) return splitByMarks(blocks);
  return splitByHeadings(withNavigationHeadings(blocks), bookTitle);
}

/** Front matter that holds this much running prose is kept as an opening without a title: narrative is never lost. */
const OPENING_WORDS = 200;
const PROSE_PARAGRAPH_WORDS = 30;

function splitByHeadings(blocks: readonly Block[], bookTitle: string | null): Split {
  const outline = outlineOf(blocks);
  const contents = findContents(outline);
  const { choices, basis } = chooseHeadings(outline, contents, bookTitle);
  if (basis === "none") return splitWithoutHeadings(blocks);
  const removed: Removal[] = [];
  const chapters: RawChapter[] = [];
  const divisions = new DivisionStack();
  const body = (from: number, to: number) =>
    blocks.slice(from, to).filter((_block, offset) => !contents.holds(from + offset));
  for (const { from, to } of contents.regions) {
    removed.push({ rule: "table of contents", where: "front", text: excerpt(textOf(blocks.slice(from, to))) });
  }

  const opening = body(0, choices[0]?.candidate.at ?? 0);
  let carried = "";
  if (proseWords(opening) >= OPENING_WORDS) chapters.push({ title: null, part: null, text: textOf(opening) });
  else if (textOf(opening) !== "")
    removed.push({ rule: "front matter", where: "front", text: excerpt(textOf(opening)) });

  const total = outline.wordsBefore[blocks.length]!;
  for (const [index, { candidate, role }] of choices.entries()) {
    const next = choices[index + 1]?.candidate.at ?? blocks.length;
    const heading = splitHeadingLines(candidate.lines);
    const subtitle = subtitleOf(candidate, blocks[candidate.at + 1], blocks[candidate.at + 2]);
    const from = candidate.at + (subtitle.length > 0 ? 2 : 1);
    const title = joinTitle([...heading.title, ...subtitle]);
    const text = [heading.rest.join(" "), textOf(body(from, next))].filter(Boolean).join("\n\n");
    switch (role) {
      case "paratext":
        if (isAtAnEnd(outline.wordsBefore[candidate.at]! / total, countWords(text) / total)) {
          removed.push({ rule: candidate.recognition?.series ?? "paratext", where: title, text: excerpt(text) });
        } else chapters.push({ title, part: divisions.path(), text });
        break;
      case "division":
        divisions.enter(title, candidate);
        if (countWords(text) >= DIVISION_PROSE_WORDS)
          chapters.push({ title, part: divisions.path(), text: carried + text });
        else if (text !== "") carried += `${text}\n\n`;
        break;
      case "lead-in":
        carried += `${title}\n\n${text}\n\n`;
        break;
      case "chapter":
        if (text !== "" || carried !== "") chapters.push({ title, part: divisions.path(), text: carried + text });
        carried = "";
        break;
      default:
        role satisfies never;
    }
  }
  if (carried !== "") chapters.push({ title: null, part: divisions.path(), text: carried.trimEnd() });
  return { chapters, removed, warnings: numberingWarnings(choices) };
}

/** Under a part's title this much text is a piece of the story, not a motto. */
const DIVISION_PROSE_WORDS = 60;

/** Notes, lists and advertisements stand before or after the story and are short beside it. */
function isAtAnEnd(position: number, share: number): boolean {
  return (position < 0.1 || position > 0.85) && share < 0.15;
}

/** The navigation of an archive names places that the page may not mark: they become headings. */
function withNavigationHeadings(blocks: readonly Block[]): Block[] {
  const result: Block[] = [];
  let skipping = false;
  for (const [index, block] of blocks.entries()) {
    if (block.kind !== "section") {
      if (!skipping) result.push(block);
      continue;
    }
    skipping = block.role === "paratext";
    const next = blocks[index + 1];
    if (!skipping && block.title !== null && next?.kind === "paragraph") {
      result.push({ kind: "heading", lines: [block.title], level: 2 });
    }
  }
  return result;
}

function proseWords(blocks: readonly Block[]): number {
  let words = 0;
  for (const block of blocks) {
    const count = block.kind === "paragraph" ? countWords(block.text) : 0;
    if (count >= PROSE_PARAGRAPH_WORDS) words += count;
  }
  return words;
}

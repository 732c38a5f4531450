import { recogniseHeading } from "../chapters/recognise.ts";
import type { Block } from "../manuscript.ts";
import type { Layout } from "./plain-text-layout.ts";

const BREAK = /^[\s　]*(?:[*＊•·~#◆◇○●]|\* )(?:[\s　]*[*＊•·~#◆◇○●]){0,9}[\s　]*$/u;

export function linesToBlocks(lines: readonly string[], layout: Layout): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  const flush = () => {
    if (paragraph.length > 0) pushParagraph(blocks, paragraph, layout);
    paragraph = [];
  };
  for (const line of lines) {
    const trimmed = line.trim();
    if (trimmed === "") {
      flush();
      continue;
    }
    if (trimmed.length < 40 && BREAK.test(trimmed)) {
      flush();
      blocks.push({ kind: "break" });
      continue;
    }
    if (startsParagraph(line, trimmed, paragraph, layout)) flush();
    paragraph.push(trimmed);
  }
  flush();
  return blocks;
}

function startsParagraph(line: string, trimmed: string, paragraph: readonly string[], layout: Layout): boolean {
  if (paragraph.length === 0) return false;
  switch (layout.paragraphs) {
    case "line":
      return true;
    case "indent":
      return /^[\s　]/u.test(line);
    case "blank": {
      // A heading glued to the text under it, as some makers leave it.
      return paragraph.length === 1 && isGluedHeading(paragraph[0]!, trimmed);
    }
    default:
      return layout.paragraphs satisfies never;
  }
}

/** "CHAPTER IV" directly above a line of prose; a second short line is its title and stays with it. */
function isGluedHeading(heading: string, next: string): boolean {
  if (next.length < 50) return false;
  const recognition = recogniseHeading(heading);
  return recognition?.kind === "chapter" && (recognition.rest === "" || heading === heading.toUpperCase());
}

const LONGEST_HEADING_LINES = 6;

function pushParagraph(blocks: Block[], lines: readonly string[], layout: Layout): void {
  if (lines.length <= LONGEST_HEADING_LINES && lines[0]!.length < 160 && mayBeHeading(lines)) {
    blocks.push({ kind: "heading", lines, level: 0 });
  } else if (lines.length >= 2 && (isList(lines) || isUnderContents(blocks, lines))) {
    // A table of contents set as one block: each line a candidate of its own.
    for (const line of lines) {
      blocks.push(
        recogniseHeading(line) ? { kind: "heading", lines: [line], level: 0 } : { kind: "paragraph", text: line },
      );
    }
  } else {
    blocks.push({ kind: "paragraph", text: joinLines(lines, layout) });
  }
}

function mayBeHeading(lines: readonly string[]): boolean {
  if (recogniseHeading(lines[0]!)) return true;
  return lines.length <= 2 && lines[0]!.length < 70 && isCapitals(lines[0]!);
}

function isCapitals(line: string): boolean {
  return line === line.toUpperCase() && /\p{Lu}.*\p{Lu}/u.test(line) && !/[,;?!]["”’']?$/.test(line);
}

/** The lines right under "CONTENTS" are its entries, even where they have no numbers. */
function isUnderContents(blocks: readonly Block[], lines: readonly string[]): boolean {
  const previous = blocks.at(-1);
  if (previous?.kind !== "heading" || lines.some((line) => line.length > 80)) return false;
  return recogniseHeading(previous.lines[0]!)?.kind === "paratext";
}

function isList(lines: readonly string[]): boolean {
  if (!lines.slice(0, 3).some((line) => recogniseHeading(line))) return false;
  let entries = 0;
  for (const line of lines) if (line.length < 90 && recogniseHeading(line)) entries++;
  return entries >= 3 && entries >= lines.length * 0.5;
}

/** Hard-wrapped lines become one; Han lines join without a space, and a word broken by a hyphen becomes whole. */
function joinLines(lines: readonly string[], layout: Layout): string {
  if (lines.length === 1) return lines[0]!.replace(/\s{2,}/g, " ");
  let text = lines[0]!;
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index]!;
    const last = text.charCodeAt(text.length - 1);
    if (layout.hyphenated && last === 0x2d && /\p{Ll}-$/u.test(text) && /^\p{Ll}/u.test(line)) {
      text = text.slice(0, -1) + line;
    } else if (last === 0x2d && /[\p{L}-]-$/u.test(text)) text += line;
    else if (last >= 0x2e80 && line.charCodeAt(0) >= 0x2e80) text += line;
    else text += ` ${line}`;
  }
  return text.replace(/\s{2,}/g, " ");
}

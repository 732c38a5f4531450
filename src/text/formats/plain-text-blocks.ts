import { recogniseHeading } from "../chapters/recognise.ts";
import { isTitleCase } from "../chapters/title-case.ts";
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
    if (startsParagraph(line, paragraph, layout)) flush();
    paragraph.push(trimmed);
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
      return /^[\s　]/u.test(line);
    case "blank":
      return false;
    default:
      return layout.paragraphs satisfies never;
  }
}

/** "CHAPTER IV" directly above prose, as some makers leave it; a short line, or a title over several, stays with it. */
function isGluedHeading([heading = "", ...rest]: readonly string[]): boolean {
  if (rest.length === 0 || rest[0]!.length < 50) return false;
  const recognition = recogniseHeading(heading);
  if (recognition?.kind !== "chapter" || (recognition.rest !== "" && heading !== heading.toUpperCase())) return false;
  const below = rest.join(" ");
  return below.length > LONGEST_TITLE || !isTitleCase(below);
}

const LONGEST_TITLE = 200;

const LONGEST_HEADING_LINES = 6;

/** Some Chinese sites set this before every heading, numbered or not. */
const SITE_HEADING = /^[☆★]、.{1,40}$/u;

function pushParagraph(blocks: Block[], lines: readonly string[], layout: Layout): void {
  if (lines.length === 1 && SITE_HEADING.test(lines[0]!)) {
    blocks.push({ kind: "heading", lines: [lines[0]!.slice(2).trim()], level: 2 });
    return;
  }
  if (layout.paragraphs === "blank" && isGluedHeading(lines)) {
    blocks.push({ kind: "heading", lines: lines.slice(0, 1), level: 0 });
    pushParagraph(blocks, lines.slice(1), layout);
  } else if (lines.length <= LONGEST_HEADING_LINES && lines[0]!.length < 160 && mayBeHeading(lines)) {
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
    if (layout.compounds !== null && last === 0x2d && isBrokenWord(text, line, layout.compounds)) {
      text = text.slice(0, -1) + line;
    } else if (last === 0x2d && /[\p{L}-]-$/u.test(text)) text += line;
    else if (last >= 0x2e80 && line.charCodeAt(0) >= 0x2e80) text += line;
    else text += ` ${line}`;
  }
  return text.replace(/\s{2,}/g, " ");
}

/** "inter-" and "esting" are one word; "well-" and "known" keep their hyphen where the text writes them so elsewhere. */
function isBrokenWord(text: string, next: string, compounds: ReadonlySet<string>): boolean {
  const tail = /^\p{Ll}+/u.exec(next)?.[0];
  const head = /[\p{L}-]*\p{Ll}-$/u.exec(text.slice(-60))?.[0];
  return tail !== undefined && head !== undefined && !compounds.has((head + tail).toLowerCase());
}

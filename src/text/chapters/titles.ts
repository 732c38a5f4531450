import type { Block } from "../manuscript.ts";
import { recogniseHeading } from "./recognise.ts";
import type { Recognition } from "./recognition.ts";
import { isTitleCase, mayBeTitle } from "./title-case.ts";

/** A title as two files of one book would both write it: no case, no marks, no page number at the end. */
export function headingKey(title: string): string {
  const plain = ASCII.test(title) ? title : title.normalize("NFKD").replace(/\p{M}/gu, "");
  return plain
    .toLowerCase()
    .replace(/[\s.…·_-]+\d{1,4}\s*$/u, "")
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const ASCII = /^[\x20-\x7e]*$/;

/** "CHAPTER I." and "THE PERIOD" as one line: "CHAPTER I. THE PERIOD". */
export function joinTitle(lines: readonly string[]): string {
  const parts = lines
    .map((line) =>
      line
        // The mark of a footnote; alone it is the heading.
        .replace(/(\S.*)\[\w{1,3}\]\s*$/, "$1")
        .replace(/^[\s*_=~#]+|[\s*_=~#]+$/g, "")
        .replace(/\s+/g, " "),
    )
    .filter(Boolean);
  let title = parts[0] ?? "";
  for (const part of parts.slice(1)) title += /[.:!?—–-]$/.test(title) ? ` ${part}` : `: ${part}`;
  return title;
}

const LONGEST_SUBTITLE = 100;
const LONGEST_TITLE = 140;

/**
 * The title that stands under a bare label ("CHAPTER IV"), in a block of its own: another heading, or one short line that
 * is written like a title and is followed by prose.
 */
export function subtitleOf(
  { recognition: label, lines }: { readonly recognition: Recognition | null; readonly lines: readonly string[] },
  next: Block | undefined,
  afterNext: Block | undefined,
): readonly string[] {
  if (label === null || label.kind === "paratext" || label.rest !== "" || lines.length > 1) return [];
  if (!next || !afterNext) return [];
  if (afterNext.kind === "section") return [];
  if (next.kind === "heading") {
    const isMarked =
      next.level > 0 || isTitleLike(next.lines[0] ?? "") || isOverProse(next.lines.join("\n"), afterNext);
    return isMarked && isPlain(next.lines[0] ?? "") ? next.lines : [];
  }
  // The one line of a very short chapter is its text.
  if (afterNext.kind === "heading" && recogniseHeading(afterNext.lines[0] ?? "")?.kind === "chapter") return [];
  if (next.kind !== "paragraph" || next.text.length > (isCapitals(next.text) ? LONGEST_TITLE : LONGEST_SUBTITLE))
    return [];
  // Under "Letter 1" stands whom it is written to, and from where.
  if (label.series === "letter") return [];
  const isTitle = isTitleLike(next.text) || isOverProse(next.text, afterNext);
  return isTitle && isPlain(next.text) ? next.text.split("\n") : [];
}

/** "Le retour", "Возвращение домой": most languages write a title like a sentence, without its full stop. */
function isOverProse(text: string, next: Block): boolean {
  if (text.length > LONGEST_SENTENCE_TITLE || text.includes("\n") || /^\d|\d$/.test(text)) return false;
  return mayBeTitle([text]) && next.kind === "paragraph" && next.text.length > text.length;
}

const LONGEST_SENTENCE_TITLE = 50;

/**
 * No heading of its own; "I SET OFF UPON MY JOURNEY" begins with a pronoun, not with a number, and under "CHAPTER LIX" stands
 * "CONCLUSION" as its title.
 */
function isPlain(line: string): boolean {
  const recognition = recogniseHeading(line);
  if (recognition === null || recognition.kind === "named") return true;
  return recognition.kind === "numeral" && recognition.rest !== "";
}

/** A heading's own lines, cut where a title ends and a summary of the chapter begins. */
export function splitHeadingLines(lines: readonly string[]): { title: readonly string[]; rest: readonly string[] } {
  let length = lines[0]?.length ?? 0;
  let count = 1;
  while (count < lines.length && length + lines[count]!.length <= LONGEST_TITLE) length += lines[count++]!.length;
  return { title: lines.slice(0, count), rest: lines.slice(count) };
}

function isTitleLike(text: string): boolean {
  if (text.charCodeAt(0) >= 0x2e80) return text.length <= 40 && !/[。，！？；：“”「」…,.!?;:]/u.test(text);
  // In capitals a line may end as it likes: COME AWAY, COME AWAY! or THE LETTER SIGNED “BELLA”.
  if (isCapitals(text)) return !/[,;:—–-]$/.test(text) && (!/^["“]/.test(text) || /["”]$/.test(text));
  const quoted = /^["“]([^"”.,;!?]{3,60})["”]$/.exec(text)?.[1];
  if (quoted !== undefined) return /\s/.test(quoted) && isTitleCase(quoted);
  if (/[,;:!?"”’'-]$/.test(text) && !/[“"][^”".,;]+[”"]$/.test(text)) return false;
  if (/^["“‘«—]/.test(text)) return false;
  return isTitleCase(text) && (!/\.$/.test(text) || text.split(/\s+/).length <= 10);
}

function isCapitals(text: string): boolean {
  return text === text.toUpperCase() && /\p{Lu}.*\p{Lu}/u.test(text);
}

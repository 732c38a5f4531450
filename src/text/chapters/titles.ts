import type { Block, Recognition } from "../manuscript.ts";
import { ORNAMENTS, recogniseHeading } from "./recognise.ts";
import { isTitleCase, mayBeTitle } from "./title-case.ts";

/** A title in the form that two files of one book have in common: no case, no marks, no page number at the end. */
export function headingKey(title: string): string {
  if (title === "") return "";
  const plain = ASCII.test(title) ? title : title.normalize("NFKD").replace(/\p{M}/gu, "");
  return withoutPageNumber(plain.toLowerCase())
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

const ASCII = /^[\x20-\x7e]*$/;
const PAGE_NUMBER = /(?<=[\s.…·_-])\d{1,4}\s*$/u;

function withoutPageNumber(title: string): string {
  const end = title.trimEnd();
  // A page number ends with a digit. Without this check the search would start again at every dot of a dotted line.
  return isDigit(end.charCodeAt(end.length - 1)) ? end.replace(PAGE_NUMBER, "") : title;
}

function isSmallLetter(unit: number): boolean {
  return unit >= 97 && unit <= 122;
}

function isDigit(unit: number): boolean {
  return unit >= 48 && unit <= 57;
}

/** "CHAPTER I." and "THE PERIOD" as one line: "CHAPTER I. THE PERIOD". */
export function joinTitle(lines: readonly string[]): string {
  const parts = lines.map(titleLine).filter(Boolean);
  let title = parts[0] ?? "";
  for (let at = 1; at < parts.length; at++) {
    title += `${CLOSING_MARKS.includes(parts[at - 1]!.slice(-1)) ? "" : ":"} ${parts[at]!}`;
  }
  return title;
}

const CLOSING_MARKS = ".:!?—–-";

/** A line without the marks that set it off and without the mark of a footnote, unless that is all there is. */
function titleLine(line: string): string {
  let from = 0;
  let to = line.length;
  while (from < to && isTitleMark(line.charCodeAt(from))) from++;
  if (from === to) return "";
  const text = line.trimEnd();
  const note = text.endsWith("]") ? FOOTNOTE_MARK.exec(text.slice(-LONGEST_FOOTNOTE_MARK)) : null;
  if (note && text.slice(0, -note[0].length).trim() !== "") to = text.length - note[0].length;
  while (to > from && isTitleMark(line.charCodeAt(to - 1))) to--;
  const title = line.slice(from, to).replace(SITE_LABEL, "");
  return UNEVEN.test(title) ? title.replace(/\s+/g, " ") : title;
}

const FOOTNOTE_MARK = /\[\w{1,3}\]$/;
const LONGEST_FOOTNOTE_MARK = 5;
const UNEVEN = /\s{2}|[^\S ]/;

function isTitleMark(unit: number): boolean {
  // Almost every title begins and ends with a letter.
  if (unit > 96 ? unit < 123 : unit > 64 && unit < 91) return false;
  return TITLE_MARK.test(String.fromCharCode(unit));
}

const TITLE_MARK = new RegExp(`[\\s*_=~#${ORNAMENTS}]`, "u");
/** 正文 第三章: websites put the word for "text" before every heading. */
const SITE_LABEL = /^(?:正文卷?|正篇|本文)[\s　：:]*(?=第)/u;

const LONGEST_SUBTITLE = 100;
const LONGEST_TITLE = 140;

/**
 * The title below a bare label ("CHAPTER IV"), in a block of its own: another heading, or one short line that is
 * written like a title and is followed by prose.
 */
export function subtitleOf(
  { recognition: label, lines }: { readonly recognition: Recognition | null; readonly lines: readonly string[] },
  next: Block | undefined,
  afterNext: Block | undefined,
): readonly string[] {
  if (label === null || label.kind === "paratext" || label.rest !== "" || lines.length > 1) return [];
  if (!next || !afterNext) return [];
  if (afterNext.kind === "section") return [];
  // The addressee and the place are below "Letter 1".
  if (label.series === "letter" && (next.kind !== "heading" || next.level === 0)) return [];
  if (next.kind === "heading") {
    const isMarked =
      next.level > 0 || isTitleLike(next.lines[0] ?? "") || isOverProse(next.lines.join("\n"), afterNext);
    return isMarked && isPlain(next.lines[0] ?? "") ? next.lines : [];
  }
  // No kind of title begins with a lower-case letter.
  if (next.kind !== "paragraph" || isSmallLetter(next.text.charCodeAt(0))) return [];
  // In a very short chapter, the one line is its text.
  if (afterNext.kind === "heading" && recogniseHeading(afterNext.lines[0] ?? "")?.kind === "chapter") return [];
  if (next.text.length > (isCapitals(next.text) ? LONGEST_TITLE : LONGEST_SUBTITLE)) return [];
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
 * Whether a line is not itself a heading. "I SET OFF UPON MY JOURNEY" begins with a pronoun, not with a number, and "CONCLUSION"
 * may be the title of "CHAPTER LIX".
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
  // A line in capitals may end with any mark: COME AWAY, COME AWAY! or THE LETTER SIGNED “BELLA”.
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

/** One line of a reply, freed of its markup. `depth` grows as the line stands deeper: headings lie below zero. */
export interface ReplyLine {
  readonly text: string;
  readonly depth: number;
  readonly heading: boolean;
  /** The markup around the line: two labels with the same markup are of one rank. */
  readonly markup: string;
  /** A blank line stands before it. */
  readonly apart: boolean;
}

/** Whether its markup alone sets the line off from prose and from lists. */
export const isSetOff = ({ markup }: ReplyLine) => markup !== "0|||" && markup !== "0||b|";

const BLOCK_TAG = /<\/?(?:p|br|div|li|ul|ol|h[1-6]|tr|table|section|hr)\b[^>]*>/gi;
const INLINE_TAG = /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/gi;
/** `[Review] …` or `【情节】…` at the start of a line, but no link and no `[85]`. */
const BRACKET_LABEL =
  /^((?:[^\S\n]|[#*+-]){0,40}(?:\d{1,2}[.)] {0,4})?\*{0,4})[[【]([\p{L}][\p{L} &/-]{1,40})[\]】](?![([])\**[:：]?\**[^\S\n]*/gmu;
/** `[Score] 7` at the end of a paragraph. */
const BRACKET_SCORE =
  /(?<=\S)[^\S\n]*[[【]((?:overall |final )?(?:score|rating)|总?评分|总?得分|总分)[\]】][:：]?[^\S\n]*(?=\d)/giu;
/** Stands for ½ while NFKC, which would make it 1⁄2, is at work. */
const HALF = "\ue000";
const BULLET = /^(?:[-+•·●▪◦‣–—]|\*(?!\*))\s+/;
const ORDINAL =
  /^(?:\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])[.)、]\)?|[（(]?[一二三四五六七八九十]{1,3}[)）、.]|[①-⑳]|第[一二三四五六七八九十]+[,、:])\s*(?![\d])/i;

/**
 * A reply as lines of plain text: HTML and Markdown taken off (and remembered), full-width
 * punctuation made plain. Quoted lines (`> …`) and code are left out, since what stands there was written by somebody else.
 */
export function replyLines(reply: string): ReplyLine[] {
  // No pattern below need look through more white space than shows.
  const text = withoutFormerScores(reply.replace(/(?<=\S)[^\S\n]{3,}/g, "  "))
    .replace(/\r\n?/g, "\n")
    .replace(BLOCK_TAG, "\n")
    .replace(INLINE_TAG, "")
    .replace(/~~[^~\n]*~~/g, "")
    .replace(BRACKET_LABEL, "$1$2: ")
    .replace(BRACKET_SCORE, "\n$1: ")
    .replace(/\ufe0f/g, "");
  const lines: ReplyLine[] = [];
  let apart = false;
  for (const raw of text.split("\n")) {
    if (/^\s*(?:>|```)/.test(raw)) continue;
    const line = withoutMarkup(raw);
    if (line.text !== "") lines.push({ ...line, apart });
    apart = line.text === "";
  }
  return lines;
}

function withoutMarkup(raw: string): Omit<ReplyLine, "apart"> {
  const indent = /^\s*/.exec(raw)![0].replaceAll("\t", "    ").length;
  let rest = raw.trim().replaceAll("½", HALF).normalize("NFKC").replaceAll(HALF, "½");
  const heading = /^(#{1,6})\s*/.exec(rest);
  if (heading) rest = rest.slice(heading[0].length);
  const bullet = BULLET.test(rest);
  rest = rest.replace(BULLET, "");
  const boldBefore = /^(?:\*\*|__)/.test(rest);
  rest = plain(rest);
  const ordinal = ORDINAL.exec(rest);
  if (ordinal) rest = rest.slice(ordinal[0].length);
  const level = heading ? heading[1]!.length : 0;
  return {
    text: rest.trim(),
    heading: level > 0,
    depth: level > 0 ? level - 10 : indent + (bullet ? 1 : 0),
    markup: `${level}|${ordinal ? "n" : ""}|${bullet ? "b" : ""}|${boldBefore ? "*" : ""}`,
  };
}

/** Emphasis, code marks and strike-through taken off. */
function plain(text: string): string {
  return text
    .replace(/\*+|`+|__+/g, "")
    .replace(/(?<![\p{L}\p{N}])_([^_\n]+)_(?![\p{L}\p{N}])/gu, "$1")
    .replace(/\\([_*#[\]().+!-])/g, "$1")
    .trim();
}

const UPDATES = /\b(?:updat|revis|previous)|更新|修订|上一/i;
const ARROW = /\d+(?:\.\d+)?(?:\/\d+)?\**\s*(?:→|➜|➔|->|=>)\s*(?=\**\d)/g;

/** `70 → 73` gives 73 in a reply that says that it updates an earlier one. */
function withoutFormerScores(reply: string): string {
  return UPDATES.test(reply) ? reply.replace(ARROW, "") : reply;
}

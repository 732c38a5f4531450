/** One line of a reply, freed of its markup. `depth` grows as the line stands deeper: headings lie below zero. */
export interface ReplyLine {
  readonly text: string;
  readonly depth: number;
  readonly heading: boolean;
  /** How the line is dressed: two labels dressed alike are of one rank. */
  readonly dress: string;
  /** A blank line stands before it. */
  readonly apart: boolean;
}

const THINKING = /<(think|thinking|reasoning)>[\s\S]*?(?:<\/\1>|$)/gi;
const VALUE_TAG =
  /<(?!(?:b|i|u|em|strong|span|code|p|li|h[1-6]|td|th|small|mark|summary|details)>)([\p{L}_][\p{L}\p{N}_ -]{0,40})>\s*([^<>\n]{1,24}?)\s*<\/\1>/gu;
/** `<aspect name="Plot">`, or `<plot_and_structure>` on a line of its own, heads what stands within it. */
const NAMED_TAG = /<[\p{L}_][\w-]*\s[^<>\n]*\b(?:name|id|title|label|aspect)\s*=\s*["']([^"'\n]{1,60})["'][^<>\n]*>/gu;
const HEADING_TAG =
  /^[^\S\n]*<(?!(?:p|br|div|li|ul|ol|h[1-6]|tr|td|th|table|thead|tbody|section|hr|html|body|b|i|em|strong|span|code|pre|details|summary)>)([\p{L}_][\p{L}\p{N}_ -]{0,40})>[^\S\n]*$/gmu;
const BLOCK_TAG = /<\/?(?:p|br|div|li|ul|ol|h[1-6]|tr|table|section|hr)\b[^>]*>/gi;
const INLINE_TAG = /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/gi;
/** `[Review] …` or `【情节】…` at the start of a line, but no link and no `[85]`. */
const BRACKET_LABEL =
  /^((?:[^\S\n]|[#*+-])*(?:\d{1,2}[.)]\s*)?\**)[[【]([\p{L}][\p{L} &/-]{1,40})[\]】](?![([])\**[:：]?\**[^\S\n]*/gmu;
/** `[Score] 7` at the end of a paragraph. */
const BRACKET_SCORE =
  /(?<=\S)[^\S\n]*[[【]((?:overall |final )?(?:score|rating)|总?评分|总?得分|总分)[\]】][:：]?[^\S\n]*(?=\d)/giu;
/** Stands for ½ while NFKC, which would make it 1⁄2, is at work. */
const HALF = "\ue000";
const BULLET = /^(?:[-+•·●▪◦‣–—]|\*(?!\*))\s+/;
const ORDINAL =
  /^(?:\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])[.)、]\)?|[（(]?[一二三四五六七八九十]{1,3}[)）、.]|[①-⑳]|第[一二三四五六七八九十]+[,、:])\s*(?![\d])/i;

/**
 * A reply as lines of plain text: thinking removed, HTML and Markdown dress taken off (and remembered), full-width
 * punctuation made plain. Quoted lines (`> …`) and code are left out, since what stands there was written by somebody else.
 */
export function replyLines(reply: string): ReplyLine[] {
  // No pattern below need look through more white space than shows.
  const text = withoutFormerScores(reply.replace(/(?<=\S)[^\S\n]{3,}/g, "  "))
    .replace(THINKING, "")
    .replace(/\r\n?/g, "\n")
    .replace(VALUE_TAG, "\n$1: $2\n")
    .replace(NAMED_TAG, "\n### $1\n")
    .replace(HEADING_TAG, "### $1")
    .replace(BLOCK_TAG, "\n")
    .replace(INLINE_TAG, "")
    .replace(/~~[^~\n]*~~/g, "")
    .replace(BRACKET_LABEL, "$1$2: ")
    .replace(BRACKET_SCORE, "\n$1: ")
    .replace(/\ufe0f/g, "")
    .replace(/(\d)\s*½/g, "$1.5");
  const lines: ReplyLine[] = [];
  let apart = false;
  for (const raw of withFramedScores(text.split("\n"))) {
    if (/^\s*(?:>|```)/.test(raw)) continue;
    const line = undress(raw);
    if (line.text !== "") lines.push({ ...line, apart });
    apart = line.text === "";
  }
  return lines;
}

const FRAMED_SCORE =
  /^\s*>[\s*_]*(?:(?:overall|final)\s+)?(?:score|rating)[\s*_]*[:：][\s*_]*\d+(?:\.\d+)?(?:\s*\/\s*\d+)?[\s*_]*$/i;
const OPEN_SCORE = /^(?!\s*>).*\b(?:score|rating)\b[\s*_]*[:：]/im;
/** One framed score alone may be somebody else's. */
const FEWEST_FRAMED = 3;

/** Where a reply frames all its scores (`> **Score: 85**`, each in a block of its own) the frame is an ornament, no quotation. */
function withFramedScores(lines: readonly string[]): readonly string[] {
  const quoted = (line: string | undefined) => line !== undefined && /^\s*>/.test(line);
  const framed = lines.map((line, at) => FRAMED_SCORE.test(line) && !quoted(lines[at - 1]) && !quoted(lines[at + 1]));
  if (framed.filter(Boolean).length < FEWEST_FRAMED || lines.some((line) => OPEN_SCORE.test(line))) return lines;
  return lines.map((line, at) => (framed[at] ? line.replace(/^\s*>\s*/, "") : line));
}

function undress(raw: string): Omit<ReplyLine, "apart"> {
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
    dress: `${level}|${ordinal ? "n" : ""}|${bullet ? "b" : ""}|${boldBefore ? "*" : ""}`,
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
const MOVED = "(?:raised|lowered|increased|decreased|adjusted|changed|updated|revised|up|down)";
const NUMBER = "\\d+(?:\\.\\d+)?(?:/\\d+)?";
const MOVED_SCORE = new RegExp(
  `\\b(score|rating) (?:is |was |has been )?(?:${MOVED} (?:from ${NUMBER} )?to|(?:stays|remains)(?: unchanged)? at) (?=\\**\\d)`,
  "gi",
);
const MOVED_FROM = new RegExp(`\\b${MOVED} from ${NUMBER} to (?=\\**\\d)`, "gi");
const THEN_AND_NOW = new RegExp(
  `\\bpreviously ${NUMBER}[,;]? (?:and )?now (?=\\**\\d)|(?:此前|之前|原为|上次)${NUMBER}分?[，,]?(?:现为|现在|如今)(?=\\d)`,
  "gi",
);
const ARROW = new RegExp(`${NUMBER}\\**\\s*(?:→|➜|➔|->|=>)\\s*(?=\\**\\d)`, "g");

/** `raised from 70 to 73` and `previously 70, now 73` give 73, and so does `70 → 73` in a reply that says that it updates an earlier one. */
function withoutFormerScores(reply: string): string {
  const text = reply.replace(MOVED_SCORE, "$1: ").replace(MOVED_FROM, "").replace(THEN_AND_NOW, "");
  return UPDATES.test(text) ? text.replace(ARROW, "") : text;
}

import { z } from "zod";

/** One line of a reply, without its markup. `depth` is larger for deeper lines and negative for headings. */
export interface ReplyLine {
  readonly text: string;
  readonly depth: number;
  readonly heading: boolean;
  /** The markup around the line: two labels with the same markup have the same level. */
  readonly markup: string;
  /** A blank line precedes it. */
  readonly apart: boolean;
}

/** Whether its markup alone distinguishes the line from prose and lists. */
export const isSetOff = ({ markup }: ReplyLine) => markup !== "0|||" && markup !== "0||b|";

const BLOCK_TAG = /<\/?(?:p|br|div|li|ul|ol|h[1-6]|tr|table|section|hr)\b[^>]*>/gi;
const INLINE_TAG = /<\/?[a-z][\w-]*(?:\s[^<>]*)?\/?>/gi;
/** `[Review] …` or `【情节】…` at the start of a line, but no link and no `[85]`. */
const BRACKET_LABEL =
  /^((?:[^\S\n]|[#*+-]){0,40}(?:\d{1,2}[.)] {0,4})?\*{0,4})[[【]([\p{L}][\p{L} &/-]{1,40})[\]】](?![([])\**[:：]?\**[^\S\n]*/gmu;
/** `[Score] 7` at the end of a paragraph. */
const BRACKET_SCORE =
  /(?<=\S)[^\S\n]*[[【]((?:overall |final )?(?:score|rating)|总?评分|总?得分|总分)[\]】][:：]?[^\S\n]*(?=\d)/giu;
/** Stands for ½ during NFKC normalisation, which would turn it into 1⁄2. */
const HALF = "\ue000";
const BULLET = /^(?:[-+•·●▪◦‣–—]|\*(?!\*))\s+/;
const ORDINAL =
  /^(?:\(?(?:\d{1,2}|[ivx]{1,4}|[a-h])[.)、]\)?|[（(]?[一二三四五六七八九十]{1,3}[)）、.]|[①-⑳]|第[一二三四五六七八九十]+[,、:])\s*(?![\d])/i;

/**
 * A reply as lines of plain text: HTML and Markdown are removed (and remembered), full-width punctuation is made
 * plain. Quoted lines (`> …`) and code are left out, since they were written by somebody else.
 */
export function replyLines(reply: string): ReplyLine[] {
  // Shortens white space, so that no pattern below has to look through long runs of it.
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

/** Removes emphasis, code marks and strike-through. */
function plain(text: string): string {
  return text
    .replace(/\*+|`+|__+/g, "")
    .replace(/(?<![\p{L}\p{N}])_([^_\n]+)_(?![\p{L}\p{N}])/gu, "$1")
    .replace(/\\([_*#[\]().+!-])/g, "$1")
    .trim();
}

const UPDATES = /\b(?:updat|revis|previous)|更新|修订|上一/i;
const ARROW = /\d+(?:\.\d+)?(?:\/\d+)?\**\s*(?:→|➜|➔|->|=>)\s*(?=\**\d)/g;

/** `70 → 73` becomes 73 in a reply that says it updates an earlier one. */
function withoutFormerScores(reply: string): string {
  return UPDATES.test(reply) ? reply.replace(ARROW, "") : reply;
}

/** One saved reply, with the name that its file gives it. */
interface SavedReply {
  readonly id: string | null;
  readonly text: string;
}

const TEXT_FIELDS = ["reply", "response", "output", "completion", "text", "content", "review", "evaluation", "answer"];
const ID_FIELDS = ["id", "book", "book_id", "title", "key"];
const fields = z.record(z.string(), z.unknown());
const texts = z.array(z.string()).min(1);
const named = z.record(z.string(), z.union([z.string(), texts]));

/**
 * The replies in a file: one as plain text or Markdown, or several as a JSON list, a JSON object from names to
 * replies, or JSON lines, each a text or a record with the text in a field such as `response`.
 */
export function splitReplies(content: string): SavedReply[] {
  const whole = parseJson(content);
  if (whole !== undefined) return fromDocument(whole) ?? [{ id: null, text: content }];
  const lines = content.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 1) {
    const records = lines.map((line) => {
      const value = parseJson(line);
      return value === undefined ? null : fromItem(value);
    });
    if (records.every((record) => record !== null)) return records.flat();
  }
  return [{ id: null, text: content }];
}

function fromDocument(value: unknown): SavedReply[] | null {
  if (typeof value === "string") return [{ id: null, text: value }];
  if (Array.isArray(value)) {
    const items = value.map(fromItem);
    return items.every((item) => item !== null) ? items.flat() : null;
  }
  const record = fromItem(value);
  if (record) return record;
  const byName = named.safeParse(value);
  if (!byName.success) return null;
  // Short values are the scores and remarks of one reply, not replies.
  const replies = Object.entries(byName.data).flatMap(([id, given]) => [given].flat().map((text) => ({ id, text })));
  return replies.every(({ text }) => text.length > 80 && text.includes("\n")) ? replies : null;
}

function fromItem(value: unknown): SavedReply[] | null {
  if (typeof value === "string") return [{ id: null, text: value }];
  const record = fields.safeParse(value);
  if (!record.success) return null;
  const name = ID_FIELDS.map((field) => record.data[field]).find(
    (id) => typeof id === "string" || typeof id === "number",
  );
  const id = name === undefined ? null : String(name);
  for (const field of TEXT_FIELDS) {
    const given = record.data[field];
    if (typeof given === "string") return [{ id, text: given }];
    const list = texts.safeParse(given);
    if (list.success) return list.data.map((text) => ({ id, text }));
  }
  return null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

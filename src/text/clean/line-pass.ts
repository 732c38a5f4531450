import { sumBy } from "../../stats/distribution/sum-by.ts";
import type { Removal } from "../book.ts";
import { recogniseHeading } from "../chapters/recognise.ts";
import { countWords } from "../words.ts";
import {
  CERTAIN_END_RULES,
  END_SHARE,
  LIKELY_END_RULES,
  type LineRule,
  SKIP_RULES,
  START_RULES,
} from "./line-rules.ts";

export interface LinePass {
  /** The story is `lines[from]` up to, not including, `lines[to]`. */
  readonly from: number;
  readonly to: number;
  /** Lines in between that are no narrative. */
  readonly skipped: ReadonlyMap<number, string>;
  readonly removed: readonly Removal[];
}

interface LineKinds {
  /** Lines that are known to be no noise. */
  readonly headings?: ReadonlySet<number>;
  /** Whether each line is a whole paragraph, however long. */
  readonly areWhole?: boolean;
}

/** LiteraryQA's second algorithm: find where the story starts and ends, and what in between is noise. */
export function passOverLines(
  lines: readonly string[],
  where: (line: number) => string,
  { headings = new Set(), areWhole = false }: LineKinds = {},
): LinePass {
  let from = 0;
  let startRule: string | null = null;
  let certain: End | null = null;
  const suspects: number[] = [];
  const startRuleOf = startFinder(lines);
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index]!;
    if (!isSuspect(line) || headings.has(index)) continue;
    const end = matching(CERTAIN_END_RULES, line);
    // A certain end before any story is a header that only mentions it.
    if (end !== null && index > from + MINIMUM_STORY_LINES) {
      certain = { at: index, rule: end };
      break;
    }
    const start = startRuleOf(index);
    if (start !== null) {
      from = index + 1;
      startRule = start;
      suspects.length = 0;
    } else suspects.push(index);
  }
  const limit = certain?.at ?? lines.length;
  const likely = likelyEnd(lines, suspects, from, limit);
  const to = likely?.at ?? limit;
  const skipped = new Map<number, string>();
  for (const index of suspects) {
    const skip = index < to && !skipped.has(index) ? skipRule(lines, index, areWhole) : null;
    // 第三章 归来（求月票）: a heading may beg for votes.
    if (skip === null || recogniseHeading(lines[index]!.trim())?.kind === "chapter") continue;
    const end = skip === "illustration" ? endOfBracket(lines, index, to) : index + 1;
    for (let line = index; line < end; line++) skipped.set(line, skip);
  }
  const removed: Removal[] = [];
  if (startRule !== null) removed.push(beforeStart(lines, startRule, from, where));
  for (const [index, rule] of skipped) {
    const text = lines[index]!.trim();
    if (text !== "") removed.push({ rule, where: where(index), text });
  }
  if (likely !== null) removed.push(endMatter(lines, likely, limit, where));
  if (certain !== null) removed.push(afterNotice(lines, certain, where));
  return { from, to, skipped, removed };
}

/** Finds the rule by which the story starts after a line; a start after which nothing comes is none. */
function startFinder(lines: readonly string[]): (index: number) => string | null {
  const last = lines.findLastIndex((line) => line.trim() !== "");
  const firstOf = new Map<RegExp, number>();
  const stands = (pattern: RegExp, before: number) => {
    const first = firstOf.get(pattern) ?? lines.findIndex((line) => pattern.test(line));
    firstOf.set(pattern, first);
    return first >= 0 && first < before;
  };
  return (index) => {
    if (index >= last) return null;
    const line = lines[index]!;
    const found = START_RULES.find(({ pattern, above }) => pattern.test(line) && (!above || stands(above, index)));
    return found?.rule ?? null;
  };
}

function beforeStart(lines: readonly string[], rule: string, from: number, where: (line: number) => string): Removal {
  const words = sumBy(lines.slice(0, from), countWords);
  const mayBeStory = words > LONGEST_HEADER_WORDS;
  return { rule, where: where(0), text: excerpt(lines, 0, from), ...(mayBeStory && { words, mayBeStory }) };
}

/** Project Gutenberg's old "small print" has about 3,000 words. */
const LONGEST_HEADER_WORDS = 5000;

function skipRule(lines: readonly string[], index: number, areWhole: boolean): string | null {
  const line = lines[index]!;
  const found = SKIP_RULES.find(
    ({ pattern, isOwnLine, proof }) =>
      pattern.test(line) &&
      !(isOwnLine && goesOn(lines[index - 1] ?? "")) &&
      (!proof || isProved(areWhole ? line : paragraphFrom(lines, index), proof)),
  );
  return found?.rule ?? null;
}

/** What a novel says in the words of a notice goes on and speaks of other things. */
function isProved(paragraph: string, { words, from }: NonNullable<LineRule["proof"]>): boolean {
  return words.test(paragraph) || countWords(paragraph) < from;
}

function paragraphFrom(lines: readonly string[], index: number): string {
  const following = lines.slice(index, index + LINES_OF_A_NOTE);
  const end = following.findIndex((line) => line.trim() === "");
  return following.slice(0, end < 0 ? undefined : end).join(" ");
}

/** Whether a sentence of hard-wrapped prose goes on in the next line. */
function goesOn(line: string): boolean {
  return line.length > SHORTEST_WRAPPED && line.length < LONGEST_WRAPPED && /[\p{L}\p{N},;—–-]\s*$/u.test(line);
}

const SHORTEST_WRAPPED = 40;
const LONGEST_WRAPPED = 110;

/** The line after a picture's bracket, which may run over several; the one after its first where nothing closes it nearby. */
function endOfBracket(lines: readonly string[], from: number, to: number): number {
  let depth = 0;
  for (let index = from; index < Math.min(to, from + MOST_CAPTION_LINES); index++) {
    for (const sign of lines[index]!) if (sign === "[" || sign === "]") depth += sign === "[" ? 1 : -1;
    if (depth <= 0) return index + 1;
  }
  return from + 1;
}

const MOST_CAPTION_LINES = 12;
const LINES_OF_A_NOTE = 20;

interface End {
  readonly at: number;
  readonly rule: string;
}

/** "THE END" in the last tenth of what stands before the licence, when no chapter follows. */
function likelyEnd(lines: readonly string[], suspects: readonly number[], from: number, limit: number): End | null {
  let lastHeading: number | null = null;
  for (const at of suspects) {
    if (at < from + (limit - from) * END_SHARE || at <= from + MINIMUM_STORY_LINES) continue;
    const found = LIKELY_END_RULES.find(({ pattern }) => pattern.test(lines[at]!));
    if (!found || isTitle(lines, at)) continue;
    const { rule, proof } = found;
    if (proof && !isProved(lines.slice(at, at + LINES_OF_A_NOTE).join(" "), proof)) continue;
    lastHeading ??= lastHeadingBefore(lines, at, limit);
    if (lastHeading <= at) return { at, rule };
  }
  return null;
}

/** What follows "THE END" is advertising or a transcriber's list as a rule, and an epilogue without a heading now and then. */
function endMatter(
  lines: readonly string[],
  { at, rule }: End,
  limit: number,
  where: (line: number) => string,
): Removal {
  const text = lines.slice(at + 1, limit).join("\n");
  const words = countWords(text);
  const mayBeStory =
    words > FEWEST_STORY_WORDS && !END_BOILERPLATE.test(rule) && !END_BOILERPLATE.test(text.slice(0, 400));
  return { rule, where: where(at), text: excerpt(lines, at, limit), words, ...(mayBeStory && { mayBeStory }) };
}

/** The licence, as a rule. Several books in one file have each their own: what follows the first is no licence. */
function afterNotice(lines: readonly string[], { at, rule }: End, where: (line: number) => string): Removal {
  const words = lines.slice(at).reduce((sum, line) => sum + countWords(line), 0);
  const hasAnother =
    words > LONGEST_LICENCE_WORDS ||
    lines.slice(at).some((line) => isSuspect(line) && matching(START_RULES, line) !== null);
  return {
    ...{ rule, where: where(at), text: excerpt(lines, at, lines.length) },
    ...(hasAnother && { words, mayBeStory: true }),
  };
}

const LONGEST_LICENCE_WORDS = 6000;
const FEWEST_STORY_WORDS = 40;
const END_BOILERPLATE =
  /transcriber|typographical errors|project gutenberg|e-?text|copyright|printed (?:in|by)|by the same author/i;

/** Under "CHAPTER XIV" even "THE END" is a title. */
function isTitle(lines: readonly string[], at: number): boolean {
  let above = at - 1;
  while (above >= 0 && lines[above]!.trim() === "") above--;
  const label = above >= 0 ? recogniseHeading(lines[above]!.trim()) : null;
  return label?.kind === "chapter" && label.rest === "";
}

/** The last line after `end` that begins a piece of the book; `end` itself where none does. */
function lastHeadingBefore(lines: readonly string[], end: number, limit: number): number {
  for (let index = limit - 1; index > end; index--) {
    const kind = recogniseHeading(lines[index]!.trim())?.kind;
    if (kind === "chapter" || kind === "named" || kind === "division") return index;
  }
  return end;
}

const MINIMUM_STORY_LINES = 3;
const LONGEST_SUSPECT = 600;

/**
 * One cheap look before thirty patterns: almost every line of prose passes here unread. The first pattern fails at a
 * line's first letters; the others are plain searches.
 */
const SUSPICIOUS_START =
  /^[\s*_=[({<-]*(?:[[({]|[-–—=_~]{3}|the end|the project|the full|finis?\b|ende\b|конец|end of|start|project g|transcrib|produced|posted originally|please drop|e-?text|this |scanned|html v|updated|note:|page|pg|p\.|left side|right side|\d)/i;
const SUSPICIOUS_HAN = /[完始]|更新|字数|字數|正版|下载|手机|月票|推荐票|收藏|声明|聲明|整理|制作|扫描|预览/;

function isSuspect(line: string): boolean {
  if (line.length === 0 || line.length > LONGEST_SUSPECT) return false;
  if (SUSPICIOUS_START.test(line) || line.includes("://") || line.includes("www.") || line.includes("*END"))
    return true;
  if (line.length >= 150) return false;
  const isHan = line.charCodeAt(line.length >> 1) >= 0x2e80 || line.charCodeAt(0) >= 0x2e80;
  return isHan && SUSPICIOUS_HAN.test(line);
}

function matching(rules: readonly LineRule[], line: string): string | null {
  for (const { rule, pattern } of rules) if (pattern.test(line)) return rule;
  return null;
}

/** Enough of what was cut to recognise it: notices run to hundreds of lines. */
function excerpt(lines: readonly string[], from: number, to: number): string {
  const text = lines
    .slice(from, Math.min(to, from + 400))
    .join("\n")
    .trim();
  return text.length > 4000 ? `${text.slice(0, 4000)}…` : text;
}

import type { Rubric } from "../../criteria/rubric.ts";
import { type LabelReader, labelReader } from "./aspect-labels.ts";
import { type ProperHeadings, properlyHeaded } from "./proper-headings.ts";
import { readInline } from "./read-inline.ts";
import { TableReader } from "./read-table.ts";
import { type ReplyLine, replyLines } from "./reply-lines.ts";
import { Scoreboard } from "./scoreboard.ts";
import { type LabelSplitter, labelSplitter, readNote, splitLabel } from "./split-label.ts";
import { FORMER, readAlone, readPromisedScore, readStandaloneScore } from "./written-score.ts";

const ARITHMETIC = /\b(?:total|average|mean|sum)\b|平均|^总分/i;
const SCORES = /\s*(?:scores?|ratings?|各项评分|评分|得分)\s*$/i;
/** What replies judge though nobody asked: a score beside it is not the book's. */
const OTHER_ASPECTS =
  /^(?:originality|creativity|uniqueness|cover(?: design)?|pacing|humou?r|dialogue|marketability|market appeal|content warnings?|personal (?:bias|preference)|tone|atmosphere|原创性|创意|节奏|对话|幽默)$/i;
const EXAMPLE = /^(?:for example|example|e\.g\.|format|output format|template|例如|示例|格式)\b/i;

/**
 * Reads a reply written as prose with labels: aspects as headings, bold names, list items, tables or inline, each with its
 * critique and a score somewhere in it. It follows the reply's own structure and takes a number only where that
 * structure makes it a score.
 */
export function readMarkdown(reply: string, rubric: Rubric): Scoreboard {
  const label = labelReader(rubric);
  const board = new Scoreboard(rubric);
  const lines = withoutOtherNumbers(replyLines(reply));
  const split = labelSplitter(lines, label);
  const headed = properlyHeaded(lines, label, split, rubric);
  const closesWithNumbers = lines.filter((_line, at) => isClosingNumber(lines, at)).length >= FEWEST_CLOSING;
  const table = new TableReader();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (EXAMPLE.test(line.text)) continue;
    if (table.read(line, label, board) || readSeveral(line, label, board)) continue;
    if (closesWithNumbers && isClosingNumber(lines, at)) board.trailing(readAlone(line.text)!);
    const labelled = readLabelled(line, lines[at + 1], label, board, headed, split);
    if (!labelled) board.say(line.text);
    // What a label has claimed is not read a second time as a score in passing.
    readInline(labelled ? split(line.text).rest : line.text, labelled, label, board);
  }
  return board;
}

/** One number on a line of its own may be a page's or a year's; a reply that ends its sections so means their scores. */
const FEWEST_CLOSING = 3;

/** A bare number on the last line of a paragraph that is more than a label. */
function isClosingNumber(lines: readonly ReplyLine[], at: number): boolean {
  const before = lines[at - 1]?.text ?? "";
  const last = lines[at + 1]?.apart ?? true;
  return last && /[.!?。！？"”)]$/u.test(before) && /^\d{1,3}(?:\.\d+)?$/.test(lines[at]!.text);
}

/** `Label: rest`, `Label (85): rest`, `Label`, alone or with a score. Returns false when the line is prose. */
function readLabelled(
  line: ReplyLine,
  next: ReplyLine | undefined,
  label: LabelReader,
  board: Scoreboard,
  headed: ProperHeadings,
  split: LabelSplitter,
): boolean {
  const alone = readAlone(line.text);
  if (alone?.kind === "score") {
    // `78/100` on a line of its own; a bare number says what it is only right below its label.
    if (alone.score.outOf !== null) board.score("line", alone, line);
    return true;
  }
  const { head, rest } = split(line.text);
  if (head === null) return false;
  const meaning = label(head);
  const note = readNote(head);
  const follows = () => (rest === "" && next ? readAlone(next.text) : null);
  switch (meaning.kind) {
    case "field":
      return false;
    case "unknown":
      board.enterUnknown(line, rest === "", headed.wears(line, rest === "") && line.text.endsWith(":"));
      if (OTHER_ASPECTS.test(head)) board.enterOther();
      return false;
    case "score": {
      const reading = readPromisedScore(rest) ?? note ?? follows();
      if (reading) board.score("line", reading, line);
      return true;
    }
    case "overall": {
      // A sum or an average is arithmetic of the writer's: it counts only where nothing else is said of the whole.
      if (ARITHMETIC.test(head)) {
        const reading = readPromisedScore(rest);
        if (reading) board.overall("said", reading);
        return true;
      }
      board.enterOverall();
      const reading = meaning.scoreWord
        ? (readPromisedScore(rest) ?? note ?? follows())
        : (note ?? readStandaloneScore(rest) ?? follows());
      if (reading) board.overall(meaning.scoreWord ? "named" : "line", reading);
      board.say(rest);
      return true;
    }
    case "aspect": {
      const criterion = meaning.part && board.isIn(meaning.criterion.id) ? meaning.part : meaning.criterion;
      const bare = line.text === head && line.dress === "0|||";
      const ownPart = criterion.parent !== undefined && board.isIn(criterion.parent);
      if (!meaning.exact && (bare || board.isBelow(line))) return false;
      const onlyHeading = meaning.exact && rest === "" && !headed.has(criterion);
      if (!ownPart && !onlyHeading && !headed.wears(line, rest === "") && board.isAside(line)) return false;
      const reading = note ?? (meaning.scoreWord ? readPromisedScore(rest) : readStandaloneScore(rest)) ?? follows();
      if (!ownPart && !reading && headed.isRemark(criterion, line, rest === "")) return false;
      const entered = board.enterAspect(criterion, line, rest === "");
      if (reading) board.aspect(criterion.id, "line", reading);
      if (entered) board.say(rest);
      return true;
    }
    default:
      return meaning satisfies never;
  }
}

/** `Plot: 85, Characters: 80; Overall: 83` on one line. */
function readSeveral({ text }: ReplyLine, label: LabelReader, board: Scoreboard): boolean {
  const [first = "", ...others] = text.split(/\s*[,;，；|、]\s*|\s{2,}/);
  if (others.length === 0) return false;
  const pair = ({ head, rest }: { head: string | null; rest: string }) => {
    const meaning = head === null ? null : label(head);
    const reading = readAlone(rest);
    return reading && (meaning?.kind === "aspect" || meaning?.kind === "overall") ? { meaning, reading } : null;
  };
  const parts = [first, ...others];
  // `Scores at a glance: Plot: 85` has a label for them all before its first.
  const marked = parts.flatMap((part) => pair(splitLabel(part)) ?? pair(splitLabel(splitLabel(part).rest)) ?? []);
  // `情节 81，人物 84`: a number after nothing but a space, so every part of the line must be such a pair.
  const spaced = parts.flatMap((part) => pair(splitSpaced(part)) ?? pair(splitSpaced(splitLabel(part).rest)) ?? []);
  const found = spaced.length === parts.length ? spaced : marked;
  if (found.length < 2) return false;
  if (FORMER.test((splitLabel(first).head ?? "").replace(SCORES, ""))) return true;
  for (const { meaning, reading } of found) {
    if (meaning.kind === "aspect") board.aspect(meaning.criterion.id, "line", reading);
    else board.overall("named", reading);
  }
  return true;
}

function splitSpaced(part: string): { head: string | null; rest: string } {
  const [, head = null, rest = ""] = /^(\D{1,60}?)\s+(\d.*)$/.exec(part) ?? [];
  return { head, rest };
}

const FORMER_SECTION =
  /^(?:previous|prior|earlier|former|old|上次的?|之前的?|此前的?)\s*(?:overall\s+)?(?:evaluations?|assessments?|reviews?|scores?|ratings?|评价|评估|评分)/i;
const PRESENT_SECTION = /^(?:updated?|revised|new|current|更新|修订|当前|本次)/i;
const RANKS = /^(?:rank(?:s|ings?|ed)?\b|排名|排序)/i;

/**
 * Below `### Previous Evaluation` a reply repeats what it was given, until the next heading of its kind; below `Ranking:` it
 * counts places, until the next paragraph.
 */
function withoutOtherNumbers(lines: readonly ReplyLine[]): ReplyLine[] {
  let former: ReplyLine | null = null;
  let ranks = false;
  return lines.filter((line) => {
    const title =
      line.text.length < 60 &&
      (line.text.endsWith(":") || line.dress !== "0|||") &&
      !/[:=]\s*\S/.test(line.text.replace(/\([^)]*\)/g, ""));
    if (title && FORMER_SECTION.test(line.text)) former = line;
    else if (PRESENT_SECTION.test(line.text) || (line.dress !== "0|||" && line.dress === former?.dress)) former = null;
    ranks = (title && RANKS.test(line.text)) || (ranks && !line.apart);
    return former === null && !ranks;
  });
}

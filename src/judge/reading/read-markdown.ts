import type { Rubric } from "../../criteria/rubric.ts";
import { type LabelReader, labelReader } from "./aspect-labels.ts";
import { type ProperHeadings, properlyHeaded } from "./proper-headings.ts";
import { readInline } from "./read-inline.ts";
import { readSeveral } from "./read-several.ts";
import { TableReader } from "./read-table.ts";
import { isSetOff, type ReplyLine, replyLines } from "./reply-lines.ts";
import { Scoreboard } from "./scoreboard.ts";
import { type LabelSplitter, labelSplitter, readNote } from "./split-label.ts";
import { readAlone, readPromisedScore, readStandaloneScore, scaleInNote, withScale } from "./written-score.ts";

const ARITHMETIC = /\b(?:total|average|mean|sum)\b|平均|^总分/i;
/** What replies judge though nobody asked: a score beside it is not the book's. */
const OTHER_ASPECTS =
  /^(?:originality|creativity|uniqueness|cover(?: design)?|pacing|humou?r|dialogue|marketability|market appeal|content warnings?|personal (?:bias|preference)|tone|atmosphere|原创性|创意|节奏|对话|幽默)$/i;

/**
 * Reads a reply written as prose with labels: aspects as headings, bold names, list items, tables or inline, each with its
 * critique and a score somewhere in it. It follows the reply's own structure and takes a number only where that
 * structure makes it a score.
 */
export function readMarkdown(reply: string, rubric: Rubric): Scoreboard {
  const label = labelReader(rubric);
  const board = new Scoreboard(rubric);
  const lines = withoutRanks(replyLines(reply));
  const split = labelSplitter(lines, label);
  const headed = properlyHeaded(lines, label, split, rubric);
  const table = new TableReader();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (table.read(line, label, board) || readSeveral(line, label, board)) continue;
    const labelled = readLabelled(line, lines[at + 1], label, board, headed, split);
    if (!labelled) board.say(line.text);
    // What a label has claimed is not read a second time as a score in passing.
    readInline(labelled ? split(line.text).rest : line.text, labelled, label, board);
  }
  return board;
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
  const promised = () => withScale(readPromisedScore(rest) ?? note ?? follows(), scaleInNote(head));
  switch (meaning.kind) {
    case "field":
      return false;
    case "unknown":
      board.enterUnknown(
        line,
        rest === "",
        headed.looksLikeOne(line, rest === "") && (isSetOff(line) || line.text.endsWith(":")),
      );
      if (OTHER_ASPECTS.test(head)) board.enterOther();
      return false;
    case "score": {
      const reading = promised();
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
      const reading = meaning.scoreWord ? promised() : (note ?? readStandaloneScore(rest) ?? follows());
      if (reading) board.overall(meaning.scoreWord ? "named" : "line", reading);
      if (!meaning.scoreWord) board.say(rest);
      return true;
    }
    case "aspect": {
      const { criterion } = meaning;
      const bare = line.text === head && line.markup === "0|||";
      if (!meaning.exact && (bare || board.isBelow(line))) return false;
      const reading = note ?? (meaning.scoreWord ? readPromisedScore(rest) : readStandaloneScore(rest)) ?? follows();
      if (!reading && headed.isRemark(criterion, line, rest === "")) return false;
      const entered = board.enterAspect(criterion, line, rest === "");
      if (reading) board.aspect(criterion.id, "line", reading);
      if (entered) board.say(rest);
      return true;
    }
    default:
      return meaning satisfies never;
  }
}

const RANKS = /^(?:rank(?:s|ings?|ed)?\b|排名|排序)(?:\D{0,40}|.{0,50}:)$/i;

/** Below `Ranking:` a reply counts places, until the next paragraph. */
function withoutRanks(lines: readonly ReplyLine[]): ReplyLine[] {
  let ranks = false;
  return lines.filter((line) => {
    ranks = RANKS.test(line.text) || (ranks && !line.apart);
    return !ranks;
  });
}

import type { Rubric } from "../../criteria/rubric.ts";
import { type LabelReader, labelReader } from "./aspect-labels.ts";
import { type ReplyLine, replyLines } from "./reply-lines.ts";
import { Scoreboard } from "./scoreboard.ts";
import { readScore, readStandaloneScore, type ScoreReading } from "./written-score.ts";

/** The longest label: beyond it a line is prose. */
const LABEL_LENGTH = 70;
const SEPARATOR = /\s*[:=]\s*/;
/** A dash is a label's end only before a number: prose is full of dashes. */
const DASH = /\s*(?:[–—|]|-(?=\s)|(?<=\s)-)\s*(?=\d)/;
const INLINE_SCORE =
  /(?:^|[.!?。！？;；([|–—-]\s*|\s{2,}|\s)(?:overall\s+)?(?:score|rating|评分|得分|打分)\s*(?:\([^)]*\))?\s*[:=]\s*/giu;
const TRAILING =
  /[([](?:(?:score|rating|评分|得分)\s*[:=]?\s*)?(\d+(?:\.\d+)?(?:\s*(?:\/|out of)\s*\d+(?:\.\d+)?)?)\s*(?:分|points?)?[)\]][\s.。!]*$/iu;
/** `I would give the plot 4 out of 5.` but not `9 out of 10 readers give up`. */
const SAID =
  /\b(?:give|gives|rate|score|award|assign|grade|earns?|deserves?|merits?|receives?|gets?)\b[^.!?\d]{0,60}?\b(\d+(?:\.\d+)?\s*(?:\/|out of)\s*\d+)(?=\s*(?:[.,;!)]|$|stars?|points?))/giu;
const ARITHMETIC = /\b(?:total|average|mean|sum)\b|平均/i;
const LIST_OF_SCORES = /^(?:aspect |individual )?(?:scores?|ratings?|各项评分|评分|得分)\s*:\s*/i;
const EXAMPLE = /^(?:for example|example|e\.g\.|format|output format|template|例如|示例|格式)\b/i;

/**
 * Reads a reply written as prose with labels: aspects as headings, bold names, list items, tables or inline, each with its
 * critique and a score somewhere in it. It follows the reply's own structure and takes a number only where that
 * structure makes it a score.
 */
export function readMarkdown(reply: string, rubric: Rubric): Scoreboard {
  const label = labelReader(rubric);
  const board = new Scoreboard(rubric);
  const lines = replyLines(reply);
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (EXAMPLE.test(line.text)) continue;
    if (readTableRow(line, label, board) || readSeveral(line, label, board)) continue;
    const labelled = readLabelled(line, lines[at + 1], label, board);
    if (!labelled) board.say(line.text);
    // What a label has claimed is not read a second time as a score in passing.
    readInline(labelled ? splitLabel(line.text).rest : line.text, board);
  }
  return board;
}

/** `Label: rest`, `Label (85): rest`, `Label`, alone or with a score. Returns false when the line is prose. */
function readLabelled(line: ReplyLine, next: ReplyLine | undefined, label: LabelReader, board: Scoreboard): boolean {
  const { head, rest } = splitLabel(line.text);
  if (head === null) return false;
  const meaning = label(head);
  const note = readNote(head);
  const follows = () => (rest === "" && next ? readAlone(next.text) : null);
  switch (meaning.kind) {
    case "unknown":
      board.enterUnknown(line, rest === "");
      return false;
    case "score": {
      const reading = readScore(rest) ?? note ?? follows();
      if (reading) board.score("line", reading, line);
      return true;
    }
    case "overall": {
      // A sum or an average is arithmetic of the writer's: it counts only where nothing else is said of the whole.
      if (ARITHMETIC.test(head)) {
        const reading = readScore(rest);
        if (reading) board.overall("said", reading);
        return true;
      }
      board.enterOverall();
      const reading = meaning.scoreWord ? (readScore(rest) ?? note ?? follows()) : (note ?? readStandaloneScore(rest));
      if (reading) board.overall(meaning.scoreWord ? "named" : "line", reading);
      board.say(rest);
      return true;
    }
    case "aspect": {
      const criterion = meaning.part && board.isIn(meaning.criterion.id) ? meaning.part : meaning.criterion;
      const bare = line.text === head && line.dress === "0|||";
      const ownPart = criterion.parent !== undefined && board.isIn(criterion.parent);
      if (!meaning.exact && (bare || board.isBelow(line))) return false;
      if (!ownPart && board.isAside(line)) return false;
      const entered = board.enterAspect(criterion, line, rest === "");
      const reading = note ?? (meaning.scoreWord ? readScore(rest) : readStandaloneScore(rest));
      if (reading) board.aspect(criterion.id, "line", reading);
      if (entered) board.say(rest);
      return true;
    }
    default:
      return meaning satisfies never;
  }
}

function splitLabel(text: string): { head: string | null; rest: string } {
  // A colon inside "(Score: 85)" belongs to the note, not to the label.
  const masked = text.replace(/[([][^)\]]*[)\]]/g, (note) => "x".repeat(note.length));
  const separator = SEPARATOR.exec(masked) ?? DASH.exec(masked);
  const head = text.slice(0, separator?.index ?? text.length).trim();
  if (head === "" || head.length > LABEL_LENGTH) {
    const bare = /^(score|rating|得分|评分)\s+(?=[\d(])/i.exec(text);
    return bare ? { head: bare[1]!, rest: text.slice(bare[0].length) } : { head: null, rest: text };
  }
  if (separator) return { head, rest: text.slice(separator.index + separator[0].length).trim() };
  const bare = /^((?:overall |final |total )?(?:score|rating)|(?:总|综合)?(?:得分|评分|总分))\s+(?=[\d(★⭐])/i.exec(
    text,
  );
  if (bare) return { head: bare[1]!, rest: text.slice(bare[0].length) };
  return { head, rest: "" };
}

/** The score in `Plot (85/100)` or `Plot [Score: 85]`; a note without one, as in `Plot (PLOT)` or `Score (0-100)`, is nothing. */
function readNote(head: string): ScoreReading | null {
  const note = /[([]([^)\]]*)[)\]]\s*$/.exec(head)?.[1];
  if (note === undefined) return null;
  const labelled = /^(?:overall |final |总体?)?(?:score|rating|评分|得分)\s*[:=]?\s*/i.exec(note);
  const reading = readStandaloneScore(labelled ? note.slice(labelled[0].length) : note);
  return reading?.kind === "score" ? reading : null;
}

/** A line that is a score and nothing else, under a label that stands alone. */
function readAlone(text: string): ScoreReading | null {
  const reading = readStandaloneScore(text);
  if (reading?.kind !== "score") return null;
  return reading.rest.replace(/[\s.。!)\]%分]|points?|stars?/gi, "") === "" ? reading : null;
}

/** `| Plot | 85 | A fine plot |` */
function readTableRow({ text }: ReplyLine, label: LabelReader, board: Scoreboard): boolean {
  if (!/^\|.*\|/.test(text)) return false;
  const cells = text
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
  const meaning = label(cells[0] ?? "");
  if (meaning.kind !== "aspect" && meaning.kind !== "overall") return true;
  const readings = cells
    .slice(1)
    .map(readAlone)
    .filter((reading) => reading !== null);
  if (readings.length !== 1) return true;
  if (meaning.kind === "aspect") board.aspect(meaning.criterion.id, "line", readings[0]!);
  else board.overall("named", readings[0]!);
  return true;
}

/** `Plot: 85, Characters: 80; Overall: 83` on one line. */
function readSeveral({ text }: ReplyLine, label: LabelReader, board: Scoreboard): boolean {
  const parts = text
    .replace(LIST_OF_SCORES, "")
    .split(/\s*[,;，；|、]\s*|\s{2,}/)
    .map((part) => splitLabel(part));
  if (parts.length < 2) return false;
  const found = parts.flatMap(({ head, rest }) => {
    const meaning = head === null ? null : label(head);
    const reading = readAlone(rest);
    return reading && (meaning?.kind === "aspect" || meaning?.kind === "overall") ? [{ meaning, reading }] : [];
  });
  if (found.length < 2) return false;
  for (const { meaning, reading } of found) {
    if (meaning.kind === "aspect") board.aspect(meaning.criterion.id, "line", reading);
    else board.overall("named", reading);
  }
  return true;
}

/** A score inside or at the end of a paragraph: `… holds together. Score: 85/100`, `… holds together. (3.5)`. */
function readInline(text: string, board: Scoreboard): void {
  const outside = text.replace(/"[^"]*"|“[^”]*”|「[^」]*」|『[^』]*』|‘[^’]*’/g, (quote) => " ".repeat(quote.length));
  for (const match of outside.matchAll(INLINE_SCORE)) {
    if (match.index === 0 && match[0].trimStart().match(/^(?:score|rating|overall|评分|得分|打分)/i)) continue;
    const reading = readStandaloneScore(text.slice(match.index + match[0].length));
    if (reading) board.score(/overall/i.test(match[0]) ? "overall-inline" : "inline", reading, null);
  }
  for (const match of outside.matchAll(SAID)) {
    const reading = readScore(match[1]!);
    if (reading) board.score("said", reading, null);
  }
  const trailing = TRAILING.exec(outside);
  const reading = trailing ? readScore(trailing[1]!) : null;
  if (reading) board.trailing(reading);
}

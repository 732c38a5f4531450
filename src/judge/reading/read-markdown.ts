import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import { type LabelReader, labelReader } from "./aspect-labels.ts";
import { type ReplyLine, replyLines } from "./reply-lines.ts";
import { Scoreboard } from "./scoreboard.ts";
import { readPromisedScore, readScore, readStandaloneScore, type ScoreReading } from "./written-score.ts";

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
/** What a score was before: quoted for comparison, not given. */
const FORMER = /(?:previous|prior|earlier|former|old|initial|last|上次|此前|先前|原)(?:ly)?\s*(?:overall\s*)?$/i;
const ARITHMETIC = /\b(?:total|average|mean|sum)\b|平均|^总分/i;
const OTHER_COLUMNS = /weight|share|max|out of|total|no\.?$|#|权重|满分|序号/i;
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
  const headed = properlyHeaded(lines, label);
  const table = new TableReader();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (EXAMPLE.test(line.text)) continue;
    if (table.read(line, label, board) || readSeveral(line, label, board)) continue;
    const labelled = readLabelled(line, lines[at + 1], label, board, headed);
    if (!labelled) board.say(line.text);
    // What a label has claimed is not read a second time as a score in passing.
    readInline(labelled ? splitLabel(line.text).rest : line.text, board);
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
): boolean {
  const { head, rest } = splitLabel(line.text);
  if (head === null) return false;
  const meaning = label(head);
  const note = readNote(head);
  const follows = () => (rest === "" && next ? readAlone(next.text) : null);
  switch (meaning.kind) {
    case "field":
      return false;
    case "unknown":
      board.enterUnknown(line, rest === "", headed.wears(line, rest === "") && line.text.endsWith(":"));
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
        : (note ?? readStandaloneScore(rest));
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
      const reading = note ?? (meaning.scoreWord ? readPromisedScore(rest) : readStandaloneScore(rest));
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

interface ProperHeadings {
  /** Whether a line that begins with an aspect's name is a remark, since that aspect has its heading elsewhere. */
  isRemark(criterion: Criterion, line: ReplyLine, alone: boolean): boolean;
  has(criterion: Criterion): boolean;
  /** Whether a line is dressed as headings are. */
  wears(line: ReplyLine, alone: boolean): boolean;
}

/**
 * A reply dresses its aspects alike: the dress that most aspects wear is that of headings, and a line in another dress
 * that begins with the name of an aspect so headed ("The plot: a girl of twelve…") belongs to the critique around it.
 */
function properlyHeaded(lines: readonly ReplyLine[], label: LabelReader): ProperHeadings {
  const wearers = new Map<string, Set<string>>();
  for (const line of lines) {
    const { head, rest } = splitLabel(line.text);
    const meaning = head === null ? null : label(head);
    if (meaning?.kind !== "aspect" || meaning.scoreWord) continue;
    const dress = `${line.dress}|${rest === ""}`;
    const aspects = wearers.get(dress) ?? new Set();
    wearers.set(dress, aspects.add(meaning.criterion.id));
  }
  const [usual] = [...wearers].sort((left, right) => right[1].size - left[1].size);
  if (usual === undefined || usual[1].size < 2) return { isRemark: () => false, has: () => false, wears: () => false };
  const [usualDress, aspects] = usual;
  const has = ({ id, parent }: Criterion) => aspects.has(parent ?? id);
  const wears = ({ dress }: ReplyLine, alone: boolean) => `${dress}|${alone}` === usualDress;
  return {
    has,
    wears,
    isRemark(criterion, line, alone) {
      if (wears(line, alone)) return false;
      // Where headings stand alone, a bare sentence or list item that begins with a name is none, even if that aspect has no other.
      return has(criterion) || (usualDress.endsWith("|true") && !alone && ["0|||", "0||b|"].includes(line.dress));
    },
  };
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

/** Reads the rows of tables: `| Plot | 85 | A fine plot |`. The heading of a column says whether its numbers are scores. */
class TableReader {
  #columns: readonly string[] = [];

  /** False when the line is no row. */
  read({ text }: ReplyLine, label: LabelReader, board: Scoreboard): boolean {
    if (!/^\|.*\|/.test(text)) {
      this.#columns = [];
      return false;
    }
    const cells = text
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim());
    if (this.#columns.length === 0) this.#columns = cells;
    const meaning = label(cells[0] ?? "");
    if (meaning.kind !== "aspect" && meaning.kind !== "overall") return true;
    const named = this.#columns.map((heading) => /score|rating|grade|得分|评分|分数/i.test(heading));
    const readings = cells.flatMap((cell, at) => {
      const meant = named.some(Boolean) ? named[at] : !OTHER_COLUMNS.test(this.#columns[at] ?? "");
      return at > 0 && meant ? (readAlone(cell) ?? []) : [];
    });
    if (readings.length !== 1) return true;
    if (meaning.kind === "aspect") board.aspect(meaning.criterion.id, "line", readings[0]!);
    else board.overall("named", readings[0]!);
    return true;
  }
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
    if (FORMER.test(outside.slice(0, match.index))) continue;
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

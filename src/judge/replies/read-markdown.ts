import type { Criterion, Rubric } from "../../criteria/rubric.ts";
import {
  FORMER,
  type ParsedScore,
  readAlone,
  readPromisedScore,
  readStandaloneScore,
  scaleInNote,
  withScale,
} from "../../models/written-score.ts";
import { type LabelMeaning, type LabelReader, labelReader } from "./aspect-labels.ts";
import { OTHERS, readInline } from "./read-inline.ts";
import { isSetOff, type ReplyLine, replyLines } from "./reply-lines.ts";
import { Scoreboard } from "./scoreboard.ts";

/** The longest label; a longer line is prose. */
const LABEL_LENGTH = 70;
const SEPARATOR = /\s*[:=]\s*/;
/** A dash ends a label only before a number, since prose is full of dashes. */
const DASH = /\s*(?:[–—|]|-(?=\s)|(?<=\s)-)\s*(?=\d)/;

type LabelSplitter = (text: string) => { head: string | null; rest: string };

/**
 * Where a line's label ends. `Characters - Two strong leads.` has a label if the reply introduces several aspects in
 * this way (and `Characters (83/100). Warm.` likewise); otherwise the dash is prose. `Characters 77` has one as well.
 */
function labelSplitter(lines: readonly ReplyLine[], label: LabelReader): LabelSplitter {
  const subjectOf = (head: string) => {
    const meaning = label(head);
    if (meaning.kind === "aspect") return meaning.exact ? meaning.criterion.id : null;
    return meaning.kind === "overall" ? "" : null;
  };
  const dashed = (text: string) => {
    const match = /^(.{2,60}?)(?:\s+[-–—]\s+|\.\s+)(?=\S)/.exec(text);
    const subject = match ? subjectOf(match[1]!) : null;
    return match && subject !== null ? { head: match[1]!, rest: text.slice(match[0].length), subject } : null;
  };
  const style = new Set(lines.flatMap(({ text }) => dashed(text)?.subject ?? [])).size > 1;
  const split: LabelSplitter = (text) => {
    const found = style ? dashed(text) : null;
    if (found) return found;
    const spaced = /^(\D{2,50}?)(?:\s+|\s*,\s*)(\d+(?:\.\d+)?(?:\/\d+|%| stars?)?|[★⭐☆½]+)$/u.exec(text);
    if (spaced && subjectOf(spaced[1]!) !== null) return { head: spaced[1]!, rest: spaced[2]! };
    return splitLabel(text);
  };
  return (text) => {
    const announced = ANNOUNCED.exec(text);
    const aspect = announced ? split(text.slice(announced[0].length)) : null;
    return aspect?.head && subjectOf(aspect.head) !== null ? aspect : split(text);
  };
}

/** `Aspect: Plot and structure`, `Criterion 3 – Themes`, `Q: Themes?`: the actual label follows. */
const ANNOUNCED =
  /^(?:(?:evaluation\s+)?(?:aspect|criterion|category|dimension|question|q)|(?:评价)?(?:维度|方面|指标))\s*(?:#?\d{1,2}|[一二三四五六七八九十])?\s*(?:[:：.]|[-–—](?=\s))\s*(?=\S)/iu;

function splitLabel(text: string): { head: string | null; rest: string } {
  // A colon inside "(Score: 85)" belongs to the note, not to the label.
  const masked = text.replace(/[([][^)\]]{0,200}[)\]]/g, (note) => "x".repeat(note.length));
  const separator = SEPARATOR.exec(masked) ?? DASH.exec(masked);
  const head = text.slice(0, separator?.index ?? text.length).trim();
  if (head === "" || head.length > LABEL_LENGTH) return { head: null, rest: text };
  if (separator) return { head, rest: text.slice(separator.index + separator[0].length).trim() };
  const bare = /^((?:overall |final |total )?(?:score|rating)|(?:总|综合)?(?:得分|评分|总分))\s+(?=[\d(★⭐])/i.exec(
    text,
  );
  return bare ? { head: bare[1]!, rest: text.slice(bare[0].length) } : { head, rest: "" };
}

/**
 * The score in `Plot (85/100)` or `Plot [Score: 85]`; a note without one, as in `Plot (PLOT)` or `Score (0-100)`, is
 * ignored.
 */
function readNote(head: string): ParsedScore | null {
  const note = /[([]([^)\]]*)[)\]]\s*$/.exec(head)?.[1];
  if (note === undefined) return null;
  const labelled = /^(?:overall |final |总体?)?(?:score|rating|评分|得分)\s*[:=]?\s*/i.exec(note);
  const parsed = readStandaloneScore(labelled ? note.slice(labelled[0].length) : note);
  return parsed?.kind === "score" ? parsed : null;
}

/** `On a scale of 1 to 10,`, `Scores (out of 10):`, `All scores are out of 100.`; `7 out of 10` is a score, not a scale. */
const SCALE_FOR_ALL =
  /(?<!\d\s*)(?:\((?:all )?(?:on a scale (?:of|from) [01](?:\.0)?\s*(?:to|[-–—])\s*|out of\s+|[01]\s*[-–—]\s*)(\d+)(?:\.0)?(?: points| stars)?\)|\b(?:(?:on|using) a )?scale (?:of|from) [01](?:\.0)?\s*(?:to|[-–—])\s*(\d+)(?:\.0)?\b|\bout of (\d+)\b(?: points| stars)?(?! readers| people))/iu;
const PARTS =
  /\s*[,;，；|、]\s*|\s{2,}|(?<!\d)[.!。]\s+|(?<=\d|%)[.!。](?:\s+|$)|(?<=\d|%|stars?)\s+(?:and|while|but)\s+/iu;
/** The words of a sentence before it names an aspect. */
const LEAD =
  /^(?:and|but|while)\s+|^(?:(?:so|then),?\s+)?I(?:[’']d|[’']ll| would| will)?(?: \p{L}+ly)? (?:give|rate|score|award|grade|rank)\s+|^(?:(?:here are|these are)\s+)?(?:my |the |our )?(?:scores?|ratings?|marks?)\b[^:\d]{0,20}[:–—-]\s*|^(?:the|its)\s+/iu;
/** `Plot a 7`, `characters get 82`, `My overall score is 7`, `Overall I give it 74`. */
const SPOKEN =
  /^(.{2,50}?)(?:\s*[–—:=-]|\s+(?:gets?|earns?|deserves?|receives?|is|are|at|an?))*(?:\s+I(?:[’']d|[’']ll| would| will)? (?:give|rate|score) (?:it|this|the (?:book|novel|story))(?: at| an?)?)?\s+(\d+(?:\.\d+)?(?:\s*(?:\/|out of)\s*\d+|\s*%|\s+stars?)?)[.!]?$/iu;

interface Pair {
  readonly meaning: LabelMeaning & { readonly kind: "aspect" | "overall" };
  readonly parsed: ParsedScore;
  readonly spoken: boolean;
}

/**
 * Several scores in one line, each next to the name of its aspect: `Plot: 85, Characters: 80; Overall: 83`, `On a
 * scale of 1 to 10 I would give the plot a 7 and the characters an 8.` Without colons, every number of the line must
 * be one of them.
 */
function readSeveral({ text }: ReplyLine, label: LabelReader, board: Scoreboard): boolean {
  if (!/\d\D+\d/.test(text)) return false;
  const scale = SCALE_FOR_ALL.exec(text);
  const rest = scale ? `${text.slice(0, scale.index)}${text.slice(scale.index + scale[0].length)}` : text;
  const parts = rest.replace(/^[\s,:;–—-]+/, "").split(PARTS);
  const pairs = parts.map((part) => labelledPair(part, label) ?? spokenPair(part, label));
  const found = pairs.filter((pair) => pair !== null);
  if (found.length < 2) return false;
  const isUnderstood = pairs.every((pair, at) => pair !== null || !/\d/.test(parts[at]!));
  const given = isUnderstood && !OTHERS.test(text) ? found : found.filter(({ spoken }) => !spoken);
  if (given.length < 2) return false;
  const outOf = scale ? Number(scale[1] ?? scale[2] ?? scale[3]) : null;
  for (const { meaning, parsed } of given) {
    const score = withScale(parsed, outOf)!;
    if (meaning.kind === "aspect") board.aspect(meaning.criterion.id, "line", score);
    else board.overall("named", score);
  }
  return true;
}

/** `Plot: 85`; `Scores at a glance: Plot: 85` has a label for all pairs before the first. */
function labelledPair(part: string, label: LabelReader): Pair | null {
  const whole = splitLabel(part);
  for (const { head, rest } of [whole, splitLabel(whole.rest)]) {
    const meaning = head === null ? null : label(head);
    const parsed = readAlone(rest);
    if (parsed && (meaning?.kind === "aspect" || meaning?.kind === "overall"))
      return { meaning, parsed, spoken: false };
  }
  return null;
}

function spokenPair(part: string, label: LabelReader): Pair | null {
  let said = part.trim();
  for (let bare = said.replace(LEAD, ""); bare !== said; bare = said.replace(LEAD, "")) said = bare.trim();
  const [, name = "", score = ""] = SPOKEN.exec(said) ?? [];
  const meaning = label(name);
  const parsed = readAlone(score);
  const isNamed = meaning.kind === "overall" || (meaning.kind === "aspect" && meaning.exact);
  return parsed && isNamed ? { meaning, parsed, spoken: true } : null;
}

const SCORE_COLUMN = /score|rating|grade|得分|评分|分数/i;
const OTHER_COLUMNS = /weight|share|max|out of|total|no\.?$|#|权重|满分|序号/i;
/** A cell that only numbers the row. */
const ROW_NUMBER = /^(?:\d{1,2}|[ivx]{1,4})?[.)、]?$/i;

/** Reads the rows of tables: `| Plot | 85 | A fine plot |`. The heading of a column says whether its numbers are scores. */
class TableReader {
  #columns: readonly string[] = [];

  /** False if the line is not a row. */
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
    const first = cells.findIndex((cell) => !ROW_NUMBER.test(cell));
    const meaning = label(cells[first] ?? "");
    if (meaning.kind !== "aspect" && meaning.kind !== "overall") return true;
    const named = this.#columns.map((heading) => SCORE_COLUMN.test(heading) && !isFormer(heading));
    const scores = cells.flatMap((cell, at) => {
      const meant = named.some(Boolean)
        ? named[at]
        : !OTHER_COLUMNS.test(this.#columns[at] ?? "") && !isFormer(this.#columns[at] ?? "");
      return at > first && meant ? (withScale(readAlone(cell), scaleInNote(this.#columns[at] ?? "")) ?? []) : [];
    });
    if (scores.length !== 1) return true;
    if (meaning.kind === "aspect") board.aspect(meaning.criterion.id, "line", scores[0]!);
    else board.overall("named", scores[0]!);
    return true;
  }
}

/** `Previous Score` beside `Updated Score` is a quoted score. */
function isFormer(heading: string): boolean {
  return FORMER.test(heading.replace(/\s*(?:scores?|ratings?|grades?|得分|评分|分数)\s*$/i, ""));
}

const ARITHMETIC = /\b(?:total|average|mean|sum)\b|平均|^总分/i;
/** Aspects that replies judge without being asked; a score beside one is not the book's. */
const OTHER_ASPECTS =
  /^(?:originality|creativity|uniqueness|cover(?: design)?|pacing|humou?r|dialogue|marketability|market appeal|content warnings?|personal (?:bias|preference)|tone|atmosphere|原创性|创意|节奏|对话|幽默)$/i;

/**
 * Reads a reply written as prose with labels: aspects as headings, bold names, list items, tables or inline, each
 * with its critique and a score. It follows the reply's own structure, and takes a number only if that structure
 * makes it a score.
 */
export function readMarkdown(reply: string, rubric: Rubric): Scoreboard {
  const label = labelReader(rubric);
  const board = new Scoreboard(rubric);
  const lines = withoutRanks(replyLines(reply));
  const split = labelSplitter(lines, label);
  const headed = properlyHeaded(lines, label, split, rubric);
  const fields = overallFields(lines, label, split, headed);
  const table = new TableReader();
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    if (table.read(line, label, board) || readSeveral(line, label, board)) continue;
    const labelled = readLabelled(line, lines[at + 1], label, board, headed, split, fields);
    if (!labelled) board.say(line.text);
    // Text that a label has already used is not read again as an inline score.
    readInline(labelled ? split(line.text).rest : line.text, labelled, label, board, fields.inline);
  }
  return board;
}

/** `Label: rest`, `Label (85): rest`, `Label`, alone or with a score. Returns false if the line is prose. */
function readLabelled(
  line: ReplyLine,
  next: ReplyLine | undefined,
  label: LabelReader,
  board: Scoreboard,
  headed: ProperHeadings,
  split: LabelSplitter,
  fields: OverallFields,
): boolean {
  const alone = readAlone(line.text);
  if (alone?.kind === "score") {
    // `78/100` on a line of its own; a bare number has a meaning only right below its label.
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
      const parsed = promised();
      if (parsed) board.score("line", parsed, line);
      return true;
    }
    case "overall": {
      // A sum or an average is the writer's arithmetic: it counts only if nothing else is said about the whole book.
      if (ARITHMETIC.test(head)) {
        const parsed = readPromisedScore(rest);
        if (parsed) board.overall("said", parsed);
        return true;
      }
      if (board.isInAspect && fields.has(head) && !closes(line, rest === "", headed, board)) {
        const given = meaning.scoreWord ? promised() : (note ?? readStandaloneScore(rest) ?? follows());
        if (given && !(fields.isAfterLastAspect(line) && board.hasLineScore)) {
          board.score("line", given, null);
          return true;
        }
        if (!given) return false;
      }
      board.enterOverall();
      const parsed = meaning.scoreWord ? promised() : (note ?? readStandaloneScore(rest) ?? follows());
      if (parsed) board.overall(meaning.scoreWord ? "named" : "line", parsed);
      if (!meaning.scoreWord) board.say(rest);
      return true;
    }
    case "aspect": {
      const { criterion } = meaning;
      const bare = line.text === head && line.markup === "0|||";
      if (!meaning.exact && (bare || board.isBelow(line))) return false;
      const parsed = note ?? (meaning.scoreWord ? readPromisedScore(rest) : readStandaloneScore(rest)) ?? follows();
      if (!parsed && headed.isRemark(criterion, line, rest === "")) return false;
      const entered = board.enterAspect(criterion, line, rest === "");
      if (parsed) board.aspect(criterion.id, "line", parsed);
      if (entered) board.say(rest);
      return true;
    }
    default:
      return meaning satisfies never;
  }
}

interface OverallFields {
  /** Whether a label for the whole book (`Overall Score`) is one that every aspect of the reply has. */
  has(head: string): boolean;
  /** The same for `… Overall score: 85` within a paragraph. */
  readonly inline: boolean;
  isAfterLastAspect(line: ReplyLine): boolean;
}

const fieldKey = (head: string) =>
  head
    .toLowerCase()
    .replace(/[([][^)\]]*[)\]]/g, " ")
    .replace(/[^\p{L}]+/gu, " ")
    .trim();
const INLINE_KEY = "…";
const INLINE_OVERALL = /(?<=[.!?,;–—-]\s+)overall (?:score|rating)\s{0,4}[:=]\s{0,4}\d/i;

/**
 * `Overall Score: 95` below the heading of an aspect belongs to the aspect if every aspect has one, as in evaluations
 * that are updated chapter by chapter; a label that occurs once belongs to the whole book.
 */
function overallFields(
  lines: readonly ReplyLine[],
  label: LabelReader,
  split: LabelSplitter,
  headed: ProperHeadings,
): OverallFields {
  const sections = new Map<string, Set<string>>();
  const aspects = new Set<string>();
  let section: string | null = null;
  let last: ReplyLine | null = null;
  const endsSection = (line: ReplyLine, head: string, alone: boolean) =>
    last !== null &&
    line.depth <= last.depth &&
    (line.heading || CLOSING_HEAD.test(head) || headed.looksLikeOne(line, alone));
  const note = (key: string) => {
    if (section !== null) sections.set(key, (sections.get(key) ?? new Set()).add(section));
  };
  for (const line of lines) {
    const { head, rest } = split(line.text);
    const meaning = head === null ? null : label(head);
    if (meaning?.kind === "aspect" && meaning.exact && !headed.isRemark(meaning.criterion, line, rest === "")) {
      section = meaning.criterion.id;
      aspects.add(section);
      last = line;
    } else if (meaning?.kind === "overall") {
      if (endsSection(line, head!, rest === "")) section = "";
      else note(fieldKey(head!));
    }
    if (INLINE_OVERALL.test(line.text)) note(INLINE_KEY);
  }
  // A reply about one aspect has them once, and once more below its conclusion.
  const isRepeated = [...sections.values()].some((where) => where.has("") && where.size > 1);
  const isField = (key: string) => {
    const where = sections.get(key);
    const inAspects = where ? where.size - (where.has("") ? 1 : 0) : 0;
    return inAspects > 1 || (inAspects === 1 && aspects.size === 1 && isRepeated);
  };
  const after = new Set(last === null ? [] : lines.slice(lines.indexOf(last) + 1));
  return {
    has: (head) => isField(fieldKey(head)),
    inline: isField(INLINE_KEY),
    isAfterLastAspect: (line) => after.has(line),
  };
}

const CLOSING_HEAD = /\bconclu(?:sion|ding)\b|结论|总结/i;

/** A heading of the same level ends an aspect, whatever it is called. */
function closes(line: ReplyLine, alone: boolean, headed: ProperHeadings, board: Scoreboard): boolean {
  return headed.looksLikeOne(line, alone) || (line.heading && !board.isBelow(line));
}

const RANKS = /^(?:rank(?:s|ings?|ed)?\b|排名|排序)(?:\D{0,40}|.{0,50}:)$/i;

/** Below `Ranking:`, until the next paragraph, numbers are ranks. */
function withoutRanks(lines: readonly ReplyLine[]): ReplyLine[] {
  let ranks = false;
  return lines.filter((line) => {
    ranks = RANKS.test(line.text) || (ranks && !line.apart);
    return !ranks;
  });
}

interface ProperHeadings {
  /** Whether a line that begins with an aspect's name is a remark, because that aspect has its heading elsewhere. */
  isRemark(criterion: Criterion, line: ReplyLine, alone: boolean): boolean;
  /** Whether a line has the markup of the headings. */
  looksLikeOne(line: ReplyLine, alone: boolean): boolean;
}

/**
 * A reply uses the same markup for all its aspects: the markup of most aspects is that of headings, and a line with
 * other markup that begins with the name of such an aspect ("The plot: a girl of twelve…") belongs to the critique
 * around it.
 */
function properlyHeaded(
  lines: readonly ReplyLine[],
  label: LabelReader,
  split: LabelSplitter,
  rubric: Rubric,
): ProperHeadings {
  const aspectsOf = new Map<string, Set<string>>();
  for (const line of lines) {
    const { head, rest } = split(line.text);
    const meaning = head === null ? null : label(head);
    if (meaning?.kind !== "aspect" || meaning.scoreWord) continue;
    const markup = `${line.markup}|${rest === ""}`;
    const aspects = aspectsOf.get(markup) ?? new Set();
    aspectsOf.set(markup, aspects.add(meaning.criterion.id));
  }
  // There may be more parts than aspects, so the markup of most of the aspects comes first.
  const top = new Set(rubric.criteria.filter(({ parent }) => parent === undefined).map(({ id }) => id));
  const rank = (aspects: ReadonlySet<string>) => 100 * [...aspects].filter((id) => top.has(id)).length + aspects.size;
  const [usual] = [...aspectsOf].sort((left, right) => rank(right[1]) - rank(left[1]));
  if (usual === undefined || usual[1].size < 2) return { isRemark: () => false, looksLikeOne: () => false };
  const [usualMarkup, aspects] = usual;
  const looksLikeOne = ({ markup }: ReplyLine, alone: boolean) => `${markup}|${alone}` === usualMarkup;
  return {
    looksLikeOne,
    isRemark({ id, parent }, line, alone) {
      if (looksLikeOne(line, alone)) return false;
      // If headings are on lines of their own, a plain sentence or list item that begins with a name is not one, even
      // if that aspect has no other.
      const bare = usualMarkup.endsWith("|true") && !alone && !isSetOff(line);
      return bare || aspects.has(parent ?? id);
    },
  };
}

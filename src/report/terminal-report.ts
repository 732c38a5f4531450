import { createColors } from "picocolors";
import type { AspectResult, BookEvaluation, JurorResult } from "../judge/evaluation.ts";
import type { LetterView, QuotationView } from "../judge/letter/parts.ts";
import type { TextChange, WordRun } from "../text/text-changes.ts";
import {
  type AspectView,
  type EvaluationView,
  type JuryView,
  judgedAspects,
  type RemarkView,
} from "./evaluation-view.ts";
import { type NotesView, quoteText } from "./letter/letter-view.ts";
import { plainLine } from "./markup.ts";
import { personalSection } from "./personal/personal-section.ts";
import { reportText } from "./report-forms.ts";
import {
  inMarks,
  intervalInWords,
  percentileInWords,
  positionOnScale,
  scoreInWords,
  supportInWords,
} from "./wording.ts";

/**
 * A paragraph wrapped to a width, each line indented, and without control characters, since it may come from a book.
 * Text without spaces, such as Chinese, is wrapped by the terminal.
 */
function wrapped(text: string, width: number, indent: number): string[] {
  const room = Math.max(30, Math.min(width, 110) - indent);
  const lines: string[] = [];
  let line = "";
  for (const word of plainLine(text).split(" ")) {
    if (line !== "" && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  if (line !== "") lines.push(line);
  return lines.map((each) => " ".repeat(indent) + each);
}

const LETTER_QUOTE_LIMIT = 160;

/** The letter in the terminal: the first screen of a report. */
function letterLines({ blocks }: LetterView, paint: Paint, width: number): string[] {
  const quote = (passage: QuotationView) => quoteLines(passage, paint, width);
  return blocks.flatMap((block): string[] => {
    switch (block.kind) {
      case "heading":
        return ["", paint.bold(plainLine(block.text))];
      case "text": {
        const lines = wrapped(block.text, width, 0);
        return block.quiet ? ["", ...lines.map((line) => paint.dim(line))] : lines;
      }
      case "list":
        return block.entries.flatMap((entry, at) =>
          wrapped(block.numbered ? `${at + 1}. ${entry}` : `· ${entry}`, width, 1),
        );
      case "quote":
        return quote(block.quote);
      case "item":
        if (block.minor) return wrapped(`${block.number}. ${block.title}: ${block.text}`, width, 0);
        return [
          "",
          `${block.number}. ${paint.bold(plainLine(block.title))}`,
          ...wrapped(block.text, width, 3),
          ...block.quotes.flatMap(quote),
          ...wrapped(block.advice, width, 3),
        ];
      default:
        return block satisfies never;
    }
  });
}

export function notesLines(notes: NotesView, paint: Paint, width: number): string[] {
  return [
    "",
    paint.bold(notes.heading),
    ...wrapped(notes.intro, width, 0),
    ...notes.notes.flatMap((passage) => quoteLines(passage, paint, width)),
  ];
}

function quoteLines(passage: QuotationView, paint: Paint, width: number): string[] {
  const short = excerpt(passage);
  const where = passage.note === null ? passage.where : `${passage.where}; ${passage.note}`;
  return wrapped(`${inMarks(short)} (${where})`, width, 5).map((line) => paint.cyan(line));
}

/** A quotation shortened around its marked words, so that it can be read at a glance. */
function excerpt(passage: QuotationView): string {
  const text = quoteText(passage);
  if (text.length <= LETTER_QUOTE_LIMIT) return text;
  const { before, marked } = passage;
  const isSeen = before.length + marked.length <= LETTER_QUOTE_LIMIT || marked.length > LETTER_QUOTE_LIMIT;
  const from = isSeen ? 0 : before.length - Math.floor((LETTER_QUOTE_LIMIT - marked.length) / 2);
  const start = from === 0 ? text : `…${text.slice(from).replace(/^\S*\s/, "")}`;
  return start.length <= LETTER_QUOTE_LIMIT ? start : `${start.slice(0, LETTER_QUOTE_LIMIT).replace(/\s\S*$/, "")}…`;
}

const MOST_SHOWN = 5;
const LONGEST = 120;
/** Characters shown before the first words that differ. */
const LEAD = 40;

/** What changed since an earlier draft, for plain-text reports: sentences, then the first paragraphs that differ. */
export function draftLines({ changes }: BookEvaluation): { readonly said: string[]; readonly shown: string[] } | null {
  if (!changes?.words) return null;
  const all = changes.text?.changes ?? [];
  const more =
    all.length > MOST_SHOWN ? [`and ${all.length - MOST_SHOWN} more; an HTML report shows them side by side`] : [];
  return { said: [...changes.words], shown: [...all.slice(0, MOST_SHOWN).map(changeInWords), ...more] };
}

function changeInWords({ kind, before, after, runs }: TextChange): string {
  const chapter = `chapter ${(after ?? before)!.chapter}`;
  switch (kind) {
    case "added":
      return `${chapter}, added: ${side(runs, "removed")}`;
    case "removed":
      return `${chapter}, removed: ${side(runs, "added")}`;
    case "moved":
      return `${chapter}, moved from chapter ${before!.chapter}: ${side(runs, "removed")}`;
    case "rewritten":
      return `${chapter}, rewritten: ${side(runs, "added")} → ${side(runs, "removed")}`;
    default:
      return kind satisfies never;
  }
}

/** One draft's text, from shortly before the first difference. */
function side(runs: readonly WordRun[], without: "added" | "removed"): string {
  const own = runs.filter(({ kind }) => kind !== without);
  const [first] = runs;
  const isLate = first?.kind === "same" && runs.length > 1 && first.text.length > LEAD;
  const from = isLate ? first.text.indexOf(" ", first.text.length - LEAD) + 1 : 0;
  const text = own
    .map((run) => run.text)
    .join("")
    .slice(from)
    .replace(/\s+/g, " ")
    .trim();
  const cut = text.length <= LONGEST ? text : `${text.slice(0, LONGEST).replace(/\s\S*$/, "")}…`;
  return from > 0 ? `…${cut}` : cut;
}

type Paint = ReturnType<typeof createColors>;

const BAR = 20;
const QUOTE_LIMIT = 96;
const LINE_NOTES = "Line notes, by how likely a professional editor is to change a sentence (+ least, – most):";

/** The verdict in the terminal: one screen, with the strongest and weakest passage of each aspect. */
export function terminalReport(
  unsafe: EvaluationView,
  options: { readonly colours: boolean; readonly width: number },
): string {
  const paint = createColors(options.colours);
  const view = plainTexts(unsafe);
  const { evaluation, scale } = view;
  const { jury } = view;
  const labels = [
    ...(jury ? jury.jurors.map(({ label }) => label) : ["Overall"]),
    ...judgedAspects(view).map(rowLabel),
    ...(jury?.jurors.length === 1 ? (jury.grader?.criteria.map((criterion) => criterionLabel(criterion)) ?? []) : []),
  ];
  const name = Math.max(...labels.map((label) => label.length));
  const row: Row = (label, verdict, beside, own) => {
    const position = positionOnScale(verdict, own ?? scale);
    if (position === null || verdict.kind === "unscored") {
      const reason = verdict.kind === "unscored" ? verdict.reason : "";
      return `  ${label.padEnd(name)}  ${paint.dim(`unscored: ${reason}`)}`;
    }
    const filled = Math.round(position * BAR);
    const bar = paint.cyan("█".repeat(filled)) + paint.dim("░".repeat(BAR - filled));
    const figure = scoreInWords(verdict).padStart(5) + (own ? ` of ${own.maximum}`.padEnd(7) : "");
    return `  ${label.padEnd(name)}  ${bar}  ${figure}  ${intervalInWords(verdict).padEnd(11)}  ${paint.dim(beside)}`.trimEnd();
  };
  const place = (percentile: number | null, support: AspectResult["support"]) =>
    [percentile === null ? "" : `${percentileInWords(percentile)} percentile`, supportInWords(support)]
      .filter(Boolean)
      .join(", ");
  // Line notes belong to a single aspect, whereas a judge gives remarks on each.
  const shown = jury ? 3 : 1;
  const passages = (jury && view.notes ? [] : view.aspects).flatMap(({ label, strengths, weaknesses }) => {
    const lines = [
      ...strengths.slice(0, shown).map((remark) => ({ mark: paint.green("+"), remark })),
      ...weaknesses.slice(0, shown).map((remark) => ({ mark: paint.red("–"), remark })),
    ].flatMap(({ mark, remark }) => remarkLines(mark, remark, paint, options.width));
    return lines.length > 0 ? [`  ${paint.bold(label)}`, ...lines] : [];
  });
  return [
    "",
    `${paint.bold(evaluation.book.title)}  ${paint.dim(view.byline)}`,
    paint.dim(view.judged),
    "",
    ...draftPart(unsafe.evaluation, paint, options.width),
    ...(unsafe.letter ? [...letterLines(unsafe.letter, paint, options.width), ""] : []),
    ...(unsafe.notes ? [...notesLines(unsafe.notes, paint, options.width), ""] : []),
    ...(jury
      ? jurorRows(jury, row)
      : [row("Overall", evaluation.overall, place(evaluation.overallPercentile, evaluation.support))]),
    ...judgedAspects(view).map((aspect) =>
      row(rowLabel(aspect), aspect.result.verdict, place(aspect.result.percentile, aspect.result.support)),
    ),
    "",
    view.sureness,
    ...(view.injection ? [paint.yellow(reportText({ sections: [view.injection] }))] : []),
    ...(jury?.agreement ? [jury.agreement] : []),
    ...(evaluation.personal ? ["", reportText({ sections: [personalSection(evaluation.personal)] })] : []),
    ...(passages.length > 0 ? ["", jury ? LINE_NOTES : "What made the difference:", ...passages] : []),
    ...(evaluation.notes.length > 0 ? ["", ...evaluation.notes.map((note) => paint.dim(`Note: ${note}`))] : []),
    ...evaluation.book.warnings.map((warning) => paint.yellow(`Warning: ${warning}`)),
    "",
  ].join("\n");
}

/**
 * Changes since the last draft come first. Control characters are removed from whole lines, because spaces between
 * runs of words matter.
 */
function draftPart(unsafe: BookEvaluation, paint: Paint, width: number): string[] {
  const lines = plainTexts(draftLines(unsafe));
  if (lines === null) return [];
  return [
    paint.bold("Since the earlier draft"),
    ...lines.said.flatMap((line) => wrapped(line, width, 0)),
    ...lines.shown.flatMap((line) => wrapped(`- ${line}`, width, 2)),
    "",
  ];
}

/** A part is indented below its whole. */
function rowLabel({ label, isPart }: AspectView): string {
  return isPart ? `  ${label}` : label;
}

/** A score with its bar; one on its own scale states its maximum. */
type Row = (label: string, verdict: JurorResult["overall"], beside: string, own?: JurorResult["scale"]) => string;

/** Each juror on its own scale, with whose opinion it is; a single juror also shows its criteria. */
function jurorRows({ jurors, grader }: JuryView, row: Row): string[] {
  const rows = jurors.map(({ label, result, beside }) => row(label, result.overall, beside, result.scale));
  if (jurors.length > 1 || grader === null) return rows;
  return [
    ...rows,
    ...grader.criteria.map((criterion) => row(criterionLabel(criterion), criterion.verdict, "", grader.scale)),
    "",
  ];
}

function criterionLabel({ name, better }: JurorResult["criteria"][number]): string {
  return better === "lower" ? `${name} (less is better)` : name;
}

/** A remark, if there is one, and its first passage. */
function remarkLines(mark: string, { text, passages }: RemarkView, paint: Paint, width: number): string[] {
  const [passage] = passages;
  const room = Math.min(QUOTE_LIMIT, width - 30);
  const doubt = passage && !passage.found ? paint.yellow(" not found in the book") : "";
  const note = passage?.note ? paint.dim(`, ${passage.note}`) : "";
  const quoted = passage ? `“${shortened(passage.quote, room)}” ${paint.dim(passage.where)}${note}${doubt}` : "";
  if (text === "") return quoted === "" ? [] : [`    ${mark} ${quoted}`];
  return [`    ${mark} ${text}`, ...(quoted === "" ? [] : [`      ${quoted}`])];
}

function shortened(quote: string, limit: number): string {
  return quote.length <= limit ? quote : `${quote.slice(0, Math.max(1, limit - 1)).trimEnd()}…`;
}

/**
 * Makes every text of the view a single line without control characters, because it may come from a book, a model or
 * a rubric.
 */
function plainTexts<Value>(value: Value): Value {
  if (typeof value === "string") return plainLine(value) as Value;
  if (Array.isArray(value)) return value.map(plainTexts) as Value;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainTexts(inner)])) as Value;
}

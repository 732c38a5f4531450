import { createColors } from "picocolors";
import type { EvaluationView, RemarkView } from "./evaluation-view.ts";
import { plainLine } from "./markup.ts";
import { personalSectionText } from "./personal/personal-section.ts";
import { intervalInWords, percentileInWords, positionOnScale, scoreInWords } from "./wording.ts";

type Paint = ReturnType<typeof createColors>;

const BAR = 20;
const QUOTE_LIMIT = 96;

/** The verdict for people at a terminal: one screen, the strongest and weakest passage of each aspect beneath it. */
export function terminalReport(
  unsafe: EvaluationView,
  options: { readonly colours: boolean; readonly width: number },
): string {
  const paint = createColors(options.colours);
  const view = plainTexts(unsafe);
  const { evaluation, scale } = view;
  const name = Math.max(...view.aspects.map(({ result }) => result.name.length), "Overall".length);
  const row = (label: string, verdict: (typeof evaluation)["overall"], percentile: number | null) => {
    const position = positionOnScale(verdict, scale);
    if (position === null || verdict.kind === "unscored") {
      const reason = verdict.kind === "unscored" ? verdict.reason : "";
      return `  ${label.padEnd(name)}  ${paint.dim(`unscored: ${reason}`)}`;
    }
    const filled = Math.round(position * BAR);
    const bar = paint.cyan("█".repeat(filled)) + paint.dim("░".repeat(BAR - filled));
    const place = percentile === null ? "" : `${percentileInWords(percentile)} percentile`;
    return `  ${label.padEnd(name)}  ${bar}  ${scoreInWords(verdict).padStart(5)}  ${intervalInWords(verdict).padEnd(11)}  ${paint.dim(place)}`;
  };
  const passages = view.aspects.flatMap(({ result, strengths, weaknesses }) => {
    const lines = [
      { mark: paint.green("+"), remark: strengths[0] },
      { mark: paint.red("–"), remark: weaknesses[0] },
    ].flatMap(({ mark, remark }) => (remark ? remarkLines(mark, remark, paint, options.width) : []));
    return lines.length > 0 ? [`  ${paint.bold(result.name)}`, ...lines] : [];
  });
  return [
    "",
    `${paint.bold(evaluation.book.title)}  ${paint.dim(view.byline)}`,
    paint.dim(view.judged),
    "",
    row("Overall", evaluation.overall, evaluation.overallPercentile),
    ...view.aspects.map(({ result }) => row(result.name, result.verdict, result.percentile)),
    "",
    view.sureness,
    ...(evaluation.personal ? ["", ...personalSectionText(evaluation.personal)] : []),
    ...(passages.length > 0 ? ["", "What made the difference:", ...passages] : []),
    ...(evaluation.notes.length > 0 ? ["", ...evaluation.notes.map((note) => paint.dim(`Note: ${note}`))] : []),
    ...evaluation.book.warnings.map((warning) => paint.yellow(`Warning: ${warning}`)),
    "",
  ].join("\n");
}

/** What was said, when something was, and the first passage it rests on. */
function remarkLines(mark: string, { text, passages }: RemarkView, paint: Paint, width: number): string[] {
  const [passage] = passages;
  const room = Math.min(QUOTE_LIMIT, width - 30);
  const doubt = passage && !passage.verified ? paint.yellow(" not found in the book") : "";
  const quoted = passage ? `“${shortened(passage.quote, room)}” ${paint.dim(passage.where)}${doubt}` : "";
  if (text === "") return quoted === "" ? [] : [`    ${mark} ${quoted}`];
  return [`    ${mark} ${text}`, ...(quoted === "" ? [] : [`      ${quoted}`])];
}

function shortened(quote: string, limit: number): string {
  return quote.length <= limit ? quote : `${quote.slice(0, Math.max(1, limit - 1)).trimEnd()}…`;
}

/** Every text of the view on one line and without control characters: it may come from a book, a model or a rubric. */
function plainTexts<Value>(value: Value): Value {
  if (typeof value === "string") return plainLine(value) as Value;
  if (Array.isArray(value)) return value.map(plainTexts) as Value;
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainTexts(inner)])) as Value;
}

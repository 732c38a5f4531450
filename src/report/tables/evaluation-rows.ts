import { isScored, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { TableColumn } from "./leaderboard-rows.ts";

/**
 * One row per book and aspect; `overall` and each juror of the embedded jury are rows too, each on its own scale. Beside each score
 * stands how many passages of the book speak to its judge, and the score with them masked.
 */
export const EVALUATION_COLUMNS = [
  { name: "file", type: "STRING" },
  { name: "title", type: "STRING" },
  { name: "author", type: "STRING" },
  { name: "language", type: "STRING" },
  { name: "words", type: "DOUBLE" },
  { name: "judge", type: "STRING" },
  { name: "method", type: "STRING" },
  { name: "rubric", type: "STRING" },
  { name: "runs", type: "DOUBLE" },
  { name: "aspect", type: "STRING" },
  { name: "name", type: "STRING" },
  { name: "score", type: "DOUBLE" },
  { name: "low", type: "DOUBLE" },
  { name: "high", type: "DOUBLE" },
  { name: "minimum", type: "DOUBLE" },
  { name: "maximum", type: "DOUBLE" },
  { name: "percentile", type: "DOUBLE" },
  { name: "unscored", type: "STRING" },
  { name: "suspicions", type: "DOUBLE" },
  { name: "masked_score", type: "DOUBLE" },
  { name: "calls", type: "DOUBLE" },
  { name: "cost", type: "DOUBLE" },
  { name: "run", type: "STRING" },
  { name: "fabula", type: "STRING" },
] as const satisfies readonly TableColumn[];

export type EvaluationRow = Readonly<Record<(typeof EVALUATION_COLUMNS)[number]["name"], string | number | null>>;

/** An evaluation as rows for spreadsheets and data frames. What is unscored is empty, with the reason beside it; never zero. */
export function evaluationRows(evaluation: BookEvaluation, version: string): EvaluationRow[] {
  const { book, judge, method, rubric, runs, scale, suspicions, masked, calls, cost, run } = evaluation;
  const about = {
    file: book.file,
    title: book.title,
    author: book.author,
    language: book.language,
    words: book.words,
    judge,
    method,
    rubric: `${rubric.id} ${rubric.version}`,
    runs,
  };
  const without: Readonly<Record<string, Verdict | undefined>> = {
    overall: masked?.overall,
    ...masked?.aspects,
    ...masked?.jurors,
  };
  const made = { calls, cost, run: run ?? null, fabula: version };
  const row = (
    aspect: string,
    name: string,
    verdict: Verdict,
    percentile: number | null,
    { minimum, maximum }: Ends = scale,
  ): EvaluationRow => {
    const again = without[aspect];
    const injection = {
      suspicions: suspicions?.length ?? null,
      masked_score: again && isScored(again) ? again.score : null,
    };
    return { ...about, aspect, name, ...figures(verdict), minimum, maximum, percentile, ...injection, ...made };
  };
  return [
    row("overall", "Overall", evaluation.overall, evaluation.overallPercentile),
    ...(evaluation.people ? [row("people", "On people's scale", evaluation.people.verdict, null, UNKNOWN_SCALE)] : []),
    ...evaluation.aspects.map(({ id, name, verdict, percentile }) => row(id, name, verdict, percentile)),
    ...(evaluation.jury?.jurors.map((juror) => row(juror.id, juror.speaker, juror.overall, null, juror.scale)) ?? []),
  ];
}

interface Ends {
  readonly minimum: number | null;
  readonly maximum: number | null;
}
/** A calibration knows people's ratings and not the ends of their scale. */
const UNKNOWN_SCALE: Ends = { minimum: null, maximum: null };

function figures(verdict: Verdict): Pick<EvaluationRow, "score" | "low" | "high" | "unscored"> {
  if (!isScored(verdict)) return { score: null, low: null, high: null, unscored: verdict.reason };
  const { score, interval } = verdict;
  return { score, low: interval?.[0] ?? null, high: interval?.[1] ?? null, unscored: null };
}

import type { TitledTable } from "../api/evaluations.ts";
import type { WriterBenchmark } from "../bench/benchmark-writers.ts";
import { isScored, type Verdict } from "../core/verdict.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { benchmarkTable } from "./bench/benchmark-table.ts";
import { plainLine } from "./markup.ts";

/** One row per sentence of a book. */
export const NOTE_COLUMNS = [
  { name: "chapter", type: "DOUBLE" },
  { name: "start", type: "DOUBLE" },
  { name: "end", type: "DOUBLE" },
  { name: "change", type: "DOUBLE" },
  { name: "why", type: "STRING" },
  { name: "sentence", type: "STRING" },
] as const satisfies readonly TableColumn[];

/**
 * One row per book and aspect; `overall` and each juror of the embedded jury are rows too, each on its own scale.
 * Each score comes with the number of passages that address the judge, and the score with them masked.
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

/**
 * An evaluation as rows for spreadsheets and data frames. An unscored cell is empty, never zero, and the reason is
 * beside it.
 */
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
/** A calibration is based on people's ratings, without the ends of their scale. */
const UNKNOWN_SCALE: Ends = { minimum: null, maximum: null };

function figures(verdict: Verdict): Pick<EvaluationRow, "score" | "low" | "high" | "unscored"> {
  if (!isScored(verdict)) return { score: null, low: null, high: null, unscored: verdict.reason };
  const { score, interval } = verdict;
  return { score, low: interval?.[0] ?? null, high: interval?.[1] ?? null, unscored: null };
}

/** A column of a table for other programs; numbers are doubles, everything else is text. */
export interface TableColumn {
  readonly name: string;
  readonly type: "STRING" | "DOUBLE";
}

export type TableRow = Readonly<Record<string, string | number | null | undefined>>;

const NUMBERS = [
  ...["level", "low", "high", "composite", "composite_low", "composite_high"],
  ...["at_ceiling", "novels", "chapters", "mean_words"],
];

/** The leaderboard for data frames: one row per writer, a column per dimension. */
export function leaderboardTable(benchmark: WriterBenchmark): { columns: TableColumn[]; rows: TableRow[] } {
  const { dimensions } = benchmark.population;
  return {
    columns: [
      { name: "rank", type: "DOUBLE" },
      { name: "writer", type: "STRING" },
      { name: "groups", type: "STRING" },
      ...[...NUMBERS, ...dimensions].map((name): TableColumn => ({ name, type: "DOUBLE" })),
    ],
    rows: benchmarkTable(benchmark).map(({ dimensions: means, judges: _own, ...row }) => ({
      rank: row.rank,
      writer: row.writer,
      groups: row.groups,
      level: row.level,
      low: row.low,
      high: row.high,
      composite: row.composite,
      composite_low: row.compositeLow,
      composite_high: row.compositeHigh,
      at_ceiling: row.atCeiling ? 1 : 0,
      novels: row.novels,
      chapters: row.chapters,
      mean_words: row.meanWords,
      ...Object.fromEntries(dimensions.map((name, at) => [name, means[at] ?? null])),
    })),
  };
}

/** Books by their overall score, best first; those without one last. Books whose ranges overlap may be equally good. */
export function rankedBooks(evaluations: readonly BookEvaluation[]): Pick<TitledTable, "headings" | "rows"> {
  const isCalibrated = evaluations.some(({ people }) => people !== undefined);
  const headings = ["rank", "overall", "range", ...(isCalibrated ? ["people", "range"] : []), "words", "title", "file"];
  const scoreOf = ({ overall }: BookEvaluation) => (isScored(overall) ? overall.score : Number.NEGATIVE_INFINITY);
  const rows = [...evaluations]
    .sort((left, right) => scoreOf(right) - scoreOf(left))
    .map((evaluation, at) => {
      const { overall, book, people, suspicions = [] } = evaluation;
      return [
        isScored(overall) ? String(at + 1) : "–",
        isScored(overall) ? overall.score.toFixed(1) : "unscored",
        rangeOf(overall),
        ...(isCalibrated
          ? people && isScored(people.verdict)
            ? [people.verdict.score.toFixed(1), rangeOf(people.verdict)]
            : ["–", "–"]
          : []),
        book.words.toLocaleString("en-GB"),
        plainLine(book.title) + (suspicions.length > 0 ? " (may be manipulated)" : ""),
        plainLine(book.file),
      ];
    });
  return { headings, rows };
}

function rangeOf(verdict: Verdict): string {
  return isScored(verdict) && verdict.interval
    ? `${verdict.interval[0].toFixed(1)} to ${verdict.interval[1].toFixed(1)}`
    : "–";
}

/** One check of one book, or a book that could not be checked at all. */
export interface JUnitCase {
  readonly suite: string;
  readonly name: string;
  readonly failure: string | null;
  /** Why the check is undecided; shown as skipped. */
  readonly undecided: string | null;
  /** Whether the check could not be made because the book could not be read. */
  readonly isError?: boolean;
}

/** Checks in the XML format that continuous integration shows: a suite per book, a case per check. */
export function junitReport(cases: readonly JUnitCase[]): string {
  const suites = groups(cases);
  const count = (list: readonly JUnitCase[], isError: boolean) =>
    list.filter((one) => one.failure !== null && (one.isError ?? false) === isError).length;
  const attributes = (name: string, list: readonly JUnitCase[]) =>
    `name="${xml(name)}" tests="${list.length}" failures="${count(list, false)}" errors="${count(list, true)}" skipped="${list.filter((one) => one.undecided !== null).length}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${attributes("fabula", cases)}>`,
    ...[...suites].flatMap(([suite, list]) => [
      `  <testsuite ${attributes(suite, list)}>`,
      ...list.map(caseXml),
      "  </testsuite>",
    ]),
    "</testsuites>",
    "",
  ].join("\n");
}

function groups(cases: readonly JUnitCase[]): Map<string, JUnitCase[]> {
  const suites = new Map<string, JUnitCase[]>();
  for (const one of cases) suites.set(one.suite, [...(suites.get(one.suite) ?? []), one]);
  return suites;
}

function caseXml({ suite, name, failure, undecided, isError }: JUnitCase): string {
  const head = `    <testcase classname="${xml(suite)}" name="${xml(name)}"`;
  if (undecided !== null) return `${head}><skipped message="${xml(`cannot be told: ${undecided}`)}"/></testcase>`;
  if (failure === null) return `${head}/>`;
  const kind = isError ? "error" : "failure";
  return `${head}><${kind} message="${xml(failure)}"/></testcase>`;
}

/** XML does not allow control characters, not even as references. */
function xml(text: string): string {
  return (
    text
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out.
      .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "�")
      .replaceAll("&", "&amp;")
      .replaceAll("<", "&lt;")
      .replaceAll('"', "&quot;")
      .replace(/[\t\n\r]/g, " ")
  );
}

import { groupBy } from "../../core/group-by.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { findRun } from "../../runner/run-record.ts";
import { sum } from "../../stats/distribution.ts";
import type { RunCall } from "../../store/records.ts";
import { readEvaluations } from "../books/read-evaluations.ts";
import type { GradingRequest } from "../qa/grade.ts";
import { withStore } from "../runs/past-runs.ts";
import { agreeWithReaders } from "../trust/agree-readers.ts";
import type { CheckedFile, Paper, PrintedRow } from "./paper.ts";

export interface ReproduceRequest {
  /** The folder of the paper's data. */
  readonly folder: string;
  /** Evaluations of LongStoryEval's books, for its tables of judges. */
  readonly evaluations?: string;
  /** The store with the calls of those evaluations, from which the tokens and minutes of Table 8 are counted. */
  readonly store?: string;
  /** `test`: use only the books of the paper's test set, if the release names them. */
  readonly set?: "test";
  /**
   * For LiteraryQA: a judge that grades either the answers of Table 7, or the answers that people rated for Table 6.
   */
  readonly grading?: Omit<GradingRequest, "data" | "onProgress"> & { readonly table: 6 | 7 };
  readonly seed: number;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

/** One figure of a paper, computed again. */
export interface ReproducedFigure {
  /** The figure's place in the paper, such as "Table 4". */
  readonly place: string;
  readonly name: string;
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  readonly n: number;
  /** The printed value; null if the paper prints no number. */
  readonly printed: number | null;
  /** The rule that this figure follows, if the paper allows more than one. */
  readonly rule?: string;
  /** Why a printed figure could not be computed. */
  readonly reason?: string;
}

export interface Findings {
  readonly figures: readonly ReproducedFigure[];
  /** Why these figures differ from the paper's. */
  readonly differences: readonly string[];
  /** The run, if a judge was asked. */
  readonly run?: FinishedRun | null;
  /** For a dry run, the plan: nothing was sent. */
  readonly plan?: Plan | null;
}

export interface Reproduction extends Findings {
  readonly paper: string;
  readonly files: readonly CheckedFile[];
}

/** With fewer cases an interval would mainly reflect how few there are; with a single case it has no width at all. */
const FEWEST_CASES = 5;

/** A figure with the id under which the paper's file has the printed value. */
export function figureOf(
  paper: Paper,
  id: string,
  figure: Omit<ReproducedFigure, "printed" | "interval"> & { readonly interval?: readonly [number, number] | null },
): ReproducedFigure {
  const interval = figure.n >= FEWEST_CASES ? (figure.interval ?? null) : null;
  return { ...figure, interval, printed: paper.printed[id] ?? null };
}

/** The columns of Tables 2, 6 and 7. */
export const COLUMNS = [
  "plot",
  "characters",
  "writing",
  "world",
  "themes",
  "emotion",
  "enjoyment",
  "expectation",
  "overall",
];
const RESAMPLES = 1000;

/**
 * Tables 2, 6, 7 and 8 from evaluations: each way of judging beside the row that the paper prints for it, if there is
 * one.
 */
export async function evaluatedFigures(
  paper: Paper,
  books: string,
  path: string,
  request: ReproduceRequest,
): Promise<ReproducedFigure[]> {
  const evaluations = await readEvaluations(path);
  const ways = groupBy(evaluations, ({ settings, judge, method }) => settings?.hash ?? `${judge} · ${method}`);
  const figures: ReproducedFigure[] = [];
  for (const own of ways.values()) {
    const { rows } = await agreeWithReaders({
      ratings: books,
      human: "average_rating",
      evaluations: own,
      resamples: RESAMPLES,
      seed: request.seed,
      onProgress: request.onProgress,
    });
    const printed = paper.rows.find((row) => isSameWay(row, own[0]!));
    const name = wayInWords(own[0]!);
    for (const row of rows) {
      for (const { id, figure } of [
        ...row.aspects.map((one) => ({ id: one.id, figure: one })),
        { id: "overall", figure: row.overall },
      ]) {
        const { value, interval } = figure.kendall;
        figures.push({
          place: printed?.table ?? "not in the paper",
          name: `${name}: τ × 100, ${id}`,
          value: value === null ? null : 100 * value,
          interval: interval === null ? null : [100 * interval[0], 100 * interval[1]],
          n: figure.n,
          printed: printed?.values[COLUMNS.indexOf(id)] ?? null,
        });
      }
    }
    figures.push(...(await costFigures(paper, name, own, request.store)));
  }
  return figures;
}

/** What Table 8 prints for each method, for five runs over the test books with GPT-4o. */
export const COSTS: Readonly<Record<string, string>> = {
  dollars: "cost in dollars",
  inputTokens: "input tokens in thousands",
  minutes: "minutes",
};

async function costFigures(
  paper: Paper,
  name: string,
  evaluations: readonly BookEvaluation[],
  store: string | undefined,
): Promise<ReproducedFigure[]> {
  const { judge, method } = evaluations[0]!;
  const costs = evaluations.map(({ cost }) => cost);
  const spent = {
    ...(costs.every((cost) => cost !== null) && { dollars: sum(costs.map((cost) => cost ?? 0)) }),
    ...(store !== undefined && (await callsOf(evaluations, store))),
  };
  return Object.entries(spent).map(([what, value]) => ({
    place: "Table 8",
    name: `${name}: ${COSTS[what]}`,
    value,
    interval: null,
    n: evaluations.length,
    printed: isModel("gpt-4o", judge) ? (paper.costs[method]?.[what as "dollars"] ?? null) : null,
  }));
}

const CALLS_READ_AT_ONCE = 500;

/**
 * Tokens and time of the calls behind evaluations. Waiting times are summed as if the calls had followed one another.
 */
async function callsOf(evaluations: readonly BookEvaluation[], location: string) {
  const runs = [...new Set(evaluations.flatMap(({ run }) => run ?? []))];
  if (runs.length === 0) return null;
  return withStore(location, async (store) => {
    let [inputTokens, milliseconds] = [0, 0];
    for (const run of runs) {
      await findRun(store, run);
      for (let after: number | null = null; ; ) {
        const page: readonly RunCall[] = await store.runCalls(run, { limit: CALLS_READ_AT_ONCE, after });
        for (const { answer } of page) {
          inputTokens += answer?.inputTokens ?? 0;
          milliseconds += answer?.latencyMilliseconds ?? 0;
        }
        const last = page.at(-1);
        if (!last) break;
        after = last.position;
      }
    }
    return { inputTokens: inputTokens / 1000, minutes: milliseconds / 60_000 };
  });
}

/**
 * Compares a judge with a printed row. The paper uses common model names; a judge's name also has the provider, an
 * address or a date.
 */
function isSameWay(row: PrintedRow, { judge, method, settings }: BookEvaluation): boolean {
  if (row.method !== method || row.definitions !== (settings?.definitions ?? true)) return false;
  if (row.chapterSummaries !== (settings?.chapterSummaries ?? false)) return false;
  const summariser = settings?.summariser ?? judge;
  const cheapSummaries = isModel("gpt-4o-mini", summariser) && !isModel("gpt-4o-mini", judge);
  return isModel(row.judge, judge) && (row.summariser !== undefined) === cheapSummaries;
}

function isModel(name: string, judge: string): boolean {
  const model = judge.toLowerCase().replaceAll(/[^a-z0-9.]+/g, "-");
  if (!model.includes(name)) return false;
  return name !== "gpt-4o" || !model.includes("gpt-4o-mini");
}

function wayInWords({ judge, method, settings }: BookEvaluation): string {
  return [
    judge,
    method,
    settings?.definitions === false ? "without definitions" : "",
    settings?.chapterSummaries ? "chapter summaries" : "",
    settings?.summariser && settings.summariser !== judge ? `summaries by ${settings.summariser}` : "",
  ]
    .filter(Boolean)
    .join(", ");
}

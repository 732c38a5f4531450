import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { GradingSetting } from "../qa/judging/grading-setting.ts";
import { type Prediction, predictionSchema } from "../qa/scoring/prediction.ts";
import { agreementJson } from "../report/agreement/agreement-json.ts";
import type { ResampledUnit } from "../stats/meta-evaluation/draws.ts";
import { scoreTask } from "../tasks/books/score.ts";
import type { BookInput } from "../tasks/define/book-input.ts";
import { probeTask } from "../tasks/trust/probe.ts";
import { stressTask } from "../tasks/trust/stress.ts";
import type { ScoreSummary } from "../workflows/books/score-items.ts";
import { type ScoreAnswersReport, scoreAnswers as scoreFile } from "../workflows/qa/score.ts";
import { agree } from "../workflows/trust/agree.ts";
import type { ContaminationReport } from "../workflows/trust/probe-contamination.ts";
import type { StressReport } from "../workflows/trust/stress-books.ts";
import type { OneJudge } from "./judge.ts";
import type { CommonOptions } from "./options.ts";
import { interruptible, progressOf, runServicesOf, runSettingsOf, type SpendingOptions, signalOf } from "./options.ts";
import { taskFunction } from "./task-function.ts";
import type { ProbeOptions, ScoreTextsOptions, StressOptions } from "./task-options.ts";

/** How answers are scored. */
export interface ScoreAnswersOptions extends SpendingOptions {
  /** Which metrics: all that compare words unless given. */
  readonly metrics?: readonly string[];
  /** A language model that grades the answers as well. */
  readonly judge?: OneJudge;
  /** What the judge is shown beside the answer: the references unless given. */
  readonly setting?: GradingSetting;
  readonly rubric?: string | Rubric;
  /** For `setting: "summary"`: a file of books with their summaries. */
  readonly data?: string;
}

/** Compares answers with their references: the mean of every metric. */
export function scoreAnswers(
  answers: string | Iterable<Prediction>,
  options: ScoreAnswersOptions = {},
): Promise<ScoreAnswersReport> {
  return interruptible(options, async () => {
    const onProgress = progressOf(options);
    const { judge, metrics, data } = options;
    return scoreFile({
      input: typeof answers === "string" ? answers : z.array(predictionSchema).parse([...answers]),
      signal: signalOf(options),
      onProgress,
      ...(metrics && { metrics }),
      ...(judge !== undefined && {
        grading: {
          judge,
          setting: options.setting ?? "reference",
          rubric: options.rubric ?? "qa-grading",
          settings: runSettingsOf(options),
          services: runServicesOf(options),
          onProgress,
          ...(data !== undefined && { data }),
        },
      }),
    });
  });
}

/** A row of a table of scores: a number, nothing, or a name in each column. */
export type ScoreRow = Readonly<Record<string, unknown>>;

/** Which columns hold what, and how intervals are drawn. */
export interface AgreementOptions extends CommonOptions {
  /** The column of human ratings. */
  readonly human: string;
  /** The columns of scores; several are compared with each other. */
  readonly metric: string | readonly string[];
  /** The column that says who wrote each text. */
  readonly system?: string;
  /** The column that says what each text answers to. */
  readonly item?: string;
  readonly group?: string;
  readonly resamples?: number;
  readonly interval?: "percentile" | "bca";
  readonly over?: ResampledUnit;
  readonly seed?: number;
}

/** How well scores agree with people, with the figures of the first metric at the top. */
export type AgreementResult = ReturnType<typeof agreementJson>;

/** Measures how well scores agree with people. */
export function agreement(table: string | Iterable<ScoreRow>, options: AgreementOptions): Promise<AgreementResult> {
  return interruptible(options, async () => {
    const { human, metric, system, item, group, resamples, interval, over, seed = 1 } = options;
    const rows = typeof table === "string" ? [] : [...table];
    if (typeof table !== "string" && rows.length === 0) {
      throw new FabulaError("E_TABLE_EMPTY", "The table has no rows: at least one is needed.");
    }
    const report = await agree({
      table:
        typeof table === "string"
          ? table
          : { source: "rows", rows, columns: [...new Set(rows.flatMap((row) => Object.keys(row)))] },
      human,
      metric: typeof metric === "string" ? metric : metric.join(","),
      ...(system !== undefined && { system }),
      ...(item !== undefined && { item }),
      ...(group !== undefined && { group }),
      options: {
        seed,
        ...(resamples !== undefined && { resamples }),
        ...(interval && { interval }),
        ...(over && { over }),
      },
      onProgress: progressOf(options),
    });
    return agreementJson(report);
  });
}

/** Shows a judge books and damaged copies of them: does it notice? */
export const stressJudge: (sources: Iterable<BookInput>, options?: StressOptions) => Promise<StressReport> =
  taskFunction(stressTask, async (ask, { dryRun }) => {
    refuseDryRun(dryRun);
    return (await ask()).result;
  });

/** Asks whether a language model already knows a book, and whether that changes its verdict. */
export const probeJudge: (source: BookInput, options: ProbeOptions) => Promise<ContaminationReport> = taskFunction(
  probeTask,
  async (ask, { dryRun }) => {
    refuseDryRun(dryRun);
    return (await ask()).result;
  },
);

/** Scores texts out of a file, one per line, into another. */
export const scoreTexts: (file: string, options?: ScoreTextsOptions) => Promise<ScoreSummary> = taskFunction(
  scoreTask,
  async (score) => (await score())!,
);

function refuseDryRun(dryRun: boolean): void {
  if (dryRun)
    throw new FabulaError("E_USAGE", "`dryRun` gives a plan and no result; the command shows one with --dry-run.");
}

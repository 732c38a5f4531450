import { z } from "zod";
import { FabulaError } from "../core/errors.ts";
import type { Rubric } from "../criteria/rubric.ts";
import type { MethodName } from "../judge/methods/method.ts";
import { jurorNamed } from "../jury/juror-name.ts";
import type { GradingSetting } from "../qa/judging/grading-setting.ts";
import { type Prediction, predictionSchema } from "../qa/scoring/prediction.ts";
import { agreementJson } from "../report/agreement/agreement-json.ts";
import type { TrustReport } from "../report/agreement/trust-report.ts";
import type { ResampledUnit } from "../stats/meta-evaluation/draws.ts";
import { openBook } from "../tasks/books/open-book.ts";
import type { BookInput } from "../tasks/define/book-input.ts";
import { trustTask } from "../tasks/trust/trust.ts";
import { type ScoreAnswersReport, scoreAnswers as scoreFile } from "../workflows/qa/score.ts";
import { agree } from "../workflows/trust/agree.ts";
import { type StressReport, stressBooks } from "../workflows/trust/stress-books.ts";
import { stressWithModels } from "../workflows/trust/stress-with-models.ts";
import { chooseOne, type OneJudge } from "./judge.ts";
import type { CommonOptions } from "./options.ts";
import { interruptible, type ModelOptions, progressOf, runServicesOf, runSettingsOf, signalOf } from "./options.ts";
import { taskFunction } from "./task-function.ts";
import type { TrustJudgesOptions } from "./task-options.ts";

/** How answers are scored. */
export interface ScoreAnswersOptions extends ModelOptions {
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

/** Which judge to trust for texts that people rated, and how many more texts or runs would settle what is open. */
export const trustJudges: (table: string, options?: TrustJudgesOptions) => Promise<TrustReport> =
  taskFunction(trustTask);

/** A row of a table of scores: a number, nothing, or a name in each column. */
export type ScoreRow = Readonly<Record<string, unknown>>;

/** Which columns hold what, and how intervals are drawn. */
export interface AgreementOptions extends CommonOptions {
  /** The column of human ratings; of several raters, their mean. */
  readonly human: string | readonly string[];
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
      human: typeof human === "string" ? human : human.join(","),
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

/** How a judge is tested. */
export interface StressOptions extends ModelOptions {
  /** `crowd` unless given. */
  readonly judge?: OneJudge;
  /** From 0 to 1: how much of a book a damage touches. All of it unless given. */
  readonly strength?: number;
  /** The same seed damages the same places. */
  readonly seed?: number;
  readonly method?: MethodName;
  /** How often a language model judges each version: 3 unless given. */
  readonly runs?: number;
}

const STRESS_RUNS = 3;

/** Shows a judge books and damaged copies of them: does it notice? */
export function stressJudge(sources: Iterable<BookInput>, options: StressOptions = {}): Promise<StressReport> {
  return interruptible(options, async () => {
    const judge = chooseOne(options.judge, "crowd");
    const common = {
      files: await Promise.all([...sources].map((source) => openBook(source))),
      seed: options.seed ?? 1,
      strength: options.strength ?? 1,
      onProgress: progressOf(options),
    };
    if (judge.kind === "embedded")
      return stressBooks({ ...common, judge: jurorNamed(judge.name), signal: signalOf(options) });
    const outcome = await stressWithModels({
      ...common,
      judge: judge.models[0]!,
      method: options.method ?? "summary",
      runs: options.runs ?? STRESS_RUNS,
      settings: runSettingsOf(options),
      services: runServicesOf(options),
    });
    return outcome.result;
  });
}

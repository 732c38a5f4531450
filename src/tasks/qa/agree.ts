import { FabulaError } from "../../core/errors.ts";
import { countBy } from "../../core/group-by.ts";
import { type BadLine, readFittingLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import {
  type DatasetAgreement,
  humanRating,
  metaEvaluate,
  type RatedAnswer,
  ratedAnswerSchema,
} from "../../qa/agreement.ts";
import { GRADING_SETTINGS } from "../../qa/choices.ts";
import { predictionSchema } from "../../qa/scoring/prediction.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import type { ResampledUnit } from "../../stats/meta-evaluation/draws.ts";
import type { GradingRequest } from "./grade.ts";

export interface QaAgreeRequest {
  /** Files of scored and rated answers, of one system or several each. */
  readonly files: readonly string[];
  readonly metrics?: readonly string[];
  /** A judge that first grades the rated answers, given what their raters saw. */
  readonly grading?: Omit<GradingRequest, "setting" | "onProgress">;
  readonly over?: ResampledUnit;
  readonly resamples?: number;
  readonly seed: number;
  readonly onProgress: ProgressListener;
}

export interface QaAgreeReport {
  readonly answers: number;
  /** Answers without any human rating. */
  readonly unrated: number;
  /** Invalid lines, which are left out. */
  readonly badLines: readonly (BadLine & { readonly file: string })[];
  readonly datasets: readonly DatasetAgreement[];
  /** How many rated answers the judge could not grade, by reason. */
  readonly ungraded?: Readonly<Record<string, number>>;
  readonly run?: FinishedRun;
  /** For a dry run, the plan: nothing was sent, and the judge is not in the table. */
  readonly plan?: Plan;
}

/** A line without a system is left out like other invalid lines; otherwise the statistics would refuse all answers. */
const systemsAnswerSchema = ratedAnswerSchema.refine(
  ({ system, model }) => (system ?? model) !== undefined,
  'it says in neither "system" nor "model" which system gave the answer',
);

/**
 * Measures how well each metric agrees with people, by system and by answer, from answers with scores and human
 * ratings.
 */
export async function agreeOnAnswers(request: QaAgreeRequest): Promise<QaAgreeReport> {
  const answers: RatedAnswer[] = [];
  const badLines: (BadLine & { file: string })[] = [];
  for (const [done, file] of request.files.entries()) {
    request.onProgress({ stage: "reading answers", done, total: request.files.length });
    const { rows, bad } = await readFittingLines(file, systemsAnswerSchema);
    for (const answer of rows) answers.push(answer);
    badLines.push(...bad.map((line) => ({ file, ...line })));
  }
  const rated = answers.filter((answer) => !isUnrated(answer));
  if (rated.length === 0) {
    throw new FabulaError(
      "E_QA_UNRATED",
      'None of these answers carries a human rating: each line needs "human", a number or {"reference": …, "summary": …}.',
    );
  }
  const metrics = request.metrics && (await wantedMetrics(request.metrics, answers, request.grading));
  const graded = request.grading ? await withGrades(answers, request.grading, request.onProgress) : null;
  const datasets = metaEvaluate(graded?.answers ?? answers, {
    seed: request.seed,
    // A judge that was asked is always compared, even if other scores were chosen.
    ...(metrics && { metrics: [...new Set([...metrics, ...(graded?.columns ?? [])])] }),
    ...(request.over && { over: request.over }),
    ...(request.resamples !== undefined && { resamples: request.resamples }),
    onProgress: (stage, done, total) => request.onProgress({ stage, done, total }),
  });
  return { answers: answers.length, unrated: answers.length - rated.length, badLines, datasets, ...graded?.facts };
}

/** Refuses an unknown score before a judge is paid. */
async function wantedMetrics(
  wanted: readonly string[],
  answers: readonly RatedAnswer[],
  grading: QaAgreeRequest["grading"],
): Promise<readonly string[]> {
  const known = new Set(answers.flatMap(({ scores }) => Object.keys(scores)));
  if (grading) {
    const { gradeColumn } = await import("./grade.ts");
    for (const setting of GRADING_SETTINGS) known.add(gradeColumn(grading, setting));
  }
  const unknown = wanted.find((metric) => !known.has(metric));
  if (unknown === undefined) return wanted;
  const choice = known.size === 0 ? "they carry none" : `choose from ${[...known].join(", ")}`;
  throw new FabulaError("E_METRIC_UNKNOWN", `These answers have no score "${unknown}": ${choice}.`);
}

/**
 * Adds a judge's grades to the scores of the answers: given the references, and given the summary, depending on how
 * people rated.
 */
async function withGrades(
  answers: readonly RatedAnswer[],
  grading: NonNullable<QaAgreeRequest["grading"]>,
  onProgress: ProgressListener,
): Promise<{
  answers: RatedAnswer[];
  columns: readonly string[];
  facts: Pick<QaAgreeReport, "ungraded" | "run" | "plan">;
}> {
  const { gradeColumn, gradeItems, summariesFor } = await import("./grade.ts");
  const summaryOf = await summariesFor(grading.data);
  const items = answers.flatMap((answer, row) => {
    const { data: prediction } = predictionSchema.safeParse(answer);
    if (prediction === undefined) return [];
    return GRADING_SETTINGS.filter(
      (setting) =>
        !Number.isNaN(humanRating(answer, setting)) && (setting === "reference" || summaryOf(prediction) !== null),
    ).map((setting) => ({ row, prediction, setting }));
  });
  if (items.length === 0) {
    throw new FabulaError(
      "E_USAGE",
      'None of the rated answers can be graded: a judge needs "question", "prediction" and "answers" on each line.',
    );
  }
  const { result: grades, run, plan } = await gradeItems(items, { ...grading, onProgress });
  if (plan) return { answers: [...answers], columns: [], facts: { plan } };
  const scores = answers.map((answer) => ({ ...answer.scores }));
  const reasons: string[] = [];
  for (const [at, { row, setting }] of items.entries()) {
    const verdict = grades[at]?.verdict;
    if (verdict?.kind === "scored") scores[row]![gradeColumn(grading, setting)] = verdict.score;
    else if (verdict) reasons.push(verdict.reason);
  }
  return {
    answers: answers.map((answer, row) => ({ ...answer, scores: scores[row]! })),
    columns: [...new Set(items.map(({ setting }) => gradeColumn(grading, setting)))],
    facts: { run, ...(reasons.length > 0 && { ungraded: countBy(reasons) }) },
  };
}

function isUnrated(answer: RatedAnswer): boolean {
  return Number.isNaN(humanRating(answer, "reference")) && Number.isNaN(humanRating(answer, "summary"));
}

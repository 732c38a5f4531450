import { FabulaError } from "../../core/errors.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { ModelConnections } from "../../models/create-chat-model.ts";
import type { Grade } from "../../qa/judging/grade-answer.ts";
import { loadEmbeddingMatch } from "../../qa/metrics/embedding-match.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import type { AnswerMetric } from "../../qa/metrics/metric.ts";
import { analyseLengths, type LengthBin } from "../../qa/scoring/length-analysis.ts";
import { type Prediction, predictionSchema } from "../../qa/scoring/prediction.ts";
import { type ItemScores, scorePredictions, tabulate } from "../../qa/scoring/score-predictions.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import type { GradingRequest } from "./grade.ts";

export interface ScoreAnswersRequest {
  /** The path of a file with a line for each answer, or the answers. */
  readonly input: string | readonly Prediction[];
  /** Which metrics; all that need only words when absent. */
  readonly metrics?: readonly string[];
  /** Where the scores of each answer go. */
  readonly output?: string;
  /** Into how many bins of length difference the answers are cut; absent for no such analysis. */
  readonly lengthBins?: number;
  /** An embedding model by name, for the metric that matches word vectors. */
  readonly embeddings?: { readonly model: string; readonly connections: ModelConnections };
  /** A judge that grades the answers as well. */
  readonly grading?: GradingRequest;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

export interface ScoreAnswersReport {
  readonly items: number;
  /** Means: 0–1 for every metric, and the rubric's scale for `judge-reference` and `judge-summary`. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly unscored: number;
  /** Answers that the judge could not grade. */
  readonly ungraded?: number;
  readonly lengths?: readonly LengthBin[];
  readonly run?: FinishedRun;
  /** What a dry run would ask of the judge. */
  readonly plan?: Plan;
}

/** A file of answers with their references → the mean of every metric, and the scores of each answer. */
export async function scoreAnswers(request: ScoreAnswersRequest): Promise<ScoreAnswersReport> {
  const [predictions, metrics] = await Promise.all([
    typeof request.input === "string" ? readJsonLines(request.input, predictionSchema) : request.input,
    loadMetrics(request.metrics),
  ]);
  if (predictions.length === 0) {
    throw new FabulaError(
      "E_QA_EMPTY",
      typeof request.input === "string"
        ? `"${request.input}" holds no answers: one JSON object per line is expected.`
        : "There are no answers to score: give at least one.",
    );
  }
  const all = request.embeddings ? [...metrics, await embeddingMetric(predictions, request)] : metrics;
  const { items } = scorePredictions(predictions, all, request.onProgress);
  if (!request.grading) return finish(request, predictions, items);

  // Providers' libraries take longer to load than the word metrics take to run: they are loaded only when a model is asked.
  const { gradePredictions } = await import("./grade.ts");
  const { result: grades, run, plan } = await gradePredictions(predictions, request.grading);
  if (plan) return { ...(await finish({ ...request, output: undefined }, predictions, items)), plan };
  const graded = items.map((item, index) => withGrade(item, grades[index]!, `judge-${request.grading!.setting}`));
  const ungraded = grades.filter((grade) => grade?.verdict.kind === "unscored").length;
  return { ...(await finish(request, predictions, graded, grades)), ungraded, run };
}

async function embeddingMetric(
  predictions: readonly Prediction[],
  request: ScoreAnswersRequest,
): Promise<AnswerMetric> {
  const { model, connections } = request.embeddings!;
  const texts = predictions.flatMap(({ prediction, answers }) => (prediction === null ? [] : [prediction, ...answers]));
  request.onProgress({ stage: "embedding", done: 0, total: null });
  const { createEmbeddingModel } = await import("../../models/create-embedding-model.ts");
  return loadEmbeddingMatch(createEmbeddingModel(model, connections), texts, request.signal);
}

function withGrade(item: ItemScores, grade: Grade | null, id: string): ItemScores {
  if (item.kind === "unscored" || grade?.verdict.kind !== "scored") return item;
  return { kind: "scored", scores: { ...item.scores, [id]: grade.verdict.score } };
}

async function finish(
  { output, lengthBins }: Pick<ScoreAnswersRequest, "lengthBins"> & { output?: string | undefined },
  predictions: readonly Prediction[],
  items: readonly ItemScores[],
  grades?: readonly (Grade | null)[],
): Promise<ScoreAnswersReport> {
  const { means, unscored } = tabulate(items);
  if (output) {
    await writeJsonLines(
      output,
      predictions.map((prediction, index) => ({ ...prediction, ...outcomeOf(items[index]!, grades?.[index] ?? null) })),
    );
  }
  return {
    items: predictions.length,
    metrics: means,
    unscored,
    ...(lengthBins !== undefined && { lengths: analyseLengths(predictions, items, lengthBins) }),
  };
}

function outcomeOf(item: ItemScores, grade: Grade | null) {
  return {
    ...(item.kind === "scored" ? { scores: item.scores } : { unscored: item.reason }),
    ...(grade && { grade: grade.verdict, grade_reason: grade.reason }),
  };
}

import { FabulaError } from "../core/errors.ts";
import { readJsonLines, writeJsonLines } from "../core/json-lines.ts";
import type { ProgressListener } from "../core/progress.ts";
import { loadMetrics } from "../qa/metrics/load-metrics.ts";
import { analyseLengths, type LengthBin } from "../qa/scoring/length-analysis.ts";
import { predictionSchema } from "../qa/scoring/prediction.ts";
import { scorePredictions } from "../qa/scoring/score-predictions.ts";

export interface ScoreAnswersRequest {
  readonly input: string;
  /** Which metrics; all when absent. */
  readonly metrics?: readonly string[];
  /** Where the scores of each answer go. */
  readonly output?: string;
  /** Into how many bins of length difference the answers are cut; absent for no such analysis. */
  readonly lengthBins?: number;
  readonly onProgress: ProgressListener;
}

export interface ScoreAnswersReport {
  readonly items: number;
  readonly metrics: Readonly<Record<string, number>>;
  readonly unscored: number;
  readonly lengths?: readonly LengthBin[];
}

/** A file of answers with their references → the mean of every metric, and the scores of each answer. */
export async function scoreAnswers(request: ScoreAnswersRequest): Promise<ScoreAnswersReport> {
  const [predictions, metrics] = await Promise.all([
    readJsonLines(request.input, predictionSchema),
    loadMetrics(request.metrics),
  ]);
  if (predictions.length === 0) {
    throw new FabulaError("E_QA_EMPTY", `"${request.input}" holds no answers: one JSON object per line is expected.`);
  }
  const table = scorePredictions(predictions, metrics, request.onProgress);
  if (request.output) {
    await writeJsonLines(
      request.output,
      predictions.map((prediction, index) => {
        const item = table.items[index]!;
        return item.kind === "scored"
          ? { ...prediction, scores: item.scores }
          : { ...prediction, unscored: item.reason };
      }),
    );
  }
  return {
    items: predictions.length,
    metrics: table.means,
    unscored: table.unscored,
    ...(request.lengthBins && { lengths: analyseLengths(predictions, table.items, request.lengthBins) }),
  };
}

import type { ProgressListener } from "../../core/progress.ts";
import type { AnswerMetric } from "../metrics/metric.ts";
import type { Prediction } from "./prediction.ts";

/** The scores of one answer by metric, or why it has none. */
export type ItemScores =
  | { readonly kind: "scored"; readonly scores: Readonly<Record<string, number>> }
  | { readonly kind: "unscored"; readonly reason: string };

export interface ScoreTable {
  readonly items: readonly ItemScores[];
  /** Means over the scored items; empty when none was scored. */
  readonly means: Readonly<Record<string, number>>;
  readonly unscored: number;
}

const REPORT_EVERY = 500;

export function scorePredictions(
  predictions: readonly Prediction[],
  metrics: readonly AnswerMetric[],
  onProgress: ProgressListener = () => {},
): ScoreTable {
  const items = predictions.map((prediction, index) => {
    if (index % REPORT_EVERY === 0) onProgress({ stage: "scoring", done: index, total: predictions.length });
    return scoreItem(prediction, metrics);
  });
  return tabulate(items);
}

export function tabulate(items: readonly ItemScores[]): ScoreTable {
  const scored = items.flatMap((item) => (item.kind === "scored" ? [item.scores] : []));
  const ids = Object.keys(scored[0] ?? {});
  const means = ids.map((id) => [id, scored.reduce((sum, scores) => sum + scores[id]!, 0) / scored.length] as const);
  return { items, means: Object.fromEntries(means), unscored: items.length - scored.length };
}

function scoreItem({ prediction, answers, unscored }: Prediction, metrics: readonly AnswerMetric[]): ItemScores {
  if (prediction === null) return { kind: "unscored", reason: unscored ?? "the system gave no answer" };
  const scores = metrics.map((metric) => [metric.id, metric.score(prediction, answers)] as const);
  return { kind: "scored", scores: Object.fromEntries(scores) };
}

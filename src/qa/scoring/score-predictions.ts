import type { ProgressListener } from "../../core/progress.ts";
import type { AnswerMetric } from "../metrics/metric.ts";
import type { ReferenceRule } from "../metrics/reference-rule.ts";
import { earlierScores, type Prediction } from "./prediction.ts";

/** The scores of one answer by metric, or why it has none. A metric that could not judge this answer is absent. */
export type ItemScores =
  | { readonly kind: "scored"; readonly scores: Readonly<Record<string, number>> }
  | { readonly kind: "unscored"; readonly reason: string };

export interface ScoreTable {
  readonly items: readonly ItemScores[];
  /** Means of each metric over the items it scored; empty when none was scored. */
  readonly means: Readonly<Record<string, number>>;
  readonly unscored: number;
}

const REPORT_EVERY = 500;

/**
 * Scores every answer with every metric and averages each metric over the answers it scored. An answer that was never
 * given (`prediction: null`) is counted as unscored and stays out of the means.
 *
 * @example
 * ```ts
 * const given = { prediction: "the old sexton", answers: ["the sexton"] };
 * const missing = { prediction: null, answers: ["a bell"] };
 * const { means, unscored } = scorePredictions([given, missing], await loadMetrics(["em", "f1"]));
 * // means: em 0, f1 about 0.667; unscored: 1
 * ```
 */
export function scorePredictions(
  predictions: readonly Prediction[],
  metrics: readonly AnswerMetric[],
  onProgress: ProgressListener = () => {},
  rule: ReferenceRule = "best",
): ScoreTable {
  const items = predictions.map((prediction, index) => {
    if (index % REPORT_EVERY === 0) onProgress({ stage: "scoring", done: index, total: predictions.length });
    return scoreItem(prediction, metrics, rule);
  });
  return tabulate(items);
}

export function tabulate(items: readonly ItemScores[]): ScoreTable {
  const sums = new Map<string, { sum: number; count: number }>();
  for (const item of items) {
    if (item.kind === "unscored") continue;
    for (const id in item.scores) {
      const total = sums.get(id) ?? { sum: 0, count: 0 };
      total.sum += item.scores[id]!;
      if (total.count++ === 0) sums.set(id, total);
    }
  }
  const means = [...sums].map(([id, { sum, count }]) => [id, sum / count] as const);
  return {
    items,
    means: Object.fromEntries(means),
    unscored: items.filter(({ kind }) => kind === "unscored").length,
  };
}

/** A row's earlier scores are kept; a recomputed metric replaces its old value. */
function scoreItem(row: Prediction, metrics: readonly AnswerMetric[], rule: ReferenceRule): ItemScores {
  const { prediction, answers, unscored } = row;
  if (prediction === null) return { kind: "unscored", reason: unscored ?? "the system gave no answer" };
  const scores = earlierScores(row);
  for (const metric of metrics) scores[columnOf(metric, rule)] = metric.score(prediction, answers, rule);
  return { kind: "scored", scores };
}

/** Scores by a rule other than the default have a column of their own. */
export function columnOf({ id }: AnswerMetric, rule: ReferenceRule): string {
  return rule === "best" ? id : `${id}-${rule}`;
}

import type { QuestionResult } from "../../api/questions.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import { scoreAnswers } from "../../workflows/qa/score.ts";

/** A file of answers with their references, metric by metric. */
export async function scoreFile(
  { path }: { readonly path: string },
  { signal }: { readonly signal: AbortSignal },
): Promise<Pick<QuestionResult, "items" | "metrics">> {
  const [{ items, metrics }, known] = await Promise.all([
    scoreAnswers({ input: path, signal, onProgress: () => {} }),
    loadMetrics(),
  ]);
  return { items, metrics: known.map(({ id, name }) => ({ id, name, mean: metrics[id] ?? null })) };
}

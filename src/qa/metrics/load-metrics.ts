import { FabulaError } from "../../core/errors.ts";
import { exactMatch } from "./exact-match.ts";
import { loadMeteor } from "./meteor/meteor.ts";
import type { AnswerMetric } from "./metric.ts";
import { rouge1, rouge2, rougeL } from "./rouge.ts";
import { tokenF1 } from "./token-f1.ts";

/** WordNet is read once, however many files are scored. */
let meteor: Promise<AnswerMetric> | undefined;

/** Every metric that needs nothing but words, in the order reports show them. METEOR reads WordNet when first used. */
const METRICS: Readonly<Record<string, () => Promise<AnswerMetric>>> = {
  em: async () => exactMatch,
  f1: async () => tokenF1,
  "rouge-1": async () => rouge1,
  "rouge-2": async () => rouge2,
  "rouge-l": async () => rougeL,
  meteor: () => (meteor ??= loadMeteor()),
};

export const METRIC_IDS: readonly string[] = Object.keys(METRICS);

/**
 * Loads the metrics that compare words: all of `METRIC_IDS`, or those named, always in the order of `METRIC_IDS`. An
 * unknown name is an error that lists the known ones.
 *
 * @example
 * ```ts
 * const [exactMatch, f1] = await loadMetrics(["em", "f1"]);
 * exactMatch?.score("The sexton.", ["a sexton", "the priest"]); // 1: articles, case and punctuation do not count
 * f1?.score("the old sexton", ["the sexton"]); // about 0.667
 * ```
 */
export async function loadMetrics(ids: readonly string[] = METRIC_IDS): Promise<AnswerMetric[]> {
  const unknown = ids.find((id) => !Object.hasOwn(METRICS, id));
  if (unknown !== undefined) {
    throw new FabulaError("E_METRIC_UNKNOWN", `There is no metric "${unknown}": choose from ${METRIC_IDS.join(", ")}.`);
  }
  return Promise.all(METRIC_IDS.filter((id) => ids.includes(id)).map((id) => METRICS[id]!()));
}

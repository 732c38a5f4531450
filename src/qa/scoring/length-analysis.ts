import { mean } from "../../stats/distribution.ts";
import { countWords } from "../../text/words.ts";
import type { Prediction } from "./prediction.ts";
import type { ItemScores } from "./score-predictions.ts";

/** A metric's values on the answers of a bin, in standard deviations from its mean over all answers. */
export interface BinBehaviour {
  readonly mean: number;
  readonly standardDeviation: number;
}

export interface LengthBin {
  /** The smallest and largest difference in words within this bin. */
  readonly from: number;
  readonly to: number;
  readonly items: number;
  /** By metric. One that gives every answer the same score cannot be standardised and is left out. */
  readonly metrics: Readonly<Record<string, BinBehaviour>>;
}

/**
 * Does a metric punish an answer for being longer or shorter than its references? Answers are ordered by the difference
 * in words from the nearest reference and cut into bins of equal size (so one difference may end a bin and begin the
 * next); each metric is standardised over all answers. A metric that ignores length stays level across the bins.
 * `items` are those of `scorePredictions`, in the order of the predictions.
 *
 * @example
 * ```ts
 * const { items } = scorePredictions(predictions, await loadMetrics(["f1"]));
 * for (const { from, to, metrics } of analyseLengths(predictions, items, 5)) console.log(from, to, metrics.f1?.mean);
 * ```
 */
export function analyseLengths(
  predictions: readonly Prediction[],
  items: readonly ItemScores[],
  binCount: number,
): LengthBin[] {
  const answered = predictions.flatMap(({ prediction, answers }, index) => {
    const item = items[index];
    if (prediction === null || item?.kind !== "scored") return [];
    return [{ difference: lengthDifference(prediction, answers), scores: item.scores }];
  });
  answered.sort((left, right) => left.difference - right.difference);
  const ids = [...new Set(answered.flatMap(({ scores }) => Object.keys(scores)))];
  const overall = new Map(ids.map((id) => [id, spread(answered.flatMap(({ scores }) => scores[id] ?? []))]));
  const bins = Math.min(binCount, answered.length);
  return Array.from({ length: bins }, (_, bin) => {
    const inside = answered.slice(edge(bin, bins, answered.length), edge(bin + 1, bins, answered.length));
    const metrics = ids.flatMap((id) => {
      const { mean, standardDeviation } = overall.get(id)!;
      const present = inside.flatMap(({ scores }) => scores[id] ?? []);
      if (standardDeviation === 0 || present.length === 0) return [];
      return [[id, spread(present.map((score) => (score - mean) / standardDeviation))] as const];
    });
    return {
      from: inside[0]!.difference,
      to: inside.at(-1)!.difference,
      items: inside.length,
      metrics: Object.fromEntries(metrics),
    };
  });
}

export function lengthDifference(prediction: string, references: readonly string[]): number {
  const words = countWords(prediction);
  return Math.min(...references.map((reference) => Math.abs(words - countWords(reference))));
}

function edge(bin: number, bins: number, items: number): number {
  return Math.round((bin * items) / bins);
}

function spread(values: readonly number[]): BinBehaviour {
  const centre = mean(values);
  const variance = mean(values.map((value) => (value - centre) ** 2));
  return { mean: centre, standardDeviation: Math.sqrt(variance) };
}

import type { EmbeddedText, TokenEmbedder } from "../../models/embeddings/token-embedder.ts";
import { mean } from "../../stats/distribution.ts";
import { harmonicMean } from "./load-metrics.ts";
import type { AnswerMetric } from "./metric.ts";

/** Precision, recall and their F-measure. */
export type BertScores = readonly [precision: number, recall: number, f1: number];

export interface BertScoreOptions {
  /** Whether rare tokens count more; rarity is the number of references that contain them. */
  readonly idf?: boolean;
  /** The score of two unrelated texts; values are rescaled so that it becomes 0. */
  readonly baseline?: BertScores;
  readonly onProgress?: (done: number, total: number) => void;
}

interface AnswerPair {
  readonly prediction: string;
  readonly references: readonly string[];
}

const TEXTS_AT_A_TIME = 32;

/**
 * BERTScore (Zhang et al., 2020): matches every token of one text with the nearest token of the other, by the cosine
 * of their contextual vectors. Precision is the weighted mean over the prediction, recall over the reference. As in
 * the authors' code, special tokens at the beginning and end have no weight but can be matched, and a text without
 * tokens of its own scores 0. Answers are embedded in groups and only the scores are kept, because the vectors of a
 * data set would fill the memory.
 */
export async function loadBertScore(
  embedder: TokenEmbedder,
  pairs: readonly AnswerPair[],
  signal: AbortSignal,
  options: BertScoreOptions = {},
): Promise<AnswerMetric> {
  // As in the authors' code, a reference that occurs twice counts twice.
  const all = pairs.flatMap(({ references }) => references);
  const weightOf = options.idf ? inverseFrequencies(embedder, all) : () => 1;
  const weigh = (id: number) => (embedder.marks.has(id) ? 0 : weightOf(id));
  const scores = new Map<string, number>();
  for (let start = 0; start < pairs.length; start += TEXTS_AT_A_TIME) {
    const some = pairs.slice(start, start + TEXTS_AT_A_TIME);
    const embedded = await embedAll(
      embedder,
      [...new Set(some.flatMap((one) => [one.prediction, ...one.references]))],
      signal,
    );
    for (const { prediction, references } of some) {
      for (const reference of references) {
        const found = matchTokens(embedded.get(prediction)!, embedded.get(reference)!, weigh);
        scores.set(keyOf(prediction, reference), rescaled(found, options.baseline)[2]);
      }
    }
    options.onProgress?.(Math.min(start + TEXTS_AT_A_TIME, pairs.length), pairs.length);
  }
  return {
    id: "bert-score",
    name: `BERTScore F1 (${embedder.id}${options.idf ? ", idf" : ""}${options.baseline ? ", rescaled" : ""})`,
    score(prediction, references, rule = "best") {
      const found = references.map((reference) => scores.get(keyOf(prediction, reference))!);
      if (rule === "first") return found[0]!;
      return rule === "best" ? Math.max(...found) : mean(found);
    },
  };
}

export function matchTokens(
  prediction: EmbeddedText,
  reference: EmbeddedText,
  weigh: (id: number) => number,
): BertScores {
  const precision = nearestMean(prediction, reference, weigh);
  const recall = nearestMean(reference, prediction, weigh);
  if (precision === null || recall === null) return [0, 0, 0];
  return [precision, recall, harmonicMean(precision, recall)];
}

function rescaled(scores: BertScores, baseline: BertScores | undefined): BertScores {
  if (baseline === undefined) return scores;
  const [precision, recall, f1] = scores.map((score, at) => (score - baseline[at]!) / (1 - baseline[at]!));
  return [precision!, recall!, f1!];
}

/** Null if all tokens of the first text have weight zero. */
function nearestMean(from: EmbeddedText, to: EmbeddedText, weigh: (id: number) => number): number | null {
  let total = 0;
  let weights = 0;
  from.ids.forEach((id, token) => {
    const weight = weigh(id);
    if (weight === 0) return;
    let nearest = -1;
    for (const vector of to.vectors) nearest = Math.max(nearest, dot(from.vectors[token]!, vector));
    total += weight * nearest;
    weights += weight;
  });
  return weights === 0 ? null : total / weights;
}

function dot(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!;
  return sum;
}

/** log((M + 1) ÷ (references with the token + 1)) over M references; log(M + 1) for a token in none of them. */
export function inverseFrequencies(embedder: TokenEmbedder, references: readonly string[]): (id: number) => number {
  const counts = new Map<number, number>();
  for (const { ids } of embedder.tokenise(references)) {
    for (const id of new Set(ids)) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  return (id) => Math.log((references.length + 1) / ((counts.get(id) ?? 0) + 1));
}

async function embedAll(
  embedder: TokenEmbedder,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Map<string, EmbeddedText>> {
  // Batches texts of similar length, because a batch is padded to its longest text.
  const ordered = [...texts].sort((left, right) => left.length - right.length);
  const found = new Map<string, EmbeddedText>();
  for (let start = 0; start < ordered.length; start += TEXTS_AT_A_TIME) {
    const batch = ordered.slice(start, start + TEXTS_AT_A_TIME);
    const embedded = await embedder.embed(batch, signal);
    for (const [index, text] of batch.entries()) found.set(text, embedded[index]!);
  }
  return found;
}

function keyOf(prediction: string, reference: string): string {
  return `${prediction}\u0000${reference}`;
}

import type { EmbeddingModel } from "../../models/embeddings/embedding-model.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { type AnswerMetric, metricFrom } from "./metric.ts";
import { harmonicMean } from "./overlap.ts";

/**
 * A metric that gives credit for words of like meaning, with an embedding model of your own. `texts` must hold every
 * answer and reference that will be scored.
 *
 * Greedy matching of word vectors, after BERTScore (Zhang et al., 2020): each word of one answer is compared with its
 * nearest word in the other; precision is the mean over the prediction, recall over the reference, and the score is
 * their F-measure. It is *not* BERTScore: an embedding service gives one vector per text, so each word is embedded
 * alone, without its neighbours, and no baseline is subtracted. Cosines below zero count as zero.
 *
 * All words are embedded first, each once, since a metric itself does not wait for anything.
 *
 * @example
 * ```ts
 * const model = { id: "my-embedder", embed: (words: readonly string[]) => embedWords(words) }; // vectors of length 1
 * const metric = await loadEmbeddingMatch(model, ["the sexton", "a bell ringer"], AbortSignal.timeout(60_000));
 * metric.score("the sexton", ["a bell ringer"]); // from 0 to 1
 * ```
 */
export async function loadEmbeddingMatch(
  model: EmbeddingModel,
  texts: Iterable<string>,
  signal: AbortSignal,
): Promise<AnswerMetric> {
  const words = [...new Set([...texts].flatMap(wordsOf))];
  const embedded = await model.embed(words, signal);
  const vectors = new Map(words.map((word, index) => [word, embedded[index]!]));
  return metricFrom({
    id: "embedding-match",
    name: "Embedding match (words without context)",
    read: (text) => wordsOf(text).map((word) => vectors.get(word)!),
    compare: (predicted, expected) => harmonicMean(meanNearest(predicted, expected), meanNearest(expected, predicted)),
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function meanNearest(from: readonly Float32Array[], to: readonly Float32Array[]): number {
  if (from.length === 0 || to.length === 0) return 0;
  const nearest = from.map((vector) => to.reduce((best, other) => Math.max(best, cosine(vector, other)), 0));
  return mean(nearest);
}

/** Of vectors of length 1. */
function cosine(left: Float32Array, right: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) sum += left[index]! * right[index]!;
  return Math.min(1, sum);
}

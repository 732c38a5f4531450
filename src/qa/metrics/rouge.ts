import { memoised } from "./memoised.ts";
import { type AnswerMetric, metricFrom } from "./metric.ts";
import { countShared, harmonicMean } from "./overlap.ts";

/**
 * Words as Google's `rouge_score` cuts them: lower case, runs of ASCII letters and digits, everything else a gap (so
 * "café" is "caf" and "don't" is "don", "t"). No stemming and no stop words. Three metrics ask for them in turn.
 */
export const rougeWords = memoised((text): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []);

/** ROUGE-N (Lin, 2004): F-measure of shared runs of `length` words, each counted as often as it stands in both. */
function rougeN(length: number): AnswerMetric {
  return metricFrom({
    id: `rouge-${length}`,
    name: `ROUGE-${length}`,
    seesLatinOnly: true,
    read: (text) => runs(rougeWords(text), length),
    compare: (predicted, expected) => {
      const shared = countShared(predicted, expected);
      return harmonicMean(shared / predicted.length, shared / expected.length);
    },
  });
}

export const rouge1 = rougeN(1);
export const rouge2 = rougeN(2);

/** ROUGE-L (Lin, 2004): F-measure of the longest common subsequence of words, precision and recall weighing the same. */
export const rougeL = metricFrom({
  id: "rouge-l",
  name: "ROUGE-L",
  seesLatinOnly: true,
  read: rougeWords,
  compare: sequenceOverlap,
});

/** ROUGE-L of texts already cut by `rougeWords`, for callers that compare each of many with each. */
export function sequenceOverlap(predicted: readonly string[], expected: readonly string[]): number {
  const shared = longestCommonSubsequence(predicted, expected);
  return harmonicMean(shared / predicted.length, shared / expected.length);
}

function runs(words: readonly string[], length: number): readonly string[] {
  if (length === 1) return words;
  const count = Math.max(0, words.length - length + 1);
  return Array.from({ length: count }, (_, start) => words.slice(start, start + length).join(" "));
}

/** Length of the longest subsequence of both, in one row of memory: O(left × right) time, O(right) space. */
function longestCommonSubsequence(left: readonly string[], right: readonly string[]): number {
  const lengths = new Uint32Array(right.length + 1);
  for (const item of left) {
    let diagonal = 0;
    for (let column = 1; column <= right.length; column++) {
      const above = lengths[column]!;
      lengths[column] = item === right[column - 1] ? diagonal + 1 : Math.max(above, lengths[column - 1]!);
      diagonal = above;
    }
  }
  return lengths[right.length]!;
}

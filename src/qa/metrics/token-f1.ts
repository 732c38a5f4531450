import { answerWords } from "./answer-words.ts";
import { metricFrom } from "./metric.ts";
import { countShared, harmonicMean } from "./overlap.ts";

/** Answers that say all or nothing: one shared word among others is no partial credit. */
const CLOSED_ANSWERS: ReadonlySet<string> = new Set(["yes", "no", "noanswer"]);

/**
 * F1 of the bags of normalised words, with HotpotQA's rule (Yang et al., 2018): when either answer is just "yes", "no" or
 * "noanswer", only the same answer scores. Two answers without words share none and score 0.
 */
export const tokenF1 = metricFrom({
  id: "f1",
  name: "Token F1",
  seesLatinOnly: true,
  read: answerWords,
  compare: wordOverlap,
});

function wordOverlap(predicted: readonly string[], expected: readonly string[]): number {
  if (isClosed(predicted) || isClosed(expected)) {
    return predicted.length === 1 && expected.length === 1 && predicted[0] === expected[0] ? 1 : 0;
  }
  const shared = countShared(predicted, expected);
  return harmonicMean(shared / predicted.length, shared / expected.length);
}

function isClosed(words: readonly string[]): boolean {
  return words.length === 1 && CLOSED_ANSWERS.has(words[0]!);
}

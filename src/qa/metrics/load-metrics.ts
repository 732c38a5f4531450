import { FabulaError } from "../../core/errors.ts";
import { METRIC_IDS } from "../choices.ts";
import { loadMeteor } from "./meteor/meteor.ts";
import { type AnswerMetric, isAscii, memoised, metricFrom } from "./metric.ts";

/** How many items two bags share, counting repeats. */
export function countShared(left: readonly string[], right: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const item of left) counts.set(item, (counts.get(item) ?? 0) + 1);
  let shared = 0;
  for (const item of right) {
    const count = counts.get(item) ?? 0;
    if (count === 0) continue;
    counts.set(item, count - 1);
    shared++;
  }
  return shared;
}

/** The F-measure of precision and recall; 0 when nothing is shared, also when one side is empty. */
export function harmonicMean(precision: number, recall: number): number {
  return precision > 0 && recall > 0 ? (2 * precision * recall) / (precision + recall) : 0;
}

/**
 * Words as Google's `rouge_score` splits them: lower case, runs of ASCII letters and digits, everything else
 * separates (so "café" is "caf" and "don't" is "don", "t"). No stemming and no stop words. Cached, since three
 * metrics need them.
 */
export const rougeWords = memoised((text): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []);

/** ROUGE-N (Lin, 2004): F-measure of shared n-grams of `length` words, counting repeats. */
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

/**
 * ROUGE-L (Lin, 2004): F-measure of the longest common subsequence of words, with equal weights for precision and
 * recall.
 */
export const rougeL = metricFrom({
  id: "rouge-l",
  name: "ROUGE-L",
  seesLatinOnly: true,
  read: rougeWords,
  compare: sequenceOverlap,
});

/** ROUGE-L of texts already split by `rougeWords`, for callers that compare many texts with each other. */
export function sequenceOverlap(predicted: readonly string[], expected: readonly string[]): number {
  const shared = longestCommonSubsequence(predicted, expected);
  return harmonicMean(shared / predicted.length, shared / expected.length);
}

function runs(words: readonly string[], length: number): readonly string[] {
  if (length === 1) return words;
  const count = Math.max(0, words.length - length + 1);
  return Array.from({ length: count }, (_, start) => words.slice(start, start + length).join(" "));
}

/** Length of the longest common subsequence: O(left × right) time, O(right) space. */
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

/** ASCII punctuation, as in Python's `string.punctuation`. Curly quotes and dashes are not part of it and remain. */
const PUNCTUATION = /[!-/:-@[-`{-~]/g;

const ARTICLES = /\b(?:a|an|the)\b/g;
/**
 * The same with letters as Python defines them, so that the "a" at the end of "Éa" is not an article. Slower, and
 * rarely needed.
 */
const ARTICLES_AMONG_ALL_LETTERS = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

/**
 * The words of an answer as SQuAD and HotpotQA compare them, in this order: lower case; punctuation deleted (so
 * "don't" becomes "dont"); the articles a, an and the deleted; split at white space. Cached, since two metrics need
 * them.
 */
const answerWords = memoised(normalisedWords);

function normalisedWords(answer: string): readonly string[] {
  const bare = answer.toLowerCase().replace(PUNCTUATION, "");
  return bare
    .replace(isAscii(bare) ? ARTICLES : ARTICLES_AMONG_ALL_LETTERS, " ")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** For these answers a shared word gives no partial credit. */
const CLOSED_ANSWERS: ReadonlySet<string> = new Set(["yes", "no", "noanswer"]);

/**
 * F1 of the bags of normalised words, with HotpotQA's rule (Yang et al., 2018): if either answer is just "yes", "no"
 * or "noanswer", only the same answer scores. Two answers without words score 0.
 */
const tokenF1 = metricFrom({
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

/** 1 when both answers have the same normalised words in the same order, else 0: SQuAD's rule (Rajpurkar et al., 2016). */
const exactMatch = metricFrom({
  id: "em",
  name: "Exact match",
  seesLatinOnly: true,
  read: (text) => answerWords(text).join(" "),
  compare: (prediction, reference) => (prediction === reference ? 1 : 0),
});

/** WordNet is read only once. */
let meteor: Promise<AnswerMetric> | undefined;

/** METEOR reads WordNet when it is first used. */
const METRICS: Readonly<Record<string, () => Promise<AnswerMetric>>> = {
  em: async () => exactMatch,
  f1: async () => tokenF1,
  "rouge-1": async () => rouge1,
  "rouge-2": async () => rouge2,
  "rouge-l": async () => rougeL,
  meteor: () => (meteor ??= loadMeteor()),
};

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

import { memoised } from "../memoised.ts";
import { type AnswerMetric, metricFrom } from "../metric.ts";
import { porterStem } from "./porter-stem.ts";
import { loadSynonyms, type Synonyms } from "./synonyms.ts";
import { treebankWords } from "./treebank-words.ts";

/** Weights of Lavie and Agarwal (2007), NLTK's defaults: recall counts nine times precision. */
const ALPHA = 0.9;
const BETA = 3;
const GAMMA = 0.5;

/**
 * METEOR (Banerjee and Lavie, 2005) by the rules of NLTK 3.8. Words are cut by `treebankWords` and put in lower case,
 * then aligned in three stages, each on what the one before left: same word, same stem, synonym in WordNet. Every stage
 * walks the prediction from its end and takes the last reference word that fits. The third stage compares *stems*, as
 * NLTK's does, so a word finds synonyms only when its stem is itself a word.
 *
 * With m matches: P = m ÷ words predicted, R = m ÷ words expected, F = P·R ÷ (0.9·P + 0.1·R), and the score is
 * F · (1 − 0.5 · (chunks ÷ m)³), where a chunk is a run of matches adjacent and in order on both sides.
 */
export async function loadMeteor(): Promise<AnswerMetric> {
  const synonyms = await loadSynonyms();
  const stem = memoised(porterStem);
  return metricFrom<readonly string[]>({
    id: "meteor",
    name: "METEOR",
    seesLatinOnly: true,
    read: memoised((text) => treebankWords(text).map((word) => word.toLowerCase())),
    compare: (prediction, reference) => score(align(prediction, reference, stem, synonyms), reference.length),
  });
}

function score(partners: Int32Array, referenceLength: number): number {
  const matches = partners.filter((partner) => partner >= 0).length;
  if (matches === 0) return 0;
  const precision = matches / partners.length;
  const recall = matches / referenceLength;
  const mean = (precision * recall) / (ALPHA * precision + (1 - ALPHA) * recall);
  return (1 - GAMMA * (countChunks(partners) / matches) ** BETA) * mean;
}

/** For each predicted word, the position of its partner in the reference, or −1. */
function align(
  prediction: readonly string[],
  reference: readonly string[],
  stem: (word: string) => string,
  synonyms: Synonyms,
): Int32Array {
  const partners = new Int32Array(prediction.length).fill(-1);
  const taken = new Uint8Array(reference.length);
  const stage = (predicted: readonly string[], expected: readonly string[], partnersOf: Synonyms | null) => {
    for (let index = predicted.length - 1; index >= 0; index--) {
      if (partners[index]! >= 0) continue;
      const word = predicted[index]!;
      const others = partnersOf?.(word);
      for (let candidate = expected.length - 1; candidate >= 0; candidate--) {
        if (taken[candidate]) continue;
        if (others ? !others.has(expected[candidate]!) : word !== expected[candidate]) continue;
        partners[index] = candidate;
        taken[candidate] = 1;
        break;
      }
    }
  };
  stage(prediction, reference, null);
  if (!partners.includes(-1) || !taken.includes(0)) return partners;
  const predictedStems = prediction.map(stem);
  const expectedStems = reference.map(stem);
  stage(predictedStems, expectedStems, null);
  if (taken.includes(0)) stage(predictedStems, expectedStems, synonyms);
  return partners;
}

function countChunks(partners: Int32Array): number {
  let chunks = 0;
  for (let index = 0; index < partners.length; index++) {
    if (partners[index]! < 0) continue;
    const continues = index > 0 && partners[index - 1]! >= 0 && partners[index] === partners[index - 1]! + 1;
    if (!continues) chunks++;
  }
  return chunks;
}

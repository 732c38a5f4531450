import { type AnswerMetric, metricFrom } from "../metric.ts";
import { porterStem } from "./porter-stem.ts";
import { loadSynonyms, type Synonyms } from "./synonyms.ts";
import { treebankWords } from "./treebank-words.ts";

/** Weights of Lavie and Agarwal (2007), NLTK's defaults: recall counts nine times precision. */
const ALPHA = 0.9;
const BETA = 3;
const GAMMA = 0.5;

/** How METEOR sees a text: its words in lower case, and their stems. */
interface Reading {
  readonly words: readonly string[];
  readonly stems: readonly string[];
}

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
  return metricFrom({
    id: "meteor",
    name: "METEOR",
    read: createReader(),
    compare: (prediction, reference) => score(prediction, reference, synonyms),
  });
}

function createReader(): (text: string) => Reading {
  const stems = new Map<string, string>();
  const stem = (word: string) => {
    let found = stems.get(word);
    if (found === undefined) {
      found = porterStem(word);
      stems.set(word, found);
    }
    return found;
  };
  return (text) => {
    const words = treebankWords(text).map((word) => word.toLowerCase());
    return { words, stems: words.map(stem) };
  };
}

function score(prediction: Reading, reference: Reading, synonyms: Synonyms): number {
  const partners = align(prediction, reference, synonyms);
  const matches = partners.filter((partner) => partner >= 0).length;
  if (matches === 0) return 0;
  const precision = matches / prediction.words.length;
  const recall = matches / reference.words.length;
  const mean = (precision * recall) / (ALPHA * precision + (1 - ALPHA) * recall);
  return (1 - GAMMA * (countChunks(partners) / matches) ** BETA) * mean;
}

/** For each predicted word, the position of its partner in the reference, or −1. */
function align(prediction: Reading, reference: Reading, synonyms: Synonyms): Int32Array {
  const partners = new Int32Array(prediction.words.length).fill(-1);
  const taken = new Uint8Array(reference.words.length);
  const stage = (fits: (predicted: number, expected: number) => boolean) => {
    for (let predicted = partners.length - 1; predicted >= 0; predicted--) {
      if (partners[predicted]! >= 0) continue;
      for (let expected = taken.length - 1; expected >= 0; expected--) {
        if (taken[expected] || !fits(predicted, expected)) continue;
        partners[predicted] = expected;
        taken[expected] = 1;
        break;
      }
    }
  };
  stage((predicted, expected) => prediction.words[predicted] === reference.words[expected]);
  stage((predicted, expected) => prediction.stems[predicted] === reference.stems[expected]);
  stage((predicted, expected) => synonyms(prediction.stems[predicted]!).has(reference.stems[expected]!));
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

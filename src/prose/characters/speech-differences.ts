import { sumBy } from "../../stats/distribution/sum-by.ts";
import { logOdds, type WordCounts } from "../habits/log-odds.ts";
import type { Reading } from "../map/reading.ts";
import { wordAt } from "../reading/prose-text.ts";

/** How two characters talk: figures of both, and the words each prefers. */
export interface SpeechDifference {
  readonly names: readonly [string, string];
  readonly sentenceWords: readonly [number, number];
  /** Per 1,000 words. */
  readonly contractions: readonly [number, number];
  readonly questions: readonly [number, number];
  readonly words: readonly [readonly string[], readonly string[]];
  /** 0 where both use the same words in the same shares, 1 where they share none (Jensen–Shannon, base 2, common words). */
  readonly distance: number;
}

const FEWEST_WORDS = 800;
const MOST_SPEAKERS = 5;
const COMMON_WORDS = 100;
const SURE = 1.96;

interface Voice {
  readonly name: string;
  readonly counts: Map<string, number>;
  words: number;
  sentences: number;
  questions: number;
  contractions: number;
}

export function speechDifferences(reading: Reading): SpeechDifference[] {
  const voices = voicesOf(reading)
    .filter(({ words }) => words >= FEWEST_WORDS)
    .sort((left, right) => right.words - left.words)
    .slice(0, MOST_SPEAKERS);
  const names = new Set(
    reading.dialogue.cast.characters.flatMap(({ aliases }) =>
      aliases.flatMap((alias) => alias.toLowerCase().split(/[\s.]+/)),
    ),
  );
  return voices.flatMap((left, index) => voices.slice(index + 1).map((right) => difference(left, right, names)));
}

function voicesOf({ prose, dialogue }: Reading): Voice[] {
  const voices: Voice[] = dialogue.cast.characters.map(({ name }) => ({
    name,
    counts: new Map(),
    words: 0,
    sentences: 0,
    questions: 0,
    contractions: 0,
  }));
  for (const [index, { start, end }] of dialogue.quotations.entries()) {
    const speaker = dialogue.speakers[index] ?? null;
    if (speaker === null || dialogue.kinds[index] !== "speech") continue;
    const voice = voices[speaker]!;
    for (let word = wordAt(prose, start); word < prose.wordCount && prose.starts[word]! < end; word++) {
      const text = prose.words[word]!;
      voice.counts.set(text, (voice.counts.get(text) ?? 0) + 1);
      voice.words++;
      if (text.includes("'")) voice.contractions++;
    }
    const said = prose.text.slice(start, end);
    voice.questions += said.split("?").length - 1;
    voice.sentences += Math.max(1, said.split(/[.!?]+(?:\s|$)/).length - 1);
  }
  return voices;
}

function difference(left: Voice, right: Voice, names: ReadonlySet<string>): SpeechDifference {
  const prior: WordCounts = { counts: new Map(left.counts), total: left.words + right.words };
  for (const [word, count] of right.counts)
    (prior.counts as Map<string, number>).set(word, (prior.counts.get(word) ?? 0) + count);
  const odds = logOdds({ counts: left.counts, total: left.words }, { counts: right.counts, total: right.words }, prior);
  const clear = odds.filter(({ word, z }) => Math.abs(z) > SURE && !names.has(word) && word.length > 1);
  const perThousand = (count: number, words: number) => Math.round((10_000 * count) / words) / 10;
  return {
    names: [left.name, right.name],
    sentenceWords: [round(left.words / left.sentences), round(right.words / right.sentences)],
    contractions: [perThousand(left.contractions, left.words), perThousand(right.contractions, right.words)],
    questions: [perThousand(left.questions, left.words), perThousand(right.questions, right.words)],
    words: [
      clear
        .filter(({ z }) => z > 0)
        .slice(0, 8)
        .map(({ word }) => word),
      clear
        .filter(({ z }) => z < 0)
        .slice(-8)
        .reverse()
        .map(({ word }) => word),
    ],
    distance: round(jensenShannon(left, right, prior), 3),
  };
}

function jensenShannon(left: Voice, right: Voice, both: WordCounts): number {
  const common = [...both.counts].sort((one, other) => other[1] - one[1]).slice(0, COMMON_WORDS);
  const total = (voice: Voice) => sumBy(common, ([word]) => voice.counts.get(word) ?? 0);
  const [leftTotal, rightTotal] = [total(left), total(right)];
  let distance = 0;
  for (const [word] of common) {
    const one = (left.counts.get(word) ?? 0) / leftTotal;
    const other = (right.counts.get(word) ?? 0) / rightTotal;
    const middle = (one + other) / 2;
    if (one > 0) distance += (one * Math.log2(one / middle)) / 2;
    if (other > 0) distance += (other * Math.log2(other / middle)) / 2;
  }
  return Math.sqrt(Math.max(0, distance));
}

const round = (value: number, digits = 1) => Number(value.toFixed(digits));

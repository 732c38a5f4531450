import { deflateRawSync } from "node:zlib";
import { EMPTY_HASH, extended, finished } from "../prose/hashing.ts";
import { FUNCTION_WORD, LETTERS, type ScannedProse } from "../prose/scanned-prose.ts";
import { lowerCaseOf } from "../prose/word-shape.ts";
import { sumBy } from "../stats/distribution.ts";
import { detectLanguage } from "../text/language.ts";
import { personalPronouns, reasonOutOfOrder } from "./order.ts";
import type { PreparedText } from "./prepare-text.ts";

/** Function words are 40–60% of English prose and under 20% of text in other languages. */
export const MINIMUM_FUNCTION_WORDS = 0.25;
/**
 * A passage ends at the end of a paragraph once it has this many words, and at the end of any sentence once it has
 * the second number.
 */
const SHORTEST_PASSAGE = 40;
const LONGEST_PASSAGE = 250;
/** Fewer words than this, such as the rest of a chapter, do not show their language. */
const ENOUGH_TO_TELL = 30;

/**
 * The foreign share from which a text is refused, and from which its score gets a caveat. The largest share in the 80
 * reference novels is under 1 %, in readers' stories 6 % (a log), in judged chapters 29 % (word salad):
 * `evals/cohesion.ts` prints it.
 */
export const FOREIGN_LIMITS = { refused: 1 / 3, caveat: 0.1 } as const;

/** The share of the book's words in another language, and the most frequent such language. */
interface ForeignPart {
  readonly part: number;
  /** As a phrase: "about 40% of it looks like French". */
  readonly inWords: string;
}

/** Cached, because every juror needs this for the same chapters. */
const foreignParts = new WeakMap<readonly PreparedText[], ForeignPart>();

/**
 * Checks passage by passage, because in a book that is half French, the English half has enough function words for
 * the whole. A passage with few of them counts only if another language is recognised, because a list or a log has
 * few as well.
 */
export function foreignPart(chapters: readonly PreparedText[]): ForeignPart {
  const known = foreignParts.get(chapters);
  if (known !== undefined) return known;
  const words = new Map<string, number>();
  for (const { text, prose } of chapters) {
    for (const passage of poorPassages(prose)) {
      const language = detectLanguage(text.slice(passage.start, passage.end));
      if (language !== null && language !== "en") words.set(language, (words.get(language) ?? 0) + passage.words);
    }
  }
  const all = sumBy(chapters, ({ prose }) => prose.wordCount);
  const [most] = [...words].sort(([, left], [, right]) => right - left);
  const part = all === 0 ? 0 : sumBy([...words.values()], (count) => count) / all;
  const inWords =
    most === undefined ? "" : `about ${Math.round(100 * part)}% of it looks like ${languageName(most[0])}`;
  const found = { part, inWords };
  foreignParts.set(chapters, found);
  return found;
}

/** The passages with fewer function words than English has. */
function* poorPassages(prose: ScannedProse) {
  let first = 0;
  let words = 0;
  let functionWords = 0;
  for (let sentence = 0; sentence < prose.sentenceCount; sentence++) {
    words += prose.words[sentence]!;
    for (let token = prose.firstToken[sentence]!; token < prose.firstToken[sentence + 1]!; token++)
      if (prose.traits[token]! & FUNCTION_WORD) functionWords++;
    const isLast = sentence + 1 === prose.sentenceCount;
    const endsParagraph = isLast || prose.opensParagraph[sentence + 1] === 1;
    if (words < (endsParagraph ? SHORTEST_PASSAGE : LONGEST_PASSAGE) && !isLast) continue;
    if (words >= ENOUGH_TO_TELL && functionWords < MINIMUM_FUNCTION_WORDS * words)
      yield { start: prose.starts[first]!, end: prose.ends[sentence]!, words };
    first = sentence + 1;
    words = 0;
    functionWords = 0;
  }
}

export function languageName(code: string): string {
  return new Intl.DisplayNames("en", { type: "language", fallback: "code" }).of(code) ?? code;
}

/** The layout of a text's lines, each kind as a share of all lines; null if there are too few lines. */
interface Layout {
  /** Short lines that do not end a sentence: a list, a table of contents. */
  readonly openLines: number | null;
  /** Short lines that break off within a sentence, with the next one capitalised: verse. */
  readonly brokenLines: number | null;
}

const ENOUGH_LINES = 6;
const SHORT_LINE = 60;

export function measureLayout(chapters: readonly PreparedText[]): Layout {
  let count = 0;
  let open = 0;
  let broken = 0;
  for (const { text } of chapters) {
    const lines = text.split("\n").map((line) => line.trim());
    lines.forEach((line, at) => {
      if (line === "") return;
      count++;
      if (line.length > SHORT_LINE) return;
      if (!/[.!?…:;,—"”'’)*_-]$/.test(line)) open++;
      if (/^["“'‘(]?\p{Lu}/u.test(lines[at + 1] ?? "") && !/[.!?…:"”]$/.test(line)) broken++;
    });
  }
  return count < ENOUGH_LINES
    ? { openLines: null, brokenLines: null }
    : { openLines: open / count, brokenLines: broken / count };
}

/** The part of a prepared text that this check needs. */
type Prose = Pick<PreparedText, "text" | "prose">;

interface Repetition {
  /** The share of words in sentences that did not occur before. */
  readonly newWords: number;
  /** How many different sentences there are, ignoring capitals, punctuation and numbers. */
  readonly sentences: number;
  /** The compressed length as a share of the original length. */
  readonly compressed: number;
}

/**
 * Below `newWords` or `compressed` a text is refused; below `caveat` its score gets a caveat. Published novels, their
 * chapters, readers' stories and professionals' prose stay far above: `evals/cohesion.ts` prints how far.
 */
export const REPETITION_LIMITS = { newWords: 0.5, compressed: 0.2, caveat: 0.75 } as const;

const SPACE = 0x20;

/** Cached, because every juror needs this for the same chapters. */
const repetitions = new WeakMap<readonly Prose[], Repetition>();

/**
 * Two measures, since each misses something: sentences that differ in one word are all new but compress well, and a
 * repeated chapter is too far back for the compressor.
 */
export function measureRepetition(chapters: readonly Prose[]): Repetition {
  const known = repetitions.get(chapters);
  if (known !== undefined) return known;
  const seen = new Set<number>();
  let newWords = 0;
  for (const chapter of chapters) {
    const { words, sentenceCount } = chapter.prose;
    for (let sentence = 0; sentence < sentenceCount; sentence++) {
      const before = seen.size;
      if (words[sentence]! > 0) seen.add(hashOf(chapter, sentence));
      if (seen.size > before) newWords += words[sentence]!;
    }
  }
  const all = sumBy(chapters, ({ prose }) => prose.wordCount);
  const bytes = Buffer.from(chapters.map(({ text }) => text).join("\n"));
  const repetition = {
    newWords: all === 0 ? 1 : newWords / all,
    sentences: seen.size,
    compressed: bytes.length === 0 ? 1 : deflateRawSync(bytes, { level: 1 }).length / bytes.length,
  };
  repetitions.set(chapters, repetition);
  return repetition;
}

/** Only words count: "It rained!" and "It rained 12." are the same sentence as "it rained." */
function hashOf({ text, prose }: Prose, sentence: number): number {
  let hash = EMPTY_HASH;
  for (let token = prose.firstToken[sentence]!; token < prose.firstToken[sentence + 1]!; token++) {
    if ((prose.traits[token]! & LETTERS) === 0) continue;
    const end = prose.tokenEnds[token]!;
    for (let at = prose.tokenStarts[token]!; at < end; at++) hash = extended(hash, lowerCaseOf(text.charCodeAt(at)));
    hash = extended(hash, SPACE);
  }
  return finished(hash);
}

/** Why a repetitive text is refused; null if it is not. */
export function reasonRepetitive(chapters: readonly Prose[]): string | null {
  const { newWords, sentences, compressed } = measureRepetition(chapters);
  if (newWords < REPETITION_LIMITS.newWords) {
    return sentences === 1
      ? "the text is one sentence repeated again and again"
      : `the text repeats itself: only ${Math.max(1, Math.round(100 * newWords))}% of its words are in sentences that did not occur before`;
  }
  if (compressed < REPETITION_LIMITS.compressed) {
    return "the text repeats itself: its sentences say the same words again and again, with small changes";
  }
  return null;
}

/**
 * A larger share of capital letters means that the text was typed in capitals, in which neither names nor function
 * words can be recognised.
 */
const ALL_CAPITALS = 0.8;
/** A text with fewer words than this is only reported as short. */
const ENOUGH_TO_TELL_LANGUAGE = 30;

/** The share of open or broken lines from which a text counts as a list or verse. */
export const LAYOUT_LIMITS = {
  openLines: 0.8,
  /** Lists have fewer personal pronouns per word than this; a story told in short lines has more. */
  pronouns: 0.03,
  brokenLines: 0.4,
} as const;

/** Why no juror can score this text (too short, not English, not connected prose); null if one can. */
export function reasonNotToRead(chapters: readonly PreparedText[], minimumWords: number): string | null {
  const count = (of: (text: PreparedText) => number) => sumBy(chapters, of);
  const words = count(({ prose }) => prose.wordCount);
  const foreign = count(({ prose }) => prose.foreignLetters);
  const functionWords = count(({ prose }) => prose.functionWordCount);
  const isEnglish = foreign <= words && functionWords >= MINIMUM_FUNCTION_WORDS * words;
  if (words + foreign >= ENOUGH_TO_TELL_LANGUAGE && !isEnglish) {
    const text = chapters.map((chapter) => chapter.text).join("\n");
    if (isCapitals(text))
      return "the text is set in capitals throughout, which the jury cannot read: use normal upper and lower case";
    const language = detectLanguage(text);
    return language === null || language === "en"
      ? "the text is not connected English prose: it has too few of the small words that hold sentences together"
      : `the text is not English (it looks like ${languageName(language)}), and the jury reads English only`;
  }
  if (words < minimumWords) return `the text has ${words} words of prose, and at least ${minimumWords} are needed`;
  const other = foreignPart(chapters);
  if (other.part >= FOREIGN_LIMITS.refused)
    return `the text is only partly English (${other.inWords}), and the jury reads English only`;
  return reasonNotConnected(chapters);
}

function isCapitals(text: string): boolean {
  const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
  const capitals = count(/\p{Lu}/gu);
  return capitals > 0 && capitals >= ALL_CAPITALS * (capitals + count(/\p{Ll}/gu));
}

/** Cached, because every juror needs this for the same chapters. */
const remembered = new WeakMap<readonly PreparedText[], string | null>();

/** Why a text is not connected prose; null if it is. */
export function reasonNotConnected(chapters: readonly PreparedText[]): string | null {
  const known = remembered.get(chapters);
  if (known !== undefined) return known;
  const reason = reasonFromLayout(chapters) ?? reasonRepetitive(chapters) ?? reasonOutOfOrder(chapters);
  remembered.set(chapters, reason);
  return reason;
}

function reasonFromLayout(chapters: readonly PreparedText[]): string | null {
  const { openLines, brokenLines } = measureLayout(chapters);
  if ((openLines ?? 0) >= LAYOUT_LIMITS.openLines && personalPronouns(chapters) < LAYOUT_LIMITS.pronouns)
    return "the text is a list or a table of contents, not connected prose";
  if ((brokenLines ?? 0) >= LAYOUT_LIMITS.brokenLines)
    return "the text is set in lines like verse, and the jury reads prose";
  return null;
}

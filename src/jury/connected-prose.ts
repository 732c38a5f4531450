import { HashIndex } from "../prose/hash-index.ts";
import { FUNCTION_WORD } from "../prose/scanned-prose.ts";
import { wilsonInterval } from "../stats/distribution/wilson-interval.ts";
import { type Cohesion, isPersonalPronoun, type Links, measureCohesion } from "./connected/cohesion.ts";
import { playLines } from "./connected/play-lines.ts";
import { countRepeatedSentences } from "./connected/repeated-sentences.ts";
import { countStrayTags, mostStrayTags } from "./connected/stray-tags.ts";
import { findTwoCasts, type TwoCasts } from "./connected/two-casts.ts";
import type { PreparedText } from "./prepare-text.ts";

/**
 * The limits of what counts as connected prose, set from published novels: `evals/cohesion.ts` prints how far the
 * reference novels, judged chapters and readers' stories stay from each.
 */
export const LIMITS = {
  /**
   * Standard deviations from the links of random order: within this, order cannot be told from chance. A part of the deviations that the
   * least connected novel would have in as much text, so that less is asked of less text, between two bounds.
   */
  links: { part: 0.3, least: 2.5, most: 5 },
  /** The deviations that the least connected novel would have in as much text: with less, nothing is said. */
  enoughToTell: 6,
  /** How many more links than by chance the least connected reference novels have: words and names, persons and speech. */
  leastWords: 0.7,
  leastTurns: 0.33,
  /** The same of paragraphs, asked only where sentences share as many words as in those novels: language models avoid a word they just used. */
  paragraphLinks: 4.2,
  enoughParagraphs: 6,
  leastParagraphWords: 0.28,
  /** The part of speech tags that have lost their speech… */
  strayTags: 0.5,
  /** …and how many tell. */
  enoughStrayTags: 5,
  /** How often two casts of one book meet, as a part of what chance would give. */
  meetings: 0.25,
  /** The part of articles that stand before another small word: 2–9% in prose, about half in shuffled words. */
  strandedArticles: 0.28,
  /** Articles needed to say so. */
  enoughArticles: 8,
  /** The part of short lines that do not end a sentence, in lists and tables of contents… */
  openLines: 0.8,
  /** …which, like programs, have fewer personal pronouns per word than this; a story told in broken lines has more. */
  pronouns: 0.03,
  enoughLines: 6,
  shortLine: 60,
  /** The part of lines that break off within a sentence, the next one begun with a capital: verse. */
  brokenLines: 0.4,
  /** The part of lines that begin with a speaker's name: a play. */
  playLines: 0.5,
  /** Signs that only programs and markup use, per word. */
  symbols: 0.25,
  /**
   * So few different sentences, again and again, are no text. A part of all sentences cannot be the limit: among the judged
   * chapters are 40 in which a language model says the same sentences over and over, with 9 different ones and more.
   */
  distinctSentences: 4,
  enoughRepeated: 10,
} as const;

const ARTICLES = HashIndex.ofWords(["the", "a", "an"]);

export interface ProseSigns {
  /** How many standard deviations the links between neighbours are from random order; null when too short to tell. */
  readonly links: number | null;
  /** From how many on they are no longer chance, in a text of this length. */
  readonly linksLimit: number;
  /** The same for neighbouring paragraphs. */
  readonly paragraphLinks: number | null;
  /** The part of speech tags without their speech; null when there are few of those. */
  readonly strayTags: number | null;
  readonly casts: TwoCasts | null;
  /** The lower bound of the part of articles that stand before another small word; null when there are few. */
  readonly strandedArticles: number | null;
  readonly openLines: number | null;
  readonly brokenLines: number | null;
  readonly playLines: number | null;
  readonly pronouns: number;
  readonly symbols: number;
  /** How many sentences are different, where most are said again; null elsewhere. */
  readonly distinctSentences: number | null;
}

/** Every juror asks of the same chapters. */
const remembered = new WeakMap<readonly PreparedText[], string | null>();

/** Why a text is not connected prose, or null. Cohesion is measured only where there is enough text to tell. */
export function reasonNotConnected(chapters: readonly PreparedText[]): string | null {
  const known = remembered.get(chapters);
  if (known !== undefined) return known;
  const reason = reasonFrom(readSigns(chapters));
  remembered.set(chapters, reason);
  return reason;
}

function reasonFrom(signs: ProseSigns): string | null {
  const isNarrated = signs.pronouns >= LIMITS.pronouns;
  if (signs.symbols >= LIMITS.symbols && !isNarrated) return "the text looks like code or markup, not like prose";
  if ((signs.openLines ?? 0) >= LIMITS.openLines && !isNarrated)
    return "the text is a list or a table of contents, not connected prose";
  if ((signs.playLines ?? 0) >= LIMITS.playLines)
    return "the text is set as a play, with names before speeches, and the jury reads prose";
  if ((signs.brokenLines ?? 0) >= LIMITS.brokenLines)
    return "the text is set in lines like verse, and the jury reads prose";
  if ((signs.strandedArticles ?? 0) >= LIMITS.strandedArticles) {
    return "the words do not follow each other as words of English sentences do";
  }
  if (signs.links !== null && signs.links < signs.linksLimit) {
    return "neighbouring sentences have no more in common than sentences in random order: the text is not connected prose";
  }
  if (signs.paragraphLinks !== null && signs.paragraphLinks < LIMITS.paragraphLinks) {
    return "neighbouring paragraphs have no more in common than paragraphs in random order: the text is not connected prose";
  }
  if ((signs.strayTags ?? 0) >= LIMITS.strayTags) {
    return "the dialogue seems to be missing: sentences begin with “said” or “he asked”, with nothing before them";
  }
  if (signs.casts !== null && signs.casts.meetings < LIMITS.meetings) {
    return `two books seem to be mixed: ${listed(signs.casts.names.slice(0, 3))} appear on the same pages as the other characters, but almost never in the same paragraph`;
  }
  if (signs.distinctSentences !== null && signs.distinctSentences < LIMITS.distinctSentences) {
    return signs.distinctSentences === 1
      ? "the text is one sentence repeated again and again"
      : `the text is ${signs.distinctSentences} sentences repeated again and again`;
  }
  return null;
}

/** Whether there is enough text to tell sentences in order from sentences in random order. */
export function isOrderMeasured(chapters: readonly PreparedText[]): boolean {
  return isEnough(measureCohesion(chapters, "sentences"));
}

export function readSigns(chapters: readonly PreparedText[]): ProseSigns {
  const words = chapters.reduce((sum, { prose }) => sum + prose.wordCount, 0);
  const sentences = measureCohesion(chapters, "sentences");
  return {
    links: isEnough(sentences) ? deviationsOf(sentences) : null,
    linksLimit: Math.min(LIMITS.links.most, Math.max(LIMITS.links.least, LIMITS.links.part * leastSignal(sentences))),
    paragraphLinks: paragraphLinks(chapters, sentences),
    strayTags: strayTags(chapters),
    casts: findTwoCasts(chapters),
    strandedArticles: strandedArticles(chapters),
    openLines: openLines(chapters),
    brokenLines: brokenLines(chapters),
    playLines: partOfPlay(chapters),
    pronouns: pronounCount(chapters) / Math.max(words, 1),
    symbols:
      chapters.reduce((sum, { text }) => sum + (text.match(/[{}[\]<>=;|\\/&$@^+]/g)?.length ?? 0), 0) /
      Math.max(words, 1),
    distinctSentences: distinctSentences(chapters),
  };
}

function distinctSentences(chapters: readonly PreparedText[]): number | null {
  const { sentences, distinct } = countRepeatedSentences(chapters);
  return sentences < LIMITS.enoughRepeated || distinct >= sentences / 2 ? null : distinct;
}

/** The deviations that the least connected reference novel would show in as much text. */
function leastSignal({ words, turns }: Cohesion): number {
  return (LIMITS.leastWords * precision(words) + LIMITS.leastTurns * precision(turns)) / Math.SQRT2;
}

function isEnough(sentences: Cohesion): boolean {
  return leastSignal(sentences) >= LIMITS.enoughToTell;
}

/** Both kinds of links together: fewer than by chance is order too, as where a writer avoids the word just used. */
function deviationsOf({ words, turns }: Cohesion): number {
  return Math.hypot(deviations(words), deviations(turns));
}

function paragraphLinks(chapters: readonly PreparedText[], sentences: Cohesion): number | null {
  if (sentences.words.found < (1 + LIMITS.leastWords) * sentences.words.expected) return null;
  const paragraphs = measureCohesion(chapters, "paragraphs");
  const isEnoughText = LIMITS.leastParagraphWords * precision(paragraphs.words) >= LIMITS.enoughParagraphs;
  return isEnoughText ? deviationsOf(paragraphs) : null;
}

function strayTags(chapters: readonly PreparedText[]): number | null {
  const texts = chapters.map(({ text }) => text);
  if (mostStrayTags(texts) < LIMITS.enoughStrayTags) return null;
  const { stray, attached } = countStrayTags(texts);
  return stray < LIMITS.enoughStrayTags ? null : stray / (stray + attached);
}

function listed(names: readonly string[]): string {
  return new Intl.ListFormat("en").format(names);
}

function deviations({ found, expected, variance }: Links): number {
  return variance > 0 ? (found - expected) / Math.sqrt(variance) : 0;
}

/** How many standard deviations twice as many links as by chance would be. */
function precision({ expected, variance }: Links): number {
  return variance > 0 ? expected / Math.sqrt(variance) : 0;
}

function pronounCount(chapters: readonly PreparedText[]): number {
  let count = 0;
  for (const { prose } of chapters) for (const token of prose.tokens) if (isPersonalPronoun(token)) count++;
  return count;
}

function strandedArticles(chapters: readonly PreparedText[]): number | null {
  let articles = 0;
  let stranded = 0;
  for (const { prose } of chapters) {
    for (let token = 0; token + 1 < prose.tokens.length; token++) {
      if (!ARTICLES.has(prose.tokens[token]!)) continue;
      articles++;
      const traits = prose.traits[token + 1]!;
      if (traits & FUNCTION_WORD) stranded++;
    }
  }
  return articles < LIMITS.enoughArticles ? null : wilsonInterval(stranded, articles, 0.8)[0];
}

/** A line of prose ends its sentence or runs on to the margin; a line of a list does neither. */
function openLines(chapters: readonly PreparedText[]): number | null {
  let lines = 0;
  let open = 0;
  for (const { text } of chapters) {
    for (const line of text.split("\n")) {
      const trimmed = line.trim();
      if (trimmed === "") continue;
      lines++;
      if (trimmed.length <= LIMITS.shortLine && !/[.!?…:;,—"”'’)*_-]$/.test(trimmed)) open++;
    }
  }
  return lines < LIMITS.enoughLines ? null : open / lines;
}

function partOfPlay(chapters: readonly PreparedText[]): number | null {
  const { lines, part } = playLines(chapters.map(({ text }) => text));
  return lines < LIMITS.enoughLines ? null : part;
}

function brokenLines(chapters: readonly PreparedText[]): number | null {
  let count = 0;
  let broken = 0;
  for (const { text } of chapters) {
    const lines = text.split("\n").map((line) => line.trim());
    lines.forEach((line, at) => {
      if (line === "") return;
      count++;
      const isShort = line.length <= LIMITS.shortLine;
      if (isShort && /^["“'‘(]?\p{Lu}/u.test(lines[at + 1] ?? "") && !/[.!?…:"”]$/.test(line)) broken++;
    });
  }
  return count < LIMITS.enoughLines ? null : broken / count;
}

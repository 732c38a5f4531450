import { hashOf } from "../prose/hashing.ts";
import { FUNCTION_WORD } from "../prose/scanned-prose.ts";
import { wilsonInterval } from "../stats/distribution/wilson-interval.ts";
import { type Cohesion, type Links, measureCohesion } from "./cohesion.ts";
import type { PreparedText } from "./prepare-text.ts";

/**
 * The limits of what counts as connected prose, set from published novels: `evals/cohesion.ts` prints how far the
 * reference novels, judged chapters and readers' stories stay from each.
 */
export const LIMITS = {
  /** Standard deviations from the links of random order: within this, order cannot be told from chance. */
  links: 2.5,
  /** The deviations that the least connected novel would have in as much text: with less, nothing is said. */
  enoughToTell: 6,
  /** How many more links than by chance the least connected reference novels have: words and names, persons and speech. */
  leastWords: 0.7,
  leastTurns: 0.33,
  /** The part of articles that stand before another small word: 2–9% in prose, about half in shuffled words. */
  strandedArticles: 0.28,
  /** Articles needed to say so. */
  enoughArticles: 8,
  /** The part of short lines that do not end a sentence, in lists and tables of contents. */
  openLines: 0.8,
  enoughLines: 6,
  shortLine: 60,
  /** Signs that only programs and markup use, per word. */
  symbols: 0.25,
} as const;

const ARTICLES = new Set(["the", "a", "an"].map(hashOf));

export interface ProseSigns {
  /** How many standard deviations the links between neighbours are above random order; null when too short to tell. */
  readonly links: number | null;
  /** The lower bound of the part of articles that stand before another small word; null when there are few. */
  readonly strandedArticles: number | null;
  readonly openLines: number | null;
  readonly symbols: number;
}

/** Why a text is not connected prose, or null. Cohesion is measured only where there is enough text to tell. */
export function reasonNotConnected(chapters: readonly PreparedText[]): string | null {
  const signs = readSigns(chapters);
  if (signs.symbols >= LIMITS.symbols) return "the text looks like code or markup, not like prose";
  if ((signs.openLines ?? 0) >= LIMITS.openLines)
    return "the text is a list or a table of contents, not connected prose";
  if ((signs.strandedArticles ?? 0) >= LIMITS.strandedArticles) {
    return "the words do not follow each other as words of English sentences do";
  }
  if (signs.links !== null && Math.abs(signs.links) < LIMITS.links) {
    return "neighbouring sentences have no more in common than sentences in random order: the text is not connected prose";
  }
  return null;
}

export function readSigns(chapters: readonly PreparedText[]): ProseSigns {
  const words = chapters.reduce((sum, { prose }) => sum + prose.wordCount, 0);
  return {
    links: linkDeviations(measureCohesion(chapters)),
    strandedArticles: strandedArticles(chapters),
    openLines: openLines(chapters),
    symbols:
      chapters.reduce((sum, { text }) => sum + (text.match(/[{}[\]<>=;|\\/&$@^+]/g)?.length ?? 0), 0) /
      Math.max(words, 1),
  };
}

/** Both kinds of links together, in standard deviations of random order. */
function linkDeviations({ words, turns }: Cohesion): number | null {
  const leastSignal = (LIMITS.leastWords * precision(words) + LIMITS.leastTurns * precision(turns)) / Math.SQRT2;
  return leastSignal < LIMITS.enoughToTell ? null : (deviations(words) + deviations(turns)) / Math.SQRT2;
}

function deviations({ found, expected, variance }: Links): number {
  return variance > 0 ? (found - expected) / Math.sqrt(variance) : 0;
}

/** How many standard deviations twice as many links as by chance would be. */
function precision({ expected, variance }: Links): number {
  return variance > 0 ? expected / Math.sqrt(variance) : 0;
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

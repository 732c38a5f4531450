import type { Verdict } from "../core/verdict.ts";
import { countOf } from "../core/wording.ts";
import { parseArabic, parseRoman } from "../text/chapters/numbers.ts";

/** A title with its own number ("Chapter 4: The Scale", "IV. The Scale", "第四回") is not numbered again. */
export function chapterInWords(index: number, title: string | null | undefined, language: "en" | "zh" = "en"): string {
  const number = language === "zh" ? `第 ${index} 章` : `chapter ${index}`;
  if (!title) return number;
  if (/^(chapter|book|part|letter|canto|stave|第)/i.test(title)) return title;
  const rest = withoutNumber(title, index);
  if (rest === "") return number;
  return language === "zh" ? `${number}《${rest}》` : `${number}, ${rest}`;
}

/** "The Scale" from "IV. The Scale", if four is also our number. */
function withoutNumber(title: string, index: number): string {
  const [, numeral = "", rest = ""] = /^([ivxlcdm]+|\d+)(?:$|[.:]\s*)(.*)$/iu.exec(title) ?? [];
  return (parseRoman(numeral) ?? parseArabic(numeral)) === index ? rest : title;
}

export interface Scale {
  readonly minimum: number;
  readonly maximum: number;
}

export function scoreInWords(verdict: Verdict): string {
  return verdict.kind === "scored" ? verdict.score.toFixed(1) : "unscored";
}

export function intervalInWords(verdict: Verdict): string {
  if (verdict.kind === "unscored" || !verdict.interval) return "";
  return `${verdict.interval[0].toFixed(1)}–${verdict.interval[1].toFixed(1)}`;
}

/** A percentile such as "63rd", worded so that it is not mistaken for a mark out of a hundred. */
export function percentileInWords(percentile: number | null): string {
  if (percentile === null) return "";
  return ordinal(Math.round(percentile));
}

export function ordinal(value: number): string {
  const tens = value % 100;
  if (tens >= 11 && tens <= 13) return `${value}th`;
  return `${value}${["th", "st", "nd", "rd"][value % 10] ?? "th"}`;
}

export function shareInWords(share: number): string {
  if (share >= 1) return "100 %";
  return `${Math.min(99.9, Math.floor(share * 1000) / 10).toFixed(1)} %`;
}

/** "5 of 6 segments": what an average over segments is based on; empty if there are no segments. */
export function supportInWords(support: { readonly scored: number; readonly segments: number } | undefined): string {
  return support ? `${support.scored} of ${countOf(support.segments, "segment")}` : "";
}

/** How much of a book a judge saw, and in what form. */
export function wordsSeenInWords({ share, inFull, throughSummaries, quoted, words }: WordsSeen): string {
  if (words === 0) return "how much of it the judge saw is not known";
  if (inFull === undefined) return `it read ${shareInWords(share)} of the words`;
  const count = (figure: number | undefined) => (figure ?? 0).toLocaleString("en-GB");
  return `of ${countOf(words, "word")} it read ${count(inFull)} in full and knew ${count(throughSummaries)} through summaries; ${count(quoted)} were quoted to it as excerpts`;
}

interface WordsSeen {
  readonly words: number;
  readonly share: number;
  readonly inFull?: number | undefined;
  readonly throughSummaries?: number | undefined;
  readonly quoted?: number | undefined;
}

/** The position of a verdict between the ends of its scale, 0–1; null if there is none. */
export function positionOnScale(verdict: Verdict, scale: Scale): number | null {
  if (verdict.kind === "unscored") return null;
  const position = (verdict.score - scale.minimum) / (scale.maximum - scale.minimum);
  return Math.min(1, Math.max(0, position));
}

/** Adds quotation marks unless the text contains some: two of the same kind could not be told apart. */
export function inMarks(text: string): string {
  return /["“”]/.test(text) ? text : `“${text}”`;
}

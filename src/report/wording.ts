import type { Verdict } from "../core/verdict.ts";
import { countOf } from "../core/wording.ts";

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

/** "63rd": a share of the population, worded so that it is not mistaken for a mark out of a hundred. */
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

/** "5 of 6 segments": what an average over segments rests on; nothing where there are no segments. */
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

/** Where a verdict stands between the ends of its scale, 0–1; null when there is none. */
export function positionOnScale(verdict: Verdict, scale: Scale): number | null {
  if (verdict.kind === "unscored") return null;
  const position = (verdict.score - scale.minimum) / (scale.maximum - scale.minimum);
  return Math.min(1, Math.max(0, position));
}

import { isScored } from "../../core/verdict.ts";
import type { AspectResult, BookEvaluation } from "../../judge/evaluation.ts";
import type { Attention } from "../../reader/attention/reader-attention.ts";
import { ordinal } from "../wording.ts";

/** Stars that make a difference between the books whose reviews speak of an aspect and the others. */
const NOTABLE_STARS = 0.3;
/** Percentiles, or hundredths of the scale, between an aspect and the whole book that are worth a word. */
const NOTABLE_SHARE = 5;

/** What a reader looks for in books, and what the general verdict says of it in this one. */
export function whereInWords(
  reader: string,
  { reviews, of, stars, otherStars }: Attention,
  aspect: AspectResult,
  evaluation: BookEvaluation,
): string {
  const name = aspect.name.toLowerCase();
  return `${reader} writes about ${name} in ${reviews} of ${of} reviews${starsInWords(stars, otherStars)}; ${generalInWords(aspect, evaluation)}.`;
}

function starsInWords(stars: number | null, otherStars: number | null): string {
  if (stars === null) return "";
  if (otherStars === null || Math.abs(stars - otherStars) < NOTABLE_STARS)
    return ` (${stars.toFixed(1)} stars on average)`;
  const manner = stars > otherStars ? "mostly to praise" : "mostly to blame";
  return `, ${manner} (${stars.toFixed(1)} stars on average, ${otherStars.toFixed(1)} elsewhere)`;
}

function generalInWords({ verdict, percentile }: AspectResult, evaluation: BookEvaluation): string {
  const { overall, overallPercentile, scale } = evaluation;
  if (!isScored(verdict)) return `the general verdict is silent on it (${verdict.reason})`;
  const ranked = percentile !== null && overallPercentile !== null;
  const share = (score: number) => (100 * (score - scale.minimum)) / (scale.maximum - scale.minimum);
  const gap = ranked
    ? percentile - overallPercentile
    : isScored(overall)
      ? share(verdict.score) - share(overall.score)
      : 0;
  const figure = ranked
    ? `${verdict.score.toFixed(1)}, ${ordinal(Math.round(percentile))} percentile`
    : verdict.score.toFixed(1);
  const place =
    Math.abs(gap) < NOTABLE_SHARE
      ? "about as good as the rest of this book"
      : gap > 0
        ? "a stronger side of this book"
        : "a weaker side of this book";
  return `by the general verdict it is ${place} (${figure})`;
}

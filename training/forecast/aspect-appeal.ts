import { seededRandom, shuffled } from "../../src/core/random.ts";
import type { AspectMapper } from "../../src/reviews/map-aspect.ts";
import type { StructuredReview } from "../../src/reviews/structured-review.ts";
import { learnTone, type RatedCritique, type ToneReader } from "./critique-tone.ts";
import type { Target } from "./learn.ts";

/** A book with fewer critiques of an aspect has no measured appeal in it. */
const FEWEST_CRITIQUES = 5;
/** An aspect measured on fewer books than this is not forecast. */
const FEWEST_BOOKS = 40;
/** Enough to learn the tone of critiques from; more costs time and changes nothing. */
const LESSONS = 60_000;

interface Critique extends RatedCritique {
  readonly book: number;
  readonly aspect: string;
}

/**
 * How readers speak of each aspect of each book, on the scale of stars: the mean over its critiques of the rating that
 * readers give who write of an aspect in such words. The reader's own rating does not enter, so that a book loved for its
 * plot can be weak in its characters. A book's critiques are read by a model that learnt from other books' alone.
 * Aspects that too few books are measured in are left out.
 */
export function measureAppeal(
  books: readonly string[],
  reviews: readonly StructuredReview[],
  aspects: readonly string[],
  map: AspectMapper,
): Map<string, Target> {
  const critiques = critiquesOf(books, reviews, map);
  const measurable = aspects.filter((aspect) => {
    const counts = new Uint32Array(books.length);
    for (const critique of critiques) if (critique.aspect === aspect) counts[critique.book]!++;
    return counts.filter((count) => count >= FEWEST_CRITIQUES).length >= FEWEST_BOOKS;
  });
  if (measurable.length === 0) return new Map();
  const order = shuffled([...books.keys()], seededRandom(7));
  const half = new Uint8Array(books.length);
  order.forEach((book, position) => {
    half[book] = position % 2;
  });
  const readers = [0, 1].map((own) => toneOf(critiques.filter(({ book }) => half[book] !== own)));
  const measured = measurable.map((aspect): [string, Target] => {
    const scores: number[][] = books.map(() => []);
    for (const critique of critiques) {
      if (critique.aspect === aspect) scores[critique.book]!.push(readers[half[critique.book]!]!(critique.text));
    }
    return [aspect, target(scores)];
  });
  return new Map(measured);
}

function critiquesOf(books: readonly string[], reviews: readonly StructuredReview[], map: AspectMapper): Critique[] {
  const positions = new Map(books.map((id, position) => [id, position]));
  return reviews.flatMap(({ book: id, rating, aspects }) => {
    const book = positions.get(id);
    if (book === undefined) return [];
    return Object.entries(aspects).flatMap(([name, text]) => {
      const place = map(name);
      return place.kind === "aspect" ? [{ book, aspect: place.aspect, text, rating }] : [];
    });
  });
}

function toneOf(critiques: readonly RatedCritique[]): ToneReader {
  return learnTone(shuffled(critiques, seededRandom(11)).slice(0, LESSONS));
}

/** Each book's mean, with the variance of that mean: a book with ten critiques is less certain than one with a thousand. */
function target(scores: readonly (readonly number[])[]): Target {
  const means = scores.map((values) => values.reduce((sum, value) => sum + value, 0) / values.length);
  const pooled = scores.map((values, book) => values.reduce((sum, value) => sum + (value - means[book]!) ** 2, 0));
  const freedom = scores.reduce((sum, values) => sum + Math.max(values.length - 1, 0), 0);
  const within = pooled.reduce((sum, value) => sum + value, 0) / Math.max(freedom, 1);
  const enough = (book: number) => scores[book]!.length >= FEWEST_CRITIQUES;
  return {
    values: Float64Array.from(means, (mean, book) => (enough(book) ? mean : Number.NaN)),
    variance: Float64Array.from(scores, ({ length }, book) => (enough(book) ? within / length : 0)),
  };
}

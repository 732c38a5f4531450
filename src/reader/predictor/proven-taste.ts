import { mean, sum, sumBy } from "../../stats/distribution.ts";
import { choleskyFactor, invertPositiveDefinite } from "../../stats/linear/positive-definite.ts";
import type { Head, PersonalModel } from "./personal-model.ts";
import type { Story } from "./story.ts";
import { type EarlierReview, VOTE_NAMES, votesOf } from "./votes.ts";

/** An earlier review with the genres of its story. */
interface PastOfGenres {
  readonly genres: readonly string[];
  readonly past: EarlierReview;
}

/** What a reader's ratings prove about their taste: the effect of each genre, in lower case, in stars. */
export interface ProvenTaste {
  readonly effects: ReadonlyMap<string, number>;
  /** The average effect of the genres of the books in the history, which the reader's level already includes. */
  readonly usual: number;
}

/** Fewer ratings prove nothing useful. */
const FEWEST_RATINGS = 15;
/** A genre of one book explains that book alone. */
const FEWEST_OF_A_GENRE = 2;
/** A genre that nearly every book has, such as "Fiction", only measures the reader's level. */
const LARGEST_SHARE = 0.9;
/** Only the most frequent genres are used: more would take time and add little. */
const MOST_GENRES = 100;
/** Variances of a taste, in variances of the ratings that genres do not explain. */
const TASTES = [1 / 16, 1 / 4, 1, 4, 16];
/** How much likelier than no taste a taste must make the ratings, as a logarithm; with less, real readers lose (evals/personal.md). */
const PROOF = 5;
/** A whole star may stand for any opinion within half a star of it, so no reader is known better than that. */
const ROUNDING_VARIANCE = 1 / 12;

/**
 * Empirical Bayes, reader by reader: each genre has an effect of its own, drawn around zero, and the ratings say how far such
 * effects spread (marginal likelihood, the reader's level taken out). Null if having no taste explains the ratings about as well.
 */
export function provenTaste(
  model: Pick<PersonalModel, "heads">,
  history: readonly PastOfGenres[],
  leastProof = PROOF,
): ProvenTaste | null {
  const rated = history
    .filter(({ genres }) => genres.length > 0)
    .map(({ genres, past }) => ({ genres, residual: residualOf(past, model) }));
  if (rated.length < FEWEST_RATINGS) return null;
  const names = genresOf(rated);
  const size = names.size;
  if (size === 0) return null;
  const books = rated.map(({ genres, residual }) => ({
    residual,
    share: shareOf(genres),
    held: positionsOf(genres, names),
  }));
  const level = mean(rated.map(({ residual }) => residual));
  const usual = new Float64Array(size);
  const pull = new Float64Array(size);
  const products = new Float64Array(size * size);
  for (const { residual, share, held } of books)
    for (const one of held) {
      usual[one] = usual[one]! + share / books.length;
      pull[one] = pull[one]! + share * (residual - level);
      for (const other of held) products[one * size + other] = products[one * size + other]! + share ** 2;
    }
  for (let one = 0; one < size; one++)
    for (let other = 0; other < size; other++)
      products[one * size + other] = products[one * size + other]! - books.length * usual[one]! * usual[other]!;
  const squares = sumBy(books, ({ residual }) => (residual - level) ** 2);
  const none = logLikelihood(books.length, squares, 0);
  let best = { proof: leastProof, matrix: null as Float64Array | null, taste: 0 };
  for (const taste of TASTES) {
    const matrix = products.map((value, at) => taste * value + (at % (size + 1) === 0 ? 1 : 0));
    const factor = choleskyFactor(matrix, size);
    if (factor === null) continue;
    let explained = 0;
    let determinant = 0;
    const solved = new Float64Array(size);
    for (let row = 0; row < size; row++) {
      let rest = pull[row]!;
      for (let column = 0; column < row; column++) rest -= factor[row * size + column]! * solved[column]!;
      solved[row] = rest / factor[row * (size + 1)]!;
      explained += taste * solved[row]! ** 2;
      determinant += 2 * Math.log(factor[row * (size + 1)]!);
    }
    const proof = logLikelihood(books.length, squares - explained, determinant) - none;
    if (proof > best.proof) best = { proof, matrix, taste };
  }
  const inverse = best.matrix && invertPositiveDefinite(best.matrix, size);
  if (inverse === null) return null;
  const effects = pull.map(
    (_, row) => best.taste * sumBy([...pull.keys()], (column) => inverse[row * size + column]! * pull[column]!),
  );
  return {
    effects: new Map([...names].map(([name, at]) => [name, effects[at]!])),
    usual: sumBy([...usual.keys()], (at) => usual[at]! * effects[at]!),
  };
}

/**
 * What a proven taste adds to the prediction for a story, beyond the reader's level and the likeness of genres, which are already
 * included; null if nothing is proven about its genres.
 */
export function tasteBeyond(
  taste: ProvenTaste | null,
  model: Pick<PersonalModel, "centres" | "shrinkage">,
  head: Head,
  history: readonly EarlierReview[],
  { genres }: Story,
): number | null {
  const held = taste === null ? [] : lowerCased(genres).flatMap((genre) => taste.effects.get(genre) ?? []);
  if (taste === null || held.length === 0) return null;
  const votes = sumBy(history, (past) => votesOf(past, model.centres)[KINSHIP]!);
  const given = (head.votes[KINSHIP]! * votes) / (history.length + model.shrinkage);
  return shareOf(genres) * sum(held) - taste.usual - given;
}

const KINSHIP = VOTE_NAMES.indexOf("kinship");

/** What a rating says about the story's genres: the rest after removing what readers in general give, as the predictor does. */
function residualOf({ rating, expected, average }: EarlierReview, { heads }: Pick<PersonalModel, "heads">): number {
  const { expectation, expectationCentre } = average === null ? heads.forecast : heads.average;
  return rating - expectation * (expected - expectationCentre);
}

function genresOf(rated: readonly { readonly genres: readonly string[] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { genres } of rated)
    for (const genre of lowerCased(genres)) counts.set(genre, (counts.get(genre) ?? 0) + 1);
  const kept = [...counts]
    .filter(([, count]) => count >= FEWEST_OF_A_GENRE && count <= LARGEST_SHARE * rated.length)
    .sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
    .slice(0, MOST_GENRES);
  return new Map(kept.map(([name], at) => [name, at]));
}

function positionsOf(genres: readonly string[], names: ReadonlyMap<string, number>): number[] {
  return lowerCased(genres).flatMap((genre) => names.get(genre) ?? []);
}

function lowerCased(genres: readonly string[]): string[] {
  return [...new Set(genres.map((genre) => genre.toLowerCase()))];
}

/** A book with many genres says less about each of them: two books are as alike here as in `genreSimilarity`. */
function shareOf(genres: readonly string[]): number {
  return 1 / Math.sqrt(lowerCased(genres).length);
}

/** The log-likelihood of the ratings around their level, with the noise that makes them most likely. */
function logLikelihood(ratings: number, squares: number, determinant: number): number {
  const noise = Math.max(ROUNDING_VARIANCE, squares / (ratings - 1));
  return -((ratings - 1) * Math.log(noise) + determinant + squares / noise) / 2;
}

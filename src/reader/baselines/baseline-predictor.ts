import { FabulaError } from "../../core/errors.ts";
import { seededRandom } from "../../core/random.ts";
import { clampStars, type PersonalModel, readStory } from "../predictor/personal-model.ts";
import type { PastReview, ReaderPair, Story } from "../predictor/story.ts";
import { biasPlusForecast } from "./bias-plus-forecast.ts";
import { type FactorisationOptions, factorise } from "./matrix-factorisation.ts";
import { meanOfHistory } from "./mean-of-history.ts";

/** What a personal prediction has to beat. */
export type BaselineName = "mean" | "matrix-factorisation" | "bias-and-forecast";

export type BaselinePrediction =
  | { readonly kind: "predicted"; readonly rating: number }
  | { readonly kind: "unscored"; readonly reason: string };

/** Who gave which book how many stars; a book goes by its id or its title. */
export interface KnownRating {
  readonly reader: string;
  readonly book: string;
  readonly rating: number;
}

/** Drawn strongly towards the mean, since most readers rated few books. */
export const FACTORISATION: Omit<FactorisationOptions, "random"> = { rank: 8, penalty: 8, biasPenalty: 2.5, rounds: 8 };

type Baseline = (pair: Pick<ReaderPair, "history" | "query">) => BaselinePrediction;

export function baselinePredictor(
  name: BaselineName,
  model: PersonalModel,
  ratings: readonly KnownRating[] | null,
): Baseline {
  switch (name) {
    case "mean":
      return ({ history }) => verdict(meanOfHistory(stars(history)), "no earlier review has stars");
    case "bias-and-forecast":
      return ({ history, query }) => {
        const forecast = expected(model, query);
        const past = history.flatMap((review) => {
          const forecastThen = expected(model, review);
          return review.rating === undefined || forecastThen === null
            ? []
            : [{ rating: review.rating, expected: forecastThen }];
        });
        return verdict(
          forecast === null ? null : biasPlusForecast(forecast, past, model.shrinkage),
          "the story has neither an average rating nor a description",
        );
      };
    case "matrix-factorisation":
      if (ratings === null || ratings.length === 0) {
        throw new FabulaError(
          "E_USAGE",
          "Matrix factorisation learns from what others gave the same books: give them with --ratings FILE.",
        );
      }
      return factorisation(ratings);
    default:
      return name satisfies never;
  }
}

function factorisation(ratings: readonly KnownRating[]): Baseline {
  const books = numbered(ratings.map(({ book }) => nameOf(book)));
  const readers = numbered(ratings.map(({ reader }) => reader));
  const model = factorise(
    ratings.map(({ reader, book, rating }) => ({
      reader: readers.get(reader)!,
      book: books.get(nameOf(book))!,
      rating,
    })),
    { readers: readers.size, books: books.size },
    { ...FACTORISATION, random: seededRandom(1) },
  );
  const place = (story: Story) => [story.book, story.title].map((name) => books.get(nameOf(name ?? ""))).find(isKnown);
  return ({ history, query }) => {
    const book = place(query);
    if (book === undefined) {
      return { kind: "unscored", reason: "the story has no ratings: matrix factorisation knows only rated books" };
    }
    const known = history.flatMap((review) => {
      const past = place(review);
      return past === undefined || review.rating === undefined ? [] : [{ book: past, rating: review.rating }];
    });
    return { kind: "predicted", rating: clampStars(model.predict(known, book)) };
  };
}

function expected(model: PersonalModel, story: Story): number | null {
  return story.average_rating ?? readStory(model, story).forecast;
}

function stars(history: readonly PastReview[]): number[] {
  return history.flatMap(({ rating }) => rating ?? []);
}

function verdict(rating: number | null, reason: string): BaselinePrediction {
  return rating === null ? { kind: "unscored", reason } : { kind: "predicted", rating: clampStars(rating) };
}

function numbered(names: readonly string[]): Map<string, number> {
  return new Map([...new Set(names)].map((name, number) => [name, number]));
}

function nameOf(book: string): string {
  return book.trim().toLowerCase();
}

function isKnown(place: number | undefined): place is number {
  return place !== undefined;
}

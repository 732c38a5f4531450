import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { jsonLines, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { type Mitigation, mitigate } from "../../reviews/mitigation.ts";
import {
  equationOne,
  learnRatingScale,
  type Moments,
  momentsOf,
  type Rating,
} from "../../reviews/normalise-ratings.ts";
import { structuredReviewSchema } from "../../reviews/structure-review.ts";
import { loadAspectTools, readReviewedBooks, starCounts, starCountsSchema } from "./review-pairs.ts";
import { platformOf } from "./review-report.ts";

/** Unknown fields of a review are preserved. */
const reviewSchema = structuredReviewSchema.loose();

interface ReviewFiles {
  readonly input: string;
  readonly output: string;
}

export interface NormaliseReport {
  readonly ratings: number;
  readonly reviewers: number;
  /**
   * How strongly readers are shrunk towards the platform; null if readers' statistics were given, since then nothing
   * is.
   */
  readonly shrinkage: number | null;
  /**
   * Ratings that could not be normalised, because the reader is not in the statistics or gives every book the same
   * stars.
   */
  readonly unnormalised: number;
  readonly platform: Moments;
  readonly before: Moments;
  readonly after: Moments;
}

/** How a reader rates, over everything the reader has rated: mean and deviation, or the numbers of stars. */
export const readerSchema = z
  .looseObject({
    reviewer: z.union([z.string(), z.number()]).transform(String),
    mean: z.number().optional(),
    deviation: z.number().nonnegative().optional(),
    ratings_5_to_1: starCountsSchema.optional(),
  })
  .transform(({ reviewer, mean, deviation, ratings_5_to_1 }, context) => {
    if (mean !== undefined && deviation !== undefined) return [reviewer, { mean, deviation }] as const;
    if (ratings_5_to_1) return [reviewer, platformOf([ratings_5_to_1])] as const;
    context.addIssue({ code: "custom", message: "give mean and deviation, or ratings_5_to_1" });
    return z.NEVER;
  });

/**
 * Adds `normalised_rating` to every review: by Equation 1 as printed if readers' statistics are given, else by our
 * variant, which estimates them from the reviews. The file is read twice, so that it need not fit into memory.
 */
export async function normaliseReviews(
  files: ReviewFiles & { readonly books?: string; readonly readers?: string },
): Promise<NormaliseReport> {
  refuseStandardInput(files.input);
  const ratings: Rating[] = [];
  for await (const { reviewer, rating } of jsonLines(files.input, reviewSchema)) ratings.push({ reviewer, rating });
  if (ratings.length === 0) throw new FabulaError("E_EMPTY", `${files.input} holds no reviews.`);
  const platform = files.books
    ? platformOf(starCounts(await readReviewedBooks(files.books)).values())
    : momentsOf(ratings);
  const scale = learnRatingScale(ratings, platform);
  const normalise =
    files.readers === undefined
      ? scale.normalise
      : equationOne(new Map(await readJsonLines(files.readers, readerSchema)), platform);
  const rows = async function* () {
    for await (const review of jsonLines(files.input, reviewSchema)) {
      const normalised = normalise(review);
      yield {
        ...review,
        normalised_rating: normalised === null ? null : Math.round(normalised * 10_000) / 10_000,
      };
    }
  };
  await writeJsonLines(files.output, rows());
  const after = ratings.flatMap((rating) => normalise(rating) ?? []);
  return {
    ratings: scale.ratings,
    reviewers: scale.reviewers,
    shrinkage: files.readers === undefined ? scale.shrinkage : null,
    unnormalised: ratings.length - after.length,
    platform,
    before: momentsOf(ratings),
    after: momentsOf(after.map((rating) => ({ rating }))),
  };
}

/** Samples reviews so that their stars match each book's ratings. */
export async function sampleReviews(
  files: ReviewFiles & { readonly books: string; readonly seed: number },
): Promise<Mitigation> {
  refuseStandardInput(files.input);
  const ratings = starCounts(await readReviewedBooks(files.books));
  const places: { book: string; rating: number; place: number }[] = [];
  for await (const { book, rating } of jsonLines(files.input, reviewSchema)) {
    places.push({ book, rating, place: places.length });
  }
  const { kept, mitigation } = mitigate(places, ratings, seededRandom(files.seed));
  const chosen = new Set(kept.map(({ place }) => place));
  const rows = async function* () {
    let place = 0;
    for await (const review of jsonLines(files.input, reviewSchema)) if (chosen.has(place++)) yield review;
  };
  await writeJsonLines(files.output, rows());
  return mitigation;
}

export interface MapReport {
  readonly reviews: number;
  readonly names: number;
  readonly exact: number;
  readonly similar: number;
  readonly unmapped: readonly { readonly name: string; readonly count: number }[];
}

/** Maps the free-text aspect names in reviews to known aspects. */
export async function mapReviews(files: ReviewFiles): Promise<MapReport> {
  const { map } = await loadAspectTools();
  const unmapped = new Map<string, number>();
  const tally = { reviews: 0, names: 0, exact: 0, similar: 0 };
  const rows = async function* () {
    for await (const review of jsonLines(files.input, reviewSchema)) {
      tally.reviews++;
      const critiques = new Map<string, string[]>();
      for (const [name, text] of Object.entries(review.aspects)) {
        const place = map(name);
        tally.names++;
        if (place.kind === "unmapped") unmapped.set(name, (unmapped.get(name) ?? 0) + 1);
        else tally[place.similarity === 1 ? "exact" : "similar"]++;
        const key = place.kind === "aspect" ? place.aspect : place.kind === "other" ? place.other : name;
        critiques.set(key, [...(critiques.get(key) ?? []), text]);
      }
      const aspects = Object.fromEntries([...critiques].map(([key, texts]) => [key, texts.join(" ")]));
      yield { ...review, aspects };
    }
  };
  await writeJsonLines(files.output, rows());
  const names = [...unmapped].map(([name, count]) => ({ name, count }));
  return { ...tally, unmapped: names.sort((left, right) => right.count - left.count) };
}

function refuseStandardInput(path: string): void {
  if (path === "-")
    throw new FabulaError("E_USAGE", "The reviews are read twice: save them to a file and give its name.");
}

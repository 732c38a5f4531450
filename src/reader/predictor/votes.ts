/** One earlier review, as far as the final sum needs it. */
export interface EarlierReview {
  readonly rating: number;
  /** What its words say about how the reader rates other books. */
  readonly generosity: number;
  /** The rating its words alone would suggest. */
  readonly sentiment: number;
  /** What was to be expected of that story: its average where known, else what the predictor makes of its description. */
  readonly expected: number;
  /** Their average alone; null where it is not known. */
  readonly average: number | null;
  /** Likeness of that story to the one asked about: words of the description, and genres; null where either story has none. */
  readonly likeness: number | null;
  readonly kinship: number | null;
}

export const VOTE_NAMES = ["rating", "generosity", "sentiment", "likeness", "kinship", "average"] as const;
export const VOTES = VOTE_NAMES.length;

/** Means over the training histories: a review exactly like the mean moves nothing. */
export type Centres = Readonly<Record<keyof EarlierReview, number>>;

/**
 * What one earlier review adds to the sum. The first three votes say how generous the reader is. The next two let a review count
 * for more if its story is like the one asked about, and for less if it is not. The last tells a generous reader from one who
 * reads what everybody loves.
 */
export function votesOf(past: EarlierReview, centres: Centres): Float64Array {
  const surprise = past.rating - past.expected - (centres.rating - centres.expected);
  return Float64Array.of(
    past.rating - centres.rating,
    past.generosity - centres.generosity,
    past.sentiment - centres.sentiment,
    surprise * aboveCentre(past.likeness, centres.likeness),
    surprise * aboveCentre(past.kinship, centres.kinship),
    aboveCentre(past.average, centres.average),
  );
}

/** What is not known counts as the average, and so moves nothing. */
function aboveCentre(value: number | null, centre: number): number {
  return value === null ? 0 : value - centre;
}

/**
 * The votes of a history in one row. Dividing by k + λ, not by k, is the shrinkage that a few reviews of a noisy reader
 * deserve: λ is the variance of one reader's ratings around their level over the variance of levels between readers.
 */
export function historyRow(history: readonly EarlierReview[], centres: Centres, shrinkage: number): Float64Array {
  const row = new Float64Array(VOTES);
  for (const past of history) {
    const votes = votesOf(past, centres);
    for (let i = 0; i < VOTES; i++) row[i] = row[i]! + votes[i]! / (history.length + shrinkage);
  }
  return row;
}

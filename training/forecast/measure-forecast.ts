import { type Random, seededRandom } from "../../src/core/random.ts";
import { AUDIENCES, type Calibration, INTERVAL_LEVEL, subsetKey } from "../../src/forecast/calibration.ts";
import { authorEffect } from "../../src/forecast/forecast.ts";
import { FIELDS, type Field } from "../../src/forecast/forecast-input.ts";
import { drawPositions, pearson, percentileBootstrap, resampledKendall } from "../../src/stats/index.ts";
import type { OutOfFold } from "./cross-validation.ts";
import type { Target } from "./learn.ts";

export function everySubset(): Field[][] {
  const subsets = Array.from({ length: 2 ** FIELDS.length - 1 }, (_, mask) => mask + 1);
  return subsets.map((mask) => FIELDS.filter((_, position) => mask & (1 << position)));
}

/** Calibrations by subset of known fields, one per output. */
export function calibrateAll(
  unseen: OutOfFold,
  targets: readonly Target[],
  audiences: readonly number[],
): Record<string, Calibration[]> {
  return Object.fromEntries(
    everySubset().map((fields) => [
      subsetKey(fields),
      targets.map(({ values }, output) => {
        const said = sums(unseen, fields, output);
        const calibration = calibrate(said, values);
        if (output > 0) return calibration;
        return { ...calibration, byAudience: byAudience(said, values, calibration, audiences) };
      }),
    ]),
  );
}

/** Conformal, audience by audience: the misses in order, a twentieth left out on either side. */
function byAudience(
  said: Float64Array,
  truth: Float64Array,
  { shift, slope }: Pick<Calibration, "shift" | "slope">,
  audiences: readonly number[],
): [number, number][] {
  return AUDIENCES.map((_, size) => {
    const misses = [...truth.keys()]
      .filter((book) => audiences[book] === size)
      .map((book) => truth[book]! - shift - slope * said[book]!)
      .sort((left, right) => left - right);
    const out = Math.max(0, Math.floor(((misses.length + 1) * (1 - INTERVAL_LEVEL)) / 2) - 1);
    return [misses[out] ?? -4, misses.at(-1 - out) ?? 4];
  });
}

/**
 * How far two books of one author are off in the same direction: over all such pairs, an author with many counting as much per
 * book as one with two. What the first is off is taken from the forecast of the second, as it is where nothing else is known of the first.
 */
export function authorShare(
  said: Float64Array,
  truth: Float64Array,
  authors: readonly (string | null | undefined)[],
): { share: number; pairs: number; errorBefore: number; errorAfter: number } {
  const { shift, slope } = calibrate(said, truth);
  const expected = said.map((sum) => shift + slope * sum);
  const pairs = authors.flatMap((author, book) =>
    authors.flatMap((other, earlier) =>
      author && author === other && book !== earlier
        ? [{ author, miss: truth[book]! - expected[book]!, seen: truth[earlier]! - expected[book]! }]
        : [],
    ),
  );
  const shareOf = (used: typeof pairs) => {
    const squares = used.reduce((total, { seen }) => total + seen ** 2, 0);
    const shared = used.reduce((total, { miss, seen }) => total + miss * seen, 0);
    return squares > 0 ? Math.min(1, Math.max(0, shared / squares)) : 0;
  };
  // Each author's books are forecast with a share that the other authors' books gave.
  const after = pairs.map(({ author, miss, seen }) => {
    const others = shareOf(pairs.filter((pair) => pair.author !== author));
    return Math.abs(miss - authorEffect([seen], others));
  });
  const average = (values: readonly number[]) => values.reduce((total, value) => total + value, 0) / values.length;
  return {
    share: shareOf(pairs),
    pairs: pairs.length / 2,
    errorBefore: pairs.length === 0 ? 0 : average(pairs.map(({ miss }) => Math.abs(miss))),
    errorAfter: pairs.length === 0 ? 0 : average(after),
  };
}

/** The uncalibrated forecast of each book from these fields, less the baseline, which is the same for all. */
export function sums(unseen: OutOfFold, fields: readonly Field[], output: number): Float64Array {
  const { outputs, effects, baselines } = unseen;
  return Float64Array.from({ length: baselines.length / outputs }, (_, book) => {
    const place = book * outputs + output;
    return fields.reduce((sum, field) => sum + effects[FIELDS.indexOf(field)]![place]!, 0);
  });
}

/** Least squares of what is true on what was said, then the conformal quantile of what is left (Lei et al., 2018). */
export function calibrate(said: Float64Array, truth: Float64Array): Calibration {
  const known = [...truth.keys()].filter((book) => !Number.isNaN(truth[book]!));
  const mean = (values: Float64Array) => known.reduce((sum, book) => sum + values[book]!, 0) / known.length;
  const saidMean = mean(said);
  const truthMean = mean(truth);
  let shared = 0;
  let spread = 0;
  for (const book of known) {
    shared += (said[book]! - saidMean) * (truth[book]! - truthMean);
    spread += (said[book]! - saidMean) ** 2;
  }
  const slope = spread > 0 ? Math.min(Math.max(shared / spread, 0), 2) : 0;
  const shift = truthMean - slope * saidMean;
  const misses = known.map((book) => Math.abs(truth[book]! - shift - slope * said[book]!)).sort((a, b) => a - b);
  const rank = Math.min(Math.ceil((known.length + 1) * INTERVAL_LEVEL), known.length);
  return { shift, slope, halfWidth: Math.max(misses[rank - 1]!, 1e-6) };
}

/** Kendall's τ between forecast and truth, with its 95 % interval. */
export interface Agreement {
  readonly kendall: number;
  readonly interval: readonly [number, number];
  readonly books: number;
}

/** How good the forecast is, on books that the model forecasting them had not seen. */
export interface ForecastQuality {
  readonly rating: Agreement & { readonly pearson: number };
  /** Kendall's τ over pairs of books of one genre: what the forecast knows beyond which genres readers rate higher. */
  readonly withinGenre: Agreement;
  /** The same over pairs of books whose first two genres are the same: a main genre still holds kinds with audiences of their own. */
  readonly withinKind: Agreement;
  /** From some fields alone: an outline has no summary, a title stands alone. */
  readonly byFields: Readonly<Record<string, Agreement>>;
  readonly byAspect: Readonly<Record<string, Agreement>>;
  /** Share of the books whose rating falls into their 90 % interval, the interval being set on other folds. */
  readonly coverage: number;
  /** The same for books of one size of audience (from so many ratings), with the interval for all books and with that of the audience. */
  readonly byAudience: readonly {
    readonly from: number;
    readonly books: number;
    readonly coverage: number;
    readonly coverageKnown: number;
  }[];
  /** What an earlier book of the same author tells: its share, and how far off forecasts of such books are (mean, in stars) without and with it. */
  readonly author: ReturnType<typeof authorShare>;
  readonly halfWidth: number;
}

const SUBSETS: readonly (readonly Field[])[] = [
  ["genres"],
  ["premise"],
  ["plot_summary"],
  ["characters"],
  ["title", "genres", "premise"],
  ["genres", "premise", "plot_summary"],
];

export function measureForecast(
  unseen: OutOfFold,
  targets: readonly [Target, ...Target[]],
  names: readonly string[],
  groups: {
    readonly genres: readonly (string | null)[];
    readonly kinds: readonly (string | null)[];
    readonly audiences: readonly number[];
    readonly authors: readonly (string | null | undefined)[];
  },
): ForecastQuality {
  const random = seededRandom(5);
  const said = (fields: readonly Field[], output: number) =>
    sums(unseen, fields, output).map((sum, book) => sum + unseen.baselines[book * unseen.outputs + output]!);
  const truth = targets[0].values;
  const all = said(FIELDS, 0);
  return {
    rating: { ...agreement(all, truth, random), pearson: pearson(all, truth).value ?? Number.NaN },
    withinGenre: withinGroups(all, truth, groups.genres, random),
    withinKind: withinGroups(all, truth, groups.kinds, seededRandom(5)),
    byFields: Object.fromEntries(
      SUBSETS.map((fields) => [subsetKey(fields), agreement(said(fields, 0), truth, random)]),
    ),
    byAspect: Object.fromEntries(
      targets.slice(1).map(({ values }, at) => [names[at + 1]!, agreement(said(FIELDS, at + 1), values, random)]),
    ),
    ...coverage(sums(unseen, FIELDS, 0), truth, unseen.fold, groups.audiences),
    author: authorShare(sums(unseen, FIELDS, 0), truth, groups.authors),
    halfWidth: calibrate(sums(unseen, FIELDS, 0), truth).halfWidth,
  };
}

function agreement(said: Float64Array, truth: Float64Array, random: Random): Agreement {
  const known = [...truth.keys()].filter((book) => !Number.isNaN(truth[book]!));
  const statistic = resampledKendall(
    known.map((book) => said[book]!),
    known.map((book) => truth[book]!),
  );
  const { interval } = percentileBootstrap({
    draw: drawPositions(known.length),
    statistic,
    random,
    resamples: 1000,
  });
  const [low, high] = interval ?? [-1, 1];
  return { kendall: statistic([...known.keys()]).value ?? 0, interval: [low, high], books: known.length };
}

const WITHIN_RESAMPLES = 300;

/** Of the pairs of books of one group that readers rate differently, those in the right order less those in the wrong one. */
function withinGroups(
  said: Float64Array,
  truth: Float64Array,
  groups: readonly (string | null)[],
  random: Random,
): Agreement {
  const statistic = (positions: ArrayLike<number>) => {
    const drawn = Array.from(positions);
    let score = 0;
    let pairs = 0;
    for (const [at, left] of drawn.entries()) {
      for (const right of drawn.slice(at + 1)) {
        if (groups[left] === null || groups[left] !== groups[right] || truth[left] === truth[right]) continue;
        pairs += 1;
        score += Math.sign(said[left]! - said[right]!) * Math.sign(truth[left]! - truth[right]!);
      }
    }
    return { value: pairs === 0 ? 0 : score / pairs };
  };
  const books = [...truth.keys()];
  const { interval } = percentileBootstrap({
    draw: drawPositions(books.length),
    statistic,
    random,
    resamples: WITHIN_RESAMPLES,
  });
  const [low, high] = interval ?? [-1, 1];
  return { kendall: statistic(books).value, interval: [low, high], books: books.length };
}

function coverage(
  said: Float64Array,
  truth: Float64Array,
  fold: Uint8Array,
  audiences: readonly number[],
): Pick<ForecastQuality, "coverage" | "byAudience"> {
  const inside = new Set<number>();
  const insideKnown = new Set<number>();
  for (const held of new Set(fold)) {
    const others = [...truth.keys()].filter((book) => fold[book] !== held);
    const pick = (values: Float64Array) => Float64Array.from(others, (book) => values[book]!);
    const calibration = calibrate(pick(said), pick(truth));
    const { shift, slope, halfWidth } = calibration;
    const ranges = byAudience(
      pick(said),
      pick(truth),
      calibration,
      others.map((book) => audiences[book]!),
    );
    for (const book of truth.keys()) {
      if (fold[book] !== held) continue;
      const miss = truth[book]! - shift - slope * said[book]!;
      const [low, high] = ranges[audiences[book]!]!;
      if (Math.abs(miss) <= halfWidth) inside.add(book);
      if (miss >= low && miss <= high) insideKnown.add(book);
    }
  }
  return {
    coverage: inside.size / truth.length,
    byAudience: AUDIENCES.map((from, size) => {
      const books = [...truth.keys()].filter((book) => audiences[book] === size);
      const share = (covered: ReadonlySet<number>) => books.filter((book) => covered.has(book)).length / books.length;
      return { from, books: books.length, coverage: share(inside), coverageKnown: share(insideKnown) };
    }),
  };
}

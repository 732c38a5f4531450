import { type Random, seededRandom } from "../../core/random.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { MAIN_GENRES } from "../../reviews/aspect-importance.ts";
import { STARS } from "../../reviews/sample-reviews.ts";
import { resampledKendall, resampledPearson, resampledSpearman } from "../../stats/correlation.ts";
import { mean } from "../../stats/distribution.ts";
import { drawPositions, percentileBootstrap } from "../../stats/resampling.ts";
import { findingsOf, importanceOf, type ReviewMentions, readMentions } from "../reviews/review-report.ts";
import { type Release, releasedScores } from "./longstoryeval-release.ts";
import {
  COLUMNS,
  COSTS,
  evaluatedFigures,
  type Findings,
  figureOf,
  type ReproducedFigure,
  type ReproduceRequest,
} from "./longstoryeval-tables.ts";
import type { Paper, PaperData } from "./paper.ts";

const RESAMPLES = 300;

/** Books with fewer reviews that mention an aspect say little about it. */
const FEWEST_MENTIONS = 5;
const CORRELATIONS = { Pearson: resampledPearson, Spearman: resampledSpearman, Kendall: resampledKendall } as const;
type Correlation = keyof typeof CORRELATIONS;

/**
 * Computes LongStoryEval's figures from its data: everything that needs no language model, the row of Table 2 whose
 * replies are released, and, if evaluations are given, the tables of judges. A printed figure that cannot be computed
 * carries the reason.
 */
export async function reproduceLongStoryEval(
  whole: Paper,
  data: PaperData,
  request: ReproduceRequest,
  release: Release | null,
): Promise<Findings> {
  // Figures that the paper counts over all books do not apply to the test books alone.
  const { books: _books, reviews: _reviews, "kept-reviews": _kept, ...printed } = whole.printed;
  const paper = request.set === "test" ? { ...whole, printed } : whole;
  const files = { books: data.path("books.jsonl"), reviews: data.path("reviews.jsonl") };
  // Done first: it reveals mistakes in the user's input, and the reviews take much longer.
  const judged = await tablesOfJudges(paper, data, request);
  const mentions = await readMentions({ ...files, onProgress: request.onProgress, signal: request.signal });
  const random = seededRandom(request.seed);
  request.onProgress({ stage: "Computing", done: 0, total: null });
  const { mitigation, normalisation } = findingsOf(mentions, request.seed);
  const counted = (id: string, place: string, name: string, value: number) =>
    figureOf(paper, id, { place, name, value, n: value });
  const { before, platform } = normalisation;
  const moments = [
    ["mean of ratings as given", before.mean],
    ["mean of all the platform's ratings", platform.mean],
    ["deviation of ratings as given", before.deviation],
    ["deviation of all the platform's ratings", platform.deviation],
  ] as const;
  const table4 = aspectCorrelations(paper, mentions, random);
  const released = release ? await releasedFigures(paper, mentions, release, random) : [];
  const computed = [...judged, ...released];
  return {
    figures: [
      counted("books", "§3", "books", mentions.books.size),
      counted("reviews", "§3", "reviews", mentions.reviews.length),
      ...mentionShares(paper, mentions, random),
      ...STARS.map((star, at) => reviewedShare(paper, mentions, star, at, random)),
      counted("kept-reviews", "§5.1", "reviews kept after sampling against review bias", mitigation.kept),
      figureOf(paper, "star-difference", {
        place: "§4.2",
        name: "largest difference between kept reviews and ratings at any star, in points",
        value: mitigation.largestDifference,
        n: mitigation.kept,
      }),
      ...moments.map(([name, value]) =>
        figureOf(paper, name, { place: "Equation 1", name, value, n: normalisation.ratings }),
      ),
      ...table4.figures,
      ...importanceFigures(paper, mentions, request.seed),
      ...computed,
      ...notComputed(paper, computed, release),
    ],
    differences: [...amounts(whole, mentions, release), table4.fitting, ...beyondPrinted(released)],
  };
}

/**
 * Table 4: correlates the mean rating of the reviews that mention an aspect with the book's own rating, by three
 * coefficients.
 */
function aspectCorrelations(
  paper: Paper,
  { books, reviews, aspects }: ReviewMentions,
  random: Random,
): { readonly figures: ReproducedFigure[]; readonly fitting: string } {
  const away = new Map<Correlation, number[]>();
  const figures = aspects.flatMap((aspect) => {
    const ratings = new Map<string, number[]>();
    for (const { book, rating, aspects: mentioned } of reviews) {
      if (!mentioned.has(aspect) || !books.has(book)) continue;
      const own = ratings.get(book);
      if (own) own.push(rating);
      else ratings.set(book, [rating]);
    }
    const rows = [...ratings].filter(([, given]) => given.length >= FEWEST_MENTIONS);
    const means = rows.map(([, given]) => mean(given));
    const own = rows.map(([book]) => books.get(book)!.average_rating);
    return (Object.keys(CORRELATIONS) as Correlation[]).map((by) => {
      const statistic = CORRELATIONS[by](means, own);
      const draw = drawPositions(rows.length);
      const { value } = rows.length < 3 ? { value: null } : statistic([...rows.keys()]);
      const figure = figureOf(paper, `table-4-${aspect}`, {
        place: "Table 4",
        name: `${aspect}: rating of reviews that mention it against the book's`,
        value,
        interval:
          value === null ? null : percentileBootstrap({ draw, statistic, random, resamples: RESAMPLES }).interval,
        n: rows.length,
        rule: by,
      });
      if (value !== null && figure.printed !== null)
        away.set(by, [...(away.get(by) ?? []), 100 * Math.abs(value - figure.printed)]);
      return figure;
    });
  });
  const distances = [...away].map(([by, all]) => ({ by, distance: mean(all) })).sort((a, b) => a.distance - b.distance);
  const inWords = distances.map(({ by, distance }) => `${by} ${distance.toFixed(1)}`).join(", ");
  return {
    figures,
    fitting:
      distances.length === 0
        ? "Table 4 could not be computed from so few reviews."
        : `The paper does not say which correlation Table 4 gives, nor how many reviews a book needs. With books of at least ${FEWEST_MENTIONS} such reviews ${distances[0]!.by} fits best; hundredths away from the printed figures on average: ${inWords}.`,
  };
}

/**
 * The row of Table 2 whose replies are in the release. As in the authors' script, readers' ratings are first rounded
 * to one decimal.
 */
async function releasedFigures(
  paper: Paper,
  { books }: ReviewMentions,
  release: Release,
  random: Random,
): Promise<ReproducedFigure[]> {
  const scores = await releasedScores(release, await loadRubric("long-story"));
  const printed = paper.rows.find(({ judge }) => judge === "novelcritique")!;
  const ids = release.testBooks.filter((id) => scores.has(id) && books.has(id));
  return [true, false].flatMap((rounded) =>
    COLUMNS.map((column, at) => {
      const rows = ids.filter((id) => scores.get(id)![column] !== undefined);
      const given = rows.map((id) => scores.get(id)![column]!);
      const ratings = rows.map((id) => {
        const { average_rating: rating } = books.get(id)!;
        return rounded ? roundedAsPython(rating) : rating;
      });
      const statistic = resampledKendall(given, ratings);
      const { value } = rows.length < 3 ? { value: null } : statistic([...rows.keys()]);
      const draw = drawPositions(rows.length);
      const interval =
        value === null ? null : percentileBootstrap({ draw, statistic, random, resamples: RESAMPLES }).interval;
      return {
        place: printed.table,
        name: `novelcritique, summary: τ × 100, ${column}`,
        value: value === null ? null : 100 * value,
        interval: interval === null ? null : ([100 * interval[0], 100 * interval[1]] as const),
        n: rows.length,
        printed: printed.values[at] ?? null,
        rule: rounded ? "ratings rounded to 0.1, as in the authors' script" : "ratings as they are",
      };
    }),
  );
}

/**
 * Rounds to one decimal, ties to the even digit, by the number's exact value: 3.25 becomes 3.2, and 3.65, which is
 * just below it in binary, 3.6.
 */
function roundedAsPython(rating: number): number {
  const isTie = Number.isInteger(4 * rating) && !Number.isInteger(2 * rating);
  if (!isTie) return Number(rating.toFixed(1));
  const below = Math.floor(10 * rating);
  return (below % 2 === 0 ? below : below + 1) / 10;
}

/** The printed figures of Tables 2, 6, 7 and 8 that were not computed, with the reason. */
function notComputed(paper: Paper, computed: readonly ReproducedFigure[], release: Release | null): ReproducedFigure[] {
  const has = new Set(computed.map(({ place, printed, name }) => `${place} ${name.split(", ").at(-1)} ${printed}`));
  const reason = release
    ? "the release has no replies of this judge on the test books (of GPT-4o only on two other books): give evaluations of your own with --evaluations"
    : "no evaluations were given: --evaluations";
  const missing = (place: string, name: string, printed: number): ReproducedFigure[] =>
    has.has(`${place} ${name.split(", ").at(-1)} ${printed}`)
      ? []
      : [{ place, name, value: null, interval: null, n: 0, printed, reason }];
  return [
    ...paper.rows.flatMap(({ table, judge, method, definitions, chapterSummaries, summariser, values }) => {
      const way = [
        judge,
        method,
        definitions ? "" : "without definitions",
        chapterSummaries ? "chapter summaries" : "",
        summariser ? `summaries by ${summariser}` : "",
      ];
      const name = way.filter(Boolean).join(", ");
      return values.flatMap((printed, at) => missing(table, `${name}: τ × 100, ${COLUMNS[at]}`, printed));
    }),
    ...Object.entries(paper.costs).flatMap(([method, costs]) =>
      Object.entries(costs).flatMap(([what, printed]) =>
        missing("Table 8", `gpt-4o, ${method}: ${COSTS[what]}`, printed),
      ),
    ),
  ];
}

/** Compares the released replies with the row that the paper prints for their model. */
function beyondPrinted(figures: readonly ReproducedFigure[]): string[] {
  const known = figures.filter(
    ({ rule, value, printed }) => rule?.startsWith("ratings rounded") && value !== null && printed !== null,
  );
  if (known.length === 0) return [];
  const differences = known.map(({ value, printed }) => value! - printed!);
  const above = differences.filter((difference) => difference > 0).length;
  return [
    `NovelCritique's released replies are not the ones behind the printed row: by the authors' own rule they lie above it in ${above} of ${known.length} columns, by ${mean(differences).toFixed(1)} hundredths on average over all of them.`,
  ];
}

/** Compares the amount of data with the paper's. */
function amounts(paper: Paper, { books, reviews }: ReviewMentions, release: Release | null): string[] {
  const reviewed = new Set(reviews.map(({ book }) => book)).size;
  const held = `The data hold ${books.size} of ${paper.printed.books} books and ${reviews.length.toLocaleString("en-GB")} of the 340,000 reviews that the paper speaks of`;
  return [
    `${held}; ${reviewed} books have reviews, and B.2 is over those. With fewer reviews, every share of ratings that came with one is lower.`,
    ...(release && release.unusedReviews.length > 0
      ? [
          `${release.unusedReviews.length} files of reviews belong to no book of the release or cannot be read: ${release.unusedReviews.slice(0, 5).join(", ")}.`,
        ]
      : []),
    ...(release
      ? [
          `Table 2 is over the ${release.testBooks.length} test books that the release names. Its NovelCritique is the released replies, one run of them.`,
        ]
      : [
          "The data do not say which 150 books Tables 2, 6 and 7 are of: whatever books the evaluations cover are used.",
        ]),
  ];
}

/** Figure 4: the share of reviews that mention each aspect, with seven genres weighted equally. */
function mentionShares(paper: Paper, { books, reviews, aspects }: ReviewMentions, random: Random): ReproducedFigure[] {
  const counts = new Map<string, { reviews: number; mentions: number[] }>();
  for (const { book, aspects: mentioned } of reviews) {
    const tally = counts.get(book) ?? { reviews: 0, mentions: aspects.map(() => 0) };
    tally.reviews += 1;
    for (const [at, aspect] of aspects.entries()) if (mentioned.has(aspect)) tally.mentions[at]! += 1;
    counts.set(book, tally);
  }
  const genres = MAIN_GENRES.map((genre) =>
    [...counts].filter(([book]) => books.get(book)?.genres.includes(genre)).map(([, tally]) => tally),
  ).filter((members) => members.length > 0);
  return aspects.map((aspect, at) => {
    const shares = genres.map((members) => members.map(({ reviews: all, mentions }) => (100 * mentions[at]!) / all));
    const statistic = (drawn: readonly (readonly number[])[]) => ({ value: mean(drawn.map((own) => mean(own))) });
    const draw = (source: Random) =>
      shares.map((own) => Array.from(drawPositions(own.length)(source), (position) => own[position]!));
    const { interval } = percentileBootstrap({ draw, statistic, random, resamples: RESAMPLES });
    return figureOf(paper, `figure-4-${aspect}`, {
      place: "Figure 4",
      name: `${aspect}: percent of a book's reviews that mention it, seven genres alike`,
      value: genres.length === 0 ? null : statistic(shares).value,
      interval: genres.length === 0 ? null : interval,
      n: new Set(genres.flat()).size,
    });
  });
}

/**
 * B.2: the percentage of a book's ratings at each number of stars that came with a review; the mean over books with
 * any reviews.
 */
function reviewedShare(
  paper: Paper,
  { books, reviews }: ReviewMentions,
  star: number,
  at: number,
  random: Random,
): ReproducedFigure {
  const written = new Map<string, number>();
  for (const { book, rating } of reviews)
    if (Math.round(rating) === star) written.set(book, (written.get(book) ?? 0) + 1);
  const reviewed = new Set(reviews.map(({ book }) => book));
  const shares = [...books].flatMap(([id, { ratings_5_to_1 }]) =>
    reviewed.has(id) && ratings_5_to_1[at]! > 0 ? [(100 * (written.get(id) ?? 0)) / ratings_5_to_1[at]!] : [],
  );
  const statistic = (positions: ArrayLike<number>) => ({
    value: mean(Array.from(positions, (position) => shares[position]!)),
  });
  const draw = drawPositions(shares.length);
  return figureOf(paper, `reviewed-${star}`, {
    place: "B.2",
    name: `percent of ${star}-star ratings that came with a review`,
    value: shares.length === 0 ? null : mean(shares),
    interval:
      shares.length === 0 ? null : percentileBootstrap({ draw, statistic, random, resamples: RESAMPLES }).interval,
    n: shares.length,
  });
}

function importanceFigures(paper: Paper, mentions: ReviewMentions, seed: number): ReproducedFigure[] {
  const { all } = importanceOf(mentions, { seed, resamples: RESAMPLES });
  return (all?.aspects ?? []).map(({ aspect, share, shareInterval }) =>
    figureOf(paper, `importance-${aspect}`, {
      place: "not in the paper",
      name: `${aspect}: share of R² of books' ratings within genres (dominance analysis)`,
      value: share,
      interval: shareInterval,
      n: all!.books,
    }),
  );
}

async function tablesOfJudges(paper: Paper, data: PaperData, request: ReproduceRequest): Promise<ReproducedFigure[]> {
  const [inData] = data.paths("evaluations.jsonl");
  const evaluations = request.evaluations ?? inData;
  return evaluations === undefined ? [] : evaluatedFigures(paper, data.path("books.jsonl"), evaluations, request);
}

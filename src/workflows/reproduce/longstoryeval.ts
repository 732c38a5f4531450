import { type Random, seededRandom } from "../../core/random.ts";
import { MAIN_GENRES } from "../../reviews/aspect-importance.ts";
import { STARS } from "../../reviews/sample-reviews.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { drawPositions, percentileBootstrap } from "../../stats/resampling/percentile-bootstrap.ts";
import { importanceOf } from "../reviews/analyse-reviews.ts";
import { findingsOf, type ReviewMentions, readMentions } from "../reviews/review-report.ts";
import { evaluatedFigures } from "./longstoryeval-tables.ts";
import type { Paper, PaperData } from "./paper.ts";
import type { ReproduceRequest } from "./reproduce-request.ts";
import { figureOf, type ReproducedFigure } from "./reproduction.ts";

const RESAMPLES = 300;

/** What LongStoryEval prints that needs no language model; its tables of judges where evaluations are given. */
export async function reproduceLongStoryEval(
  paper: Paper,
  data: PaperData,
  request: ReproduceRequest,
): Promise<ReproducedFigure[]> {
  const files = { books: data.path("books.jsonl"), reviews: data.path("reviews.jsonl") };
  // First, since a mistake in what the user gives shows here, and the reviews take much longer.
  const judged = await tablesOfJudges(paper, data, request);
  const mentions = await readMentions({ ...files, onProgress: request.onProgress, signal: request.signal });
  const random = seededRandom(request.seed);
  request.onProgress({ stage: "Computing", done: 0, total: null });
  const { mitigation, normalisation, criteria } = findingsOf(mentions, request.seed);
  const counted = (id: string, place: string, name: string, value: number) =>
    figureOf(paper, id, { place, name, value, n: value });
  const { before, after, platform } = normalisation;
  const moments = [
    ["mean of ratings as given", before.mean],
    ["mean of normalised ratings", after.mean],
    ["mean of all the platform's ratings", platform.mean],
    ["deviation of ratings as given", before.deviation],
    ["deviation of normalised ratings", after.deviation],
    ["deviation of all the platform's ratings", platform.deviation],
  ] as const;
  return [
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
    ...criteria.significance
      .filter(({ aspect }) => mentions.aspects.includes(aspect))
      .map(({ aspect, kendall, interval, books }) =>
        figureOf(paper, `table-4-${aspect}`, {
          place: "Table 4",
          name: `${aspect}: rating of reviews that mention it against the book's`,
          value: kendall,
          interval,
          n: books,
        }),
      ),
    ...importanceFigures(paper, mentions, request.seed),
    ...judged,
  ];
}

/** Figure 4: the share of reviews that mention each aspect, as many books of each of seven genres. */
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

/** B.2: of a book's ratings at a star, how many percent came with a review; the mean over books. */
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
  const shares = [...books].flatMap(([id, { ratings_5_to_1 }]) =>
    ratings_5_to_1[at]! > 0 ? [(100 * (written.get(id) ?? 0)) / ratings_5_to_1[at]!] : [],
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

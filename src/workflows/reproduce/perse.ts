import { z } from "zod";
import { groupBy } from "../../core/group-by.ts";
import { jsonLines } from "../../core/json-lines.ts";
import { type Random, seededRandom, shuffled } from "../../core/random.ts";
import { FACTORISATION } from "../../reader/baselines/baseline-predictor.ts";
import { factorise, type Rating } from "../../reader/baselines/matrix-factorisation.ts";
import { meanOfHistory } from "../../reader/baselines/mean-of-history.ts";
import {
  resampledKendall,
  resampledPearson,
  resampledSpearman,
} from "../../stats/correlation/resampled-correlation.ts";
import { drawPositions, percentileBootstrap } from "../../stats/resampling/percentile-bootstrap.ts";
import type { Paper, PaperData } from "./paper.ts";
import type { ReproduceRequest } from "./reproduce-request.ts";
import { figureOf, type ReproducedFigure } from "./reproduction.ts";

const reviewSchema = z.looseObject({
  reviewer: z.union([z.string(), z.number()]).transform(String),
  book: z.union([z.string(), z.number()]).transform(String),
  rating: z.number(),
});
const FEWEST_REVIEWS = 6;
const CURVE = [1, 2, 3, 4, 5];
const TABLE_HISTORY = 3;
const RESAMPLES = 500;
const CORRELATIONS = { pearson: resampledPearson, spearman: resampledSpearman, kendall: resampledKendall } as const;

/** PerSE's baselines of Table 2, and the mean of the history for one to five earlier reviews. */
export async function reproducePerse(
  paper: Paper,
  data: PaperData,
  request: ReproduceRequest,
): Promise<ReproducedFigure[]> {
  const random = seededRandom(request.seed);
  const ratings = await readRatings(data.path("reviews.jsonl"), request);
  const queries = drawQueries(ratings, random);
  const asked = queries.map(({ query }) => query.rating);
  const measure = (id: string, place: string, name: string, predicted: readonly number[]) =>
    (Object.keys(CORRELATIONS) as (keyof typeof CORRELATIONS)[]).map((by) => {
      const statistic = CORRELATIONS[by](predicted, asked);
      const draw = drawPositions(asked.length);
      return figureOf(paper, `${id}-${by}`, {
        place,
        name: `${name}, ${by}`,
        value: statistic([...asked.keys()]).value,
        interval: percentileBootstrap({ draw, statistic, random, resamples: RESAMPLES }).interval,
        n: asked.length,
      });
    });
  const historyOf = (count: number) => queries.map(({ others }) => others.slice(0, count));
  const means = (count: number) =>
    historyOf(count).map((history) => meanOfHistory(history.map(({ rating }) => rating)) ?? Number.NaN);
  request.onProgress({ stage: "Factorising", done: 0, total: null });
  const held = new Set(queries.map(({ query }) => query));
  const model = factorise(
    ratings.rows.filter((row) => !held.has(row)),
    ratings.size,
    { ...FACTORISATION, random },
  );
  const factorised = historyOf(TABLE_HISTORY).map((history, at) => model.predict(history, queries[at]!.query.book));
  return [
    ...measure("mean", "Table 2", "mean of three earlier ratings", means(TABLE_HISTORY)),
    ...measure("factorisation", "Table 2", "matrix factorisation, three earlier ratings", factorised),
    ...CURVE.flatMap((count) =>
      measure(`k-${count}`, "Figure 5", `mean of ${count} earlier ratings`, means(count)).filter(({ name }) =>
        name.endsWith("kendall"),
      ),
    ),
  ];
}

interface Ratings {
  readonly rows: readonly Rating[];
  readonly size: { readonly readers: number; readonly books: number };
}

async function readRatings(path: string, { onProgress, signal }: ReproduceRequest): Promise<Ratings> {
  const readers = new Map<string, number>();
  const books = new Map<string, number>();
  const number = (known: Map<string, number>, name: string) => {
    const own = known.get(name) ?? known.size;
    known.set(name, own);
    return own;
  };
  const rows: Rating[] = [];
  for await (const { reviewer, book, rating } of jsonLines(path, reviewSchema)) {
    if (rows.length % 5000 === 0) {
      signal.throwIfAborted();
      onProgress({ stage: "Reading reviews", done: rows.length, total: null });
    }
    rows.push({ reader: number(readers, reviewer), book: number(books, book), rating });
  }
  return { rows, size: { readers: readers.size, books: books.size } };
}

/** One review of each reader with enough of them, and the reader's others in random order. */
function drawQueries({ rows }: Ratings, random: Random): { query: Rating; others: Rating[] }[] {
  return [...groupBy(rows, ({ reader }) => reader).values()]
    .filter((own) => own.length >= FEWEST_REVIEWS)
    .map((own) => {
      const [query, ...others] = shuffled(own, random);
      return { query: query!, others };
    });
}

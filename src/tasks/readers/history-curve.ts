import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { countBy } from "../../core/group-by.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import { type BaselineName, baselinePredictor } from "../../reader/baselines.ts";
import type { Anonymised } from "../../reader/dataset.ts";
import { anonymisePair } from "../../reader/evaluation/anonymise-pair.ts";
import { reviewAs } from "../../reader/evaluation/personal-review.ts";
import { FIVE, TEN } from "../../reader/evaluation/score-scale.ts";
import type { Protocol } from "../../reader/perse.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { personalPredictor } from "../../reader/predictor/predict-rating.ts";
import { onRatingScale } from "../../reader/predictor/rating-scale.ts";
import { type PastReview, pairSchema, type Story } from "../../reader/predictor/story.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import { sumBy } from "../../stats/distribution.ts";
import { EMBEDDED_JUDGE } from "./compare-pairs.ts";
import { type CurvePoint, curvePoint, type PredictedLine } from "./curve-point.ts";
import { readKnownRatings } from "./predict.ts";
import { refuseUnusable } from "./review.ts";

export interface HistoryCurveRequest {
  /** Input lines of `reader predict`, with `rating`, and with `reader` if one reader has several. */
  readonly input: string;
  /** A model, or `embedded`. */
  readonly judge: string;
  /** The shortest and longest histories, in reviews; 0 shows what a judge gives a story without knowing the reader. */
  readonly shortest?: number;
  readonly longest: number;
  /** How often a model is asked, each time with the history in another order; the embedded predictor ignores order. */
  readonly orders: number;
  /** Other readers' ratings of the same books, for matrix factorisation. */
  readonly ratings?: string;
  readonly ratingsScale?: number;
  readonly temperature: number;
  readonly withWords?: boolean;
  readonly anonymise?: Anonymised | null;
  readonly protocol?: Protocol;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

export interface HistoryCurve {
  readonly judge: string;
  /** Lines with a true rating and enough reviews; the same lines are used for every length. */
  readonly lines: number;
  readonly leftOut: number;
  readonly readers: number;
  readonly books: number;
  readonly points: readonly CurvePoint[];
  /** How many predictions of the baselines are missing, by baseline and reason. */
  readonly missing: Readonly<Record<string, number>>;
}

const lineSchema = pairSchema.extend({
  reader: z.union([z.string(), z.number()]).optional(),
  rating: z.number().min(0.5).max(5).nullish(),
});

/**
 * Measures how well a judge does with one earlier review, two, and so on, beside baselines that get the same reviews.
 */
export async function historyCurve(request: HistoryCurveRequest): Promise<RunOutcome<HistoryCurve>> {
  const all = await readJsonLines(request.input, onRatingScale(lineSchema, request.ratingsScale, request.input));
  const lines = all.filter(
    ({ history, rating }) => typeof rating === "number" && rated(history).length >= request.longest,
  );
  if (lines.length < 3) {
    throw new FabulaError(
      "E_CURVE_LINES",
      `A curve needs at least three lines with "rating" and ${request.longest} rated reviews; "${request.input}" has ${lines.length}. Give more, or a smaller --longest.`,
    );
  }
  const model = loadPersonalModel();
  const ratings = request.ratings === undefined ? null : await readKnownRatings(request.ratings, request.ratingsScale);
  const baselines: readonly BaselineName[] = [
    "mean",
    "bias-and-forecast",
    ...(ratings ? ["matrix-factorisation" as const] : []),
  ];
  const predictors = baselines.map((name) => ({ name, predict: baselinePredictor(name, model, ratings) }));
  const embedded = personalPredictor(model);
  return inRun(request.settings, request.services, async (run) => {
    const judge = request.judge === EMBEDDED_JUDGE ? null : await run.model(request.judge);
    const { longest, shortest = 1, withWords = true } = request;
    const lengths = Array.from({ length: longest - shortest + 1 }, (_, index) => shortest + index);
    const unusable: Record<string, number> = {};
    const missing: string[] = [];
    let done = 0;
    const points: CurvePoint[] = [];
    for (const length of lengths) {
      const predicted = await mapBounded(lines, run.concurrency, async (line): Promise<PredictedLine> => {
        // The embedded predictor never yields by itself: without a turn of the event loop Ctrl-C would be noticed
        // only at the end.
        await nextTurn();
        request.services.signal.throwIfAborted();
        const history = rated(line.history)
          .slice(0, length)
          .map((past) => (withWords ? past : { ...past, review: undefined }));
        const { query } = line;
        const scores = judge ? await judgedOrders(judge, history, query) : [ratingOf(embedded({ history, query }))];
        request.onProgress({ stage: "Curve", done: ++done, total: lines.length * lengths.length });
        return {
          reader: String(line.reader ?? line.id),
          book: line.query.book ?? line.query.title ?? String(line.id),
          truth: line.rating!,
          scores,
          baselines: Object.fromEntries(
            predictors.map(({ name, predict }) => {
              const prediction = predict({ history, query });
              // Without ratings there is no mean, which is no failure.
              if (prediction.kind === "unscored" && length > 0) missing.push(`${name}: ${prediction.reason}`);
              return [name, ratingOf(prediction)];
            }),
          ),
        };
      });
      points.push(curvePoint(length, predicted, baselines));
    }
    const answered = sumBy(points, ({ series }) => series[0]!.lines);
    if (judge && !run.dryRun) refuseUnusable(answered, lines.length * lengths.length, unusable);
    return {
      judge: request.judge,
      lines: lines.length,
      leftOut: all.length - lines.length,
      readers: new Set(lines.map(({ reader, id }) => reader ?? id)).size,
      books: new Set(lines.map(({ query, id }) => query.book ?? query.title ?? id)).size,
      points,
      missing: countBy(missing),
    };

    async function judgedOrders(asked: NonNullable<typeof judge>, history: readonly PastReview[], query: Story) {
      const { signal } = request.services;
      const shown = request.anonymise
        ? await anonymisePair(asked, query, history, "en", signal, request.anonymise)
        : { kind: "plain" as const, story: query, reviews: history };
      if (shown.kind === "failed") {
        unusable[shown.reason] = (unusable[shown.reason] ?? 0) + 1;
        return [null];
      }
      const options = {
        count: history.length,
        withWords,
        scale: request.protocol === "perse" ? TEN : FIVE,
        protocol: request.protocol ?? "fabula",
        orders: request.orders,
        language: "en",
        reviewLanguage: "en",
        temperature: request.temperature,
        random: seededRandom(1),
      } as const;
      const { orders } = await reviewAs(asked, model, shown.reviews, shown.story, options, signal);
      return orders.map(({ verdict }) => {
        if (verdict.kind === "scored") return verdict.score;
        unusable[verdict.reason] = (unusable[verdict.reason] ?? 0) + 1;
        return null;
      });
    }
  });
}

function rated(history: readonly PastReview[]): PastReview[] {
  return history.filter(({ rating }) => rating !== undefined);
}

function ratingOf(prediction: { kind: "predicted"; rating: number } | { kind: "unscored" }): number | null {
  return prediction.kind === "predicted" ? prediction.rating : null;
}

import { setImmediate as nextTurn } from "node:timers/promises";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { type Random, seededRandom, shuffled } from "../../core/random.ts";
import { type BaselineName, baselinePredictor } from "../../reader/baselines.ts";
import { reviewAs } from "../../reader/evaluation/personal-review.ts";
import { FIVE } from "../../reader/evaluation/score-scale.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { personalPredictor } from "../../reader/predictor/predict-rating.ts";
import { onRatingScale } from "../../reader/predictor/rating-scale.ts";
import { type PastReview, pairSchema } from "../../reader/predictor/story.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import { inRun, type RunOutcome } from "../runs/in-run.ts";
import { EMBEDDED_JUDGE } from "./compare-pairs.ts";
import { type CurvePoint, curvePoint, type PredictedLine } from "./curve-point.ts";
import { readKnownRatings } from "./predict.ts";

export interface HistoryCurveRequest {
  /** Lines as for `reader predict`, with `rating`, and `reader` where one reader has several. */
  readonly input: string;
  /** A model, or `embedded`. */
  readonly judge: string;
  /** Histories of 1 to this many reviews. */
  readonly longest: number;
  /** How often a model is asked, with the history in another order each time. */
  readonly orders: number;
  /** Others' ratings of the same books, for matrix factorisation. */
  readonly ratings?: string;
  readonly ratingsScale?: number;
  readonly temperature: number;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

export interface HistoryCurve {
  readonly judge: string;
  /** Lines with a true rating and enough reviews; the same ones serve every length. */
  readonly lines: number;
  readonly leftOut: number;
  readonly readers: number;
  readonly books: number;
  readonly points: readonly CurvePoint[];
}

const lineSchema = pairSchema.extend({
  reader: z.union([z.string(), z.number()]).optional(),
  rating: z.number().min(0.5).max(5).nullish(),
});
type Line = z.infer<typeof lineSchema>;

/** How well a judge does with one earlier review, two, and so on, beside what it has to beat with the same reviews. */
export async function historyCurve(request: HistoryCurveRequest): Promise<RunOutcome<HistoryCurve>> {
  const all = await readJsonLines(request.input, onRatingScale(lineSchema, request.ratingsScale));
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
    const lengths = Array.from({ length: request.longest }, (_, index) => index + 1);
    let done = 0;
    const points: CurvePoint[] = [];
    for (const length of lengths) {
      const predicted = await mapBounded(lines, run.concurrency, async (line): Promise<PredictedLine> => {
        // The embedded predictor never waits by itself: without a turn of the loop Ctrl-C would be heard only at the end.
        await nextTurn();
        request.services.signal.throwIfAborted();
        const history = rated(line.history).slice(0, length);
        const { query } = line;
        const scores = judge
          ? await judgedOrders(judge, history, line)
          : shuffles(history, request.orders, seededRandom(1)).map((order) =>
              ratingOf(embedded({ history: order, query })),
            );
        request.onProgress({ stage: "Curve", done: ++done, total: lines.length * lengths.length });
        return {
          reader: String(line.reader ?? line.id),
          book: line.query.book ?? line.query.title ?? String(line.id),
          truth: line.rating!,
          scores,
          baselines: Object.fromEntries(
            predictors.map(({ name, predict }) => [name, ratingOf(predict({ history, query }))]),
          ),
        };
      });
      points.push(curvePoint(length, predicted, baselines));
    }
    return {
      judge: request.judge,
      lines: lines.length,
      leftOut: all.length - lines.length,
      readers: new Set(lines.map(({ reader, id }) => reader ?? id)).size,
      books: new Set(lines.map(({ query, id }) => query.book ?? query.title ?? id)).size,
      points,
    };

    async function judgedOrders(asked: NonNullable<typeof judge>, history: readonly PastReview[], { query }: Line) {
      const options = {
        count: history.length,
        withWords: true,
        scale: FIVE,
        orders: history.length > 1 ? request.orders : 1,
        language: "en",
        reviewLanguage: "en",
        temperature: request.temperature,
        random: seededRandom(1),
      } as const;
      const { orders } = await reviewAs(asked, model, history, query, options, request.services.signal);
      return orders.map(({ verdict }) => (verdict.kind === "scored" ? verdict.score : null));
    }
  });
}

function rated(history: readonly PastReview[]): PastReview[] {
  return history.filter(({ rating }) => rating !== undefined);
}

/** The history as it is, and then in other orders. */
function shuffles(history: PastReview[], orders: number, random: Random): PastReview[][] {
  return Array.from({ length: history.length > 1 ? orders : 1 }, (_, order) =>
    order === 0 ? history : shuffled(history, random),
  );
}

function ratingOf(prediction: { kind: "predicted"; rating: number } | { kind: "unscored" }): number | null {
  return prediction.kind === "predicted" ? prediction.rating : null;
}

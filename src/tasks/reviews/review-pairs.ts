import { z } from "zod";
import { countBy } from "../../core/group-by.ts";
import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import { unscored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { type Rubric, topLevel } from "../../criteria/rubric.ts";
import { recognise } from "../../judge/probe/recognise.ts";
import type { Answer } from "../../models/ask.ts";
import { meanOfHistory } from "../../reader/baselines.ts";
import { anonymisePair } from "../../reader/evaluation/anonymise-pair.ts";
import { chooseReviews } from "../../reader/evaluation/choose-reviews.ts";
import { NOTHING_TO_SHOW, storyText } from "../../reader/evaluation/describe-history.ts";
import { reviewAs } from "../../reader/evaluation/personal-review.ts";
import { FIVE, TEN } from "../../reader/evaluation/score-scale.ts";
import { loadPersonalModel } from "../../reader/predictor/personal-weights.ts";
import { type PastReview, pairSchema, type Story } from "../../reader/predictor/story.ts";
import { loadAspectVocabulary } from "../../reviews/aspect-vocabulary.ts";
import { type AspectMapper, aspectMapper } from "../../reviews/map-aspect.ts";
import type { StarCounts } from "../../reviews/sample-reviews.ts";
import { eachBounded } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome } from "../../runner/open-run.ts";
import { kendallTau, pearson, type Statistic, spearman } from "../../stats/index.ts";
import { pairLines } from "../readers/pair-lines.ts";
import { type ReviewSettings, refuseUnusable } from "../readers/review.ts";

export interface ReviewPairsRequest extends ReviewSettings {
  readonly input: string;
  readonly output: string;
  /** The highest rating on the file's scale; 5 stars by default. */
  readonly ratingsScale?: number;
  readonly onProgress: ProgressListener;
}

/**
 * The result for a group of pairs: how well scores agree with the ratings readers really gave, if the lines contain
 * them.
 */
export interface PairGroup {
  readonly group: "all" | "known" | "unknown";
  readonly pairs: number;
  readonly scored: number;
  /** Pairs with both a score and a true rating, on which the correlations are computed. */
  readonly rated: number;
  readonly judge: Correlations;
  readonly meanOfHistory: Correlations;
  /** Mean standard deviation of a pair's scores over the orders of its history; null with a single order. */
  readonly spreadOverOrders: number | null;
}

/** Null if undefined: fewer than three pairs, or all values equal. */
export interface Correlations {
  readonly pearson: number | null;
  readonly spearman: number | null;
  readonly kendall: number | null;
}

const lineSchema = pairSchema.extend({
  /** The reader's true rating, from 1 to 5. */
  rating: z.number().min(0.5).max(5).nullish(),
});

interface Outcome {
  readonly score: number | null;
  readonly truth: number | null;
  readonly mean: number | null;
  readonly known: boolean | null;
  readonly deviation: number | null;
  readonly unscored: readonly string[];
  readonly unprobed: string | null;
  /** Whether the history shown has fewer orders than were requested. */
  readonly isShort: boolean;
}

export interface ReviewedPairs {
  /** All pairs; with a probe, also the pairs whose story the judge knows and those whose story it does not know. */
  readonly groups: readonly PairGroup[];
  /** Pairs asked about fewer times than requested, because the reviews shown have fewer orders. */
  readonly withFewerOrders: number;
  /** How many replies had no score, by reason. */
  readonly unscored: Readonly<Record<string, number>>;
  /** For how many pairs it is unknown whether the judge knows the story, by reason. */
  readonly unprobed: Readonly<Record<string, number>>;
}

/**
 * Has a model write a review and a score for many readers and stories, and measures how well the scores agree with
 * the readers' own.
 */
export function reviewPairs(request: ReviewPairsRequest): Promise<RunOutcome<ReviewedPairs>> {
  const model = loadPersonalModel();
  const scale = request.scale === 10 ? TEN : FIVE;
  const { signal } = request.services;
  return inRun(request.settings, request.services, async (run) => {
    const judge = await run.model(request.judge);
    const outcomes: Outcome[] = [];
    // Every line records its settings, so that a paper's figures can be computed from several runs.
    const setting = {
      judge: request.judge,
      k: request.count,
      starsOnly: !request.withWords,
      anonymised: request.anonymise,
      protocol: request.protocol ?? "fabula",
      scale: request.scale,
    };
    const chosenOf = (history: readonly PastReview[], query: Story) =>
      chooseReviews(model, history, query, { count: request.count, tokens: null, textOf: () => "" }).chosen;
    const reviewOne = async ({ id, history, query, rating }: z.infer<typeof lineSchema>) => {
      const options = {
        count: request.count,
        withWords: request.withWords,
        scale,
        protocol: request.protocol ?? "fabula",
        orders: request.orders,
        language: "en",
        reviewLanguage: "en",
        temperature: request.temperature,
        random: seededRandom(1),
      } as const;
      const shown = request.anonymise
        ? await anonymisePair(judge, query, chosenOf(history, query), "en", signal, request.anonymise)
        : { kind: "plain" as const, story: query, reviews: history };
      if (shown.kind === "failed") {
        const missing = { score: null, truth: rating ?? null, mean: null, known: null, deviation: null };
        const unprobed = request.probe ? shown.reason : null;
        outcomes.push({ ...missing, unscored: [shown.reason], unprobed, isShort: false });
        return {
          ...{ id, verdict: unscored(shown.reason), scores: [], standardDeviation: null, review: null },
          ...{ rating: rating ?? null, mean: null, setting },
        };
      }
      const [review, recognition] = await Promise.all([
        reviewAs(judge, model, shown.reviews, shown.story, options, signal),
        request.probe && storyText(shown.story, "en") !== ""
          ? recognise(judge, storyText(shown.story, "en"), { title: query.title ?? "", author: null }, "en", signal)
          : null,
      ]);
      const { verdict, standardDeviation, scores } = review.spread;
      const known = recognition?.kind === "answered" ? recognition.value.recognised : null;
      // Uses the same reviews that the judge was shown; a mean over more reviews would not be a fair comparison.
      const mean = meanOfHistory(review.history.chosen.flatMap((past) => past.rating ?? []));
      outcomes.push({
        score: verdict.kind === "scored" ? verdict.score : null,
        truth: rating ?? null,
        mean,
        known,
        deviation: standardDeviation,
        unscored: review.orders.flatMap((order) => (order.verdict.kind === "unscored" ? [order.verdict.reason] : [])),
        unprobed: !request.probe || known !== null ? null : unprobedReason(recognition),
        isShort: review.orders.length < request.orders,
      });
      const text = review.orders.find((order) => order.review !== null)?.review ?? null;
      return {
        ...{ id, verdict, scores, standardDeviation, review: text, ...(request.probe && { known }) },
        ...{ rating: rating ?? null, mean, setting },
      };
    };
    const rows = async function* () {
      const lines = pairLines(request.input, lineSchema, request.ratingsScale);
      for await (const [, row] of eachBounded(lines, run.concurrency, reviewOne)) {
        request.onProgress({ stage: "Reviewing", done: outcomes.length, total: null });
        yield row;
      }
      signal.throwIfAborted();
    };
    if (run.dryRun) for await (const _ of rows());
    else await writeJsonLines(request.output, rows());
    const all = summary("all", outcomes);
    const missing = {
      withFewerOrders: outcomes.filter(({ isShort }) => isShort).length,
      unscored: countBy(outcomes.flatMap((outcome) => outcome.unscored)),
      unprobed: countBy(outcomes.flatMap((outcome) => outcome.unprobed ?? [])),
    };
    if (!run.dryRun) refuseUnusable(all.scored, all.pairs, missing.unscored);
    if (!request.probe) return { groups: [all], ...missing };
    const part = (group: "known" | "unknown") =>
      summary(
        group,
        outcomes.filter(({ known }) => known === (group === "known")),
      );
    return { groups: [all, part("known"), part("unknown")], ...missing };
  });
}

function unprobedReason(recognition: Answer<unknown> | null): string {
  return recognition?.kind === "unanswered" ? recognition.reason : NOTHING_TO_SHOW;
}

function summary(group: PairGroup["group"], outcomes: readonly Outcome[]): PairGroup {
  const rated = outcomes.flatMap(({ score, truth, mean }) =>
    score === null || truth === null ? [] : [{ score, truth, mean }],
  );
  const withMean = rated.flatMap(({ truth, mean }) => (mean === null ? [] : [{ truth, mean }]));
  const deviations = outcomes.flatMap(({ deviation }) => deviation ?? []);
  return {
    group,
    pairs: outcomes.length,
    scored: outcomes.filter(({ score }) => score !== null).length,
    rated: rated.length,
    judge: correlations(
      rated.map(({ score }) => score),
      rated.map(({ truth }) => truth),
    ),
    meanOfHistory: correlations(
      withMean.map(({ mean }) => mean),
      withMean.map(({ truth }) => truth),
    ),
    spreadOverOrders: meanOfHistory(deviations),
  };
}

const FEWEST_PAIRS = 3;

function correlations(left: readonly number[], right: readonly number[]): Correlations {
  if (left.length < FEWEST_PAIRS) return { pearson: null, spearman: null, kendall: null };
  const value = (statistic: Statistic) => statistic.value ?? null;
  return {
    pearson: value(pearson(left, right)),
    spearman: value(spearman(left, right)),
    kendall: value(kendallTau(left, right)),
  };
}

/** Five stars first. */
export const starCountsSchema = z.tuple([count(), count(), count(), count(), count()]);

/** What the review tasks need of a book: its ratings, by number of stars. */
export const reviewedBookSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string().nullish(),
  genres: z.array(z.string()).default([]),
  premise: z.string().nullish(),
  plot_summary: z.string().nullish(),
  characters: z.string().nullish(),
  excerpts: z.string().nullish(),
  average_rating: z.number().min(1).max(5),
  ratings_5_to_1: starCountsSchema,
});
export type ReviewedBookRow = z.infer<typeof reviewedBookSchema>;

function count() {
  return z.number().nonnegative();
}

export async function readReviewedBooks(path: string): Promise<Map<string, ReviewedBookRow>> {
  const rows = await readJsonLines(path, reviewedBookSchema);
  return new Map(rows.map((row) => [row.id, row]));
}

export function starCounts(books: ReadonlyMap<string, ReviewedBookRow>): Map<string, StarCounts> {
  return new Map([...books].map(([id, { ratings_5_to_1 }]) => [id, ratings_5_to_1]));
}

interface AspectTools {
  readonly rubric: Rubric;
  readonly map: AspectMapper;
  /** Ids of the top-level aspects, in the rubric's order. */
  readonly aspects: readonly string[];
}

export async function loadAspectTools(): Promise<AspectTools> {
  const rubric = await loadRubric("long-story");
  const map = aspectMapper(await loadAspectVocabulary(), rubric);
  return { rubric, map, aspects: topLevel(rubric).map(({ id }) => id) };
}

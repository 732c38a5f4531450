import { groupBy } from "../core/group-by.ts";
import { sha256 } from "../core/hash.ts";
import { type Random, seededRandom, shuffled } from "../core/random.ts";
import { krippendorffAlpha } from "../stats/agreement.ts";
import { mean, sum } from "../stats/distribution.ts";
import { drawPositions, percentileBootstrap } from "../stats/resampling.ts";
import type { Statistic } from "../stats/statistic.ts";
import type { GradingSetting } from "./choices.ts";
import type { Prediction } from "./scoring/prediction.ts";

/** In LiteraryQA, people rate answers from 1 to 5. */
export const LOWEST_RATING = 1;
export const HIGHEST_RATING = 5;

/** An answer as a rater sees it, without a hint as to which system gave it. */
export interface RatingItem {
  readonly id: string;
  readonly setting: GradingSetting;
  readonly title: string;
  readonly question: string;
  readonly references: readonly string[];
  /** Null except in the `summary` setting. */
  readonly summary: string | null;
  readonly answer: string;
}

/** An answer that can be rated, with its position in the sample. */
export interface RatableAnswer {
  readonly row: number;
  readonly item: RatingItem;
  /** The same for all answers to one question. */
  readonly question: string;
}

export type SummaryOf = (row: Prediction) => string | null;

/**
 * The answers of a sample that can be rated in a setting. Missing answers cannot be rated; in the summary setting,
 * neither can answers without a summary.
 */
export function ratableAnswers(
  rows: readonly Prediction[],
  setting: GradingSetting,
  summaryOf: SummaryOf,
): RatableAnswer[] {
  const times = new Map<string, number>();
  return rows.flatMap((prediction, row) => {
    const summary = setting === "summary" ? summaryOf(prediction) : null;
    if (prediction.prediction === null || (setting === "summary" && summary === null)) return [];
    const { title = "", question = "", answers, document_id = "" } = prediction;
    const key = `${document_id}\u0000${question}\u0000${answers.join("\u0000")}`;
    const system = prediction.system ?? prediction.model ?? "";
    const place = `${setting}\u0000${system}\u0000${prediction.setting ?? ""}\u0000${key}`;
    // If a question was asked twice of one system, its two answers get different ids.
    const time = times.get(place) ?? 0;
    times.set(place, time + 1);
    const id = sha256(time === 0 ? place : `${place}\u0000${time}`).slice(0, ID_LENGTH);
    const answer = prediction.prediction;
    return [{ row, question: key, item: { id, setting, title, question, references: answers, summary, answer } }];
  });
}

const ID_LENGTH = 12;

/**
 * Each rater's own random order of the questions, and of the systems' answers to each; it is always the same for that
 * rater.
 */
export function orderFor(answers: readonly RatableAnswer[], rater: string, seed: number): RatableAnswer[] {
  const random = seededRandom(Number.parseInt(sha256(`${rater}\u0000${seed}`).slice(0, 8), 16));
  const questions = [...groupBy(answers, ({ question }) => question).values()];
  return shuffled(questions, random).flatMap((own) => shuffled(own, random));
}

/** A rater's ratings by the id of the item. */
export interface Rater {
  readonly name: string;
  readonly ratings: ReadonlyMap<string, number>;
}

export interface RaterAgreement {
  /** Krippendorff's α for ordinal ratings, over the answers that at least two raters rated. */
  readonly alpha: Statistic;
  readonly interval: readonly [number, number] | null;
  /** Answers rated by at least one rater, and by at least two. */
  readonly rated: number;
  readonly twice: number;
  readonly raters: readonly { readonly name: string; readonly rated: number; readonly mean: number | null }[];
}

const RESAMPLES = 500;
/** With fewer questions an interval would mainly reflect how few there are. */
const FEWEST_QUESTIONS = 5;

/**
 * Measures how far raters agree. The interval resamples whole questions, because the answers to one question share
 * its difficulties.
 */
export function raterAgreement(
  answers: readonly RatableAnswer[],
  raters: readonly Rater[],
  random: Random = seededRandom(1),
): RaterAgreement {
  const units = answers.map(({ item, question }) => ({
    question,
    ratings: raters.map(({ ratings }) => ratings.get(item.id) ?? null),
  }));
  const given = (unit: (typeof units)[number]) => unit.ratings.filter((rating) => rating !== null).length;
  const alphaOf = (some: typeof units) =>
    krippendorffAlpha(raters.map((_, rater) => some.map(({ ratings }) => ratings[rater] ?? null)));
  const twice = units.filter((unit) => given(unit) > 1);
  const questions = [...groupBy(twice, ({ question }) => question).values()];
  const alpha = alphaOf(twice);
  const statistic = (drawn: Uint32Array) => alphaOf(Array.from(drawn, (position) => questions[position]!).flat());
  return {
    alpha,
    interval:
      alpha.value === null || questions.length < FEWEST_QUESTIONS
        ? null
        : percentileBootstrap({ draw: drawPositions(questions.length), statistic, random, resamples: RESAMPLES })
            .interval,
    rated: units.filter((unit) => given(unit) > 0).length,
    twice: twice.length,
    raters: raters.map(({ name }, rater) => {
      const own = units.flatMap(({ ratings }) => ratings[rater] ?? []);
      return { name, rated: own.length, mean: own.length === 0 ? null : mean(own) };
    }),
  };
}

/**
 * Draws `count` questions, from each book in proportion to how many it has: whole shares first, then one more for the
 * books with the largest remainders. The result is in the order of the data.
 */
export function stratifiedSample(books: readonly (string | null)[], count: number, random: Random): number[] {
  if (count >= books.length) return [...books.keys()];
  const strata = [...groupBy(books.keys(), (position) => books[position] ?? null).values()];
  const exact = strata.map((positions) => (count * positions.length) / books.length);
  const whole = exact.map(Math.floor);
  const missing = count - sum(whole);
  // Ties between remainders are broken at random, not by the order of the file.
  const byRemainder = shuffled([...strata.keys()], random).sort(
    (left, right) => exact[right]! - whole[right]! - (exact[left]! - whole[left]!),
  );
  for (const stratum of byRemainder.slice(0, missing)) whole[stratum]!++;
  return strata
    .flatMap((positions, stratum) => shuffled(positions, random).slice(0, whole[stratum]))
    .sort((left, right) => left - right);
}

import { groupBy } from "../../core/group-by.ts";
import { type Random, seededRandom } from "../../core/random.ts";
import { krippendorffAlpha } from "../../stats/agreement/krippendorff-alpha.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { drawPositions, percentileBootstrap } from "../../stats/resampling/percentile-bootstrap.ts";
import type { Statistic } from "../../stats/statistic.ts";
import type { RatableAnswer } from "./rating-items.ts";

/** A rater's ratings by the id of the item. */
export interface Rater {
  readonly name: string;
  readonly ratings: ReadonlyMap<string, number>;
}

export interface RaterAgreement {
  /** Krippendorff's α for ordered ratings, over the answers that at least two raters rated. */
  readonly alpha: Statistic;
  readonly interval: readonly [number, number] | null;
  /** Answers rated by one rater at least, and by two at least. */
  readonly rated: number;
  readonly twice: number;
  readonly raters: readonly { readonly name: string; readonly rated: number; readonly mean: number | null }[];
}

const RESAMPLES = 500;
/** Drawn from fewer questions, an interval says how few there are and no more. */
const FEWEST_QUESTIONS = 5;

/** How far raters agree. Whole questions are drawn for the interval: the answers to one share its difficulties. */
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

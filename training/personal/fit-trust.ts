import {
  ALL_FIELDS,
  along,
  type DescriptionTrust,
  FIELD_SETS,
  onlyFields,
} from "../../src/reader/predictor/description-trust.ts";
import type { ContentVector, Likeness } from "../../src/reader/predictor/likeness.ts";
import { quantile } from "../../src/stats/distribution.ts";
import { cappedReaders, fitStories, type RatedStory, type StoryAppeal } from "./choose-story-weights.ts";

const FOLDS = 5;
/** A description nearer than this share of the training's own is not held to be far away. */
const FAR_SHARE = 0.05;

/** What is believed of whole descriptions: all of it, unless a story is far from the training's. */
export function wholeDescriptionTrust(stories: readonly RatedStory[], likeness: Likeness): DescriptionTrust {
  const { direction, length } = directionOf(
    stories.map((story) => likeness.vector(story)),
    likeness,
  );
  const far = farthest(stories, ALL_FIELDS, likeness, direction, length);
  return {
    usualRating: stories.reduce((sum, story) => sum + story.average_rating, 0) / stories.length,
    fields: Array.from({ length: FIELD_SETS }, () => 1),
    nearness: Array.from({ length: FIELD_SETS }, () => far),
    direction,
  };
}

/**
 * What is believed of descriptions with fields missing. Each story, cut down to the fields of a set, is forecast by a model
 * that never saw it; how much of the swing of such forecasts is in what regular readers make of the stories, beside that of
 * whole descriptions, is how far they are believed. (Averages would not do: genres tell which books have generous readers,
 * and a reader's own history has told that already.)
 */
export function thinDescriptionTrust(
  stories: readonly RatedStory[],
  likeness: Likeness,
  blockWeights: readonly number[],
  appeal: StoryAppeal,
): DescriptionTrust {
  const whole = wholeDescriptionTrust(stories, likeness);
  const { direction, length } = directionOf(
    stories.map((story) => likeness.vector(story)),
    likeness,
  );
  const fits = Array.from({ length: FOLDS }, (_, fold) =>
    fitStories(
      stories.filter((_, index) => index % FOLDS !== fold),
      blockWeights,
    ),
  );
  const weights = cappedReaders(appeal);
  const slopeOf = (set: number) =>
    slope(
      stories.map((story, index) => fits[index % FOLDS]!.forecast(onlyFields(story, set))),
      appeal.value,
      weights,
    );
  const wholeSlope = slopeOf(ALL_FIELDS);
  return {
    ...whole,
    fields: whole.fields.map((_, set) =>
      set === 0 ? 0 : Math.min(1, Math.max(0, wholeSlope > 0 ? slopeOf(set) / wholeSlope : 0)),
    ),
    nearness: whole.nearness.map((_, set) => farthest(stories, set, likeness, direction, length)),
  };
}

/** The direction of all stories together, of unit length, and how long their sum was. */
function directionOf(contents: readonly ContentVector[], likeness: Likeness) {
  const sum = new Float64Array(likeness.table.terms.length);
  for (const { terms, values } of contents) {
    for (let i = 0; i < terms.length; i++) {
      const position = likeness.positionOf(terms[i]!);
      if (position >= 0) sum[position] = sum[position]! + values[i]!;
    }
  }
  const length = Math.sqrt(sum.reduce((total, value) => total + value * value, 0));
  return { direction: Float32Array.from(sum, (value) => value / (length || 1)), length };
}

/** How near the farthest few of the stories, cut down to these fields, are to all the others: each is taken out of the sum first. */
function farthest(
  stories: readonly RatedStory[],
  set: number,
  likeness: Likeness,
  direction: Float32Array,
  length: number,
): number {
  const nearness = stories.flatMap((story) => {
    const content = likeness.vector(onlyFields(story, set));
    if (content.terms.length === 0) return [];
    const whole = likeness.vector(story);
    const own = dot(content, whole);
    const alongAll = length * along(direction, content, likeness) - own;
    const wholeAlong = length * along(direction, whole, likeness);
    const others = Math.sqrt(Math.max(1e-12, length ** 2 - 2 * wholeAlong + 1));
    return [alongAll / others];
  });
  return nearness.length === 0 ? 0 : quantile(nearness, FAR_SHARE);
}

function dot(left: ContentVector, right: ContentVector): number {
  const values = new Map(Array.from(right.terms, (term, i) => [term, right.values[i]!]));
  return left.terms.reduce((sum, term, i) => sum + left.values[i]! * (values.get(term) ?? 0), 0);
}

/** Of the weighted least-squares line; 0 where all forecasts are alike. */
function slope(x: readonly number[], y: ArrayLike<number>, weights: ArrayLike<number>): number {
  let [total, sumX, sumY, xx, xy] = [0, 0, 0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const weight = weights[i]!;
    total += weight;
    sumX += weight * x[i]!;
    sumY += weight * y[i]!;
    xx += weight * x[i]! * x[i]!;
    xy += weight * x[i]! * y[i]!;
  }
  const variance = xx / total - (sumX / total) ** 2;
  return variance > 1e-9 ? (xy / total - (sumX * sumY) / total ** 2) / variance : 0;
}

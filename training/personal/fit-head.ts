import type { Head } from "../../src/reader/predictor/personal-model.ts";
import {
  circumstances,
  fifthOf,
  type GroupedReach,
  kindOf,
  levelOf,
  logistic,
  remoteness,
  type StarModel,
  starChances,
} from "../../src/reader/predictor/spread.ts";
import { type Centres, type EarlierReview, historyRow, VOTES } from "../../src/reader/predictor/votes.ts";
import { quantile } from "../../src/stats/distribution.ts";
import { invertPositiveDefinite } from "../../src/stats/linear/positive-definite.ts";
import { fitRidge } from "../../src/stats/linear/ridge-regression.ts";
import { sparseRows } from "../../src/stats/linear/sparse-rows.ts";

/** A history with what readers in general give the story asked about, and what the reader gave it. */
export interface HeadExample {
  readonly reader: number;
  readonly history: readonly EarlierReview[];
  readonly expectation: number;
  readonly rating: number;
  readonly weight: number;
}

const HEAD_PENALTY = 1;
const FOLDS = 5;
/** Lengths of history that have ranges of their own; one between two of them has those of the shorter. */
const LENGTHS = [0, 1, 2, 3, 5, 10, 20, 50];
/** What a range is to hold, and a little more: four ratings in five of new books, which are harder than books kept back here. */
const LEVEL = 0.81;

/** A prediction for a reader that the fit did not see. */
interface Held {
  readonly predicted: number;
  readonly history: readonly EarlierReview[];
  readonly rating: number;
}

/** Votes and expectation → the rating, by ridge regression; the spread comes from readers the fit did not see. */
export function fitHead(examples: readonly HeadExample[], centres: Centres, shrinkage: number): Head {
  const held = new Map(LENGTHS.map((length) => [length, [] as Held[]]));
  for (let fold = 0; fold < FOLDS; fold++) {
    const part = solve(
      examples.filter(({ reader }) => reader % FOLDS !== fold),
      centres,
      shrinkage,
    );
    for (const { reader, history: whole, expectation, rating } of examples) {
      if (reader % FOLDS !== fold) continue;
      // What is known of a reader can be cut short: every example serves every length up to its own.
      for (const length of LENGTHS) {
        if (length > whole.length) break;
        const history = whole.slice(0, length);
        const predicted = applyHead(part, history, expectation, centres, shrinkage);
        held.get(length)!.push({ predicted, history, rating });
      }
    }
  }
  const all = [...held.values()].flat();
  const every = Math.ceil(all.length / MOST_FOR_STARS);
  const stars = fitStars(
    all
      .filter((_, at) => at % every === 0)
      .map(({ predicted, history, rating }) => ({ rating, ...circumstances(predicted, history) })),
  );
  const groups = [...held].flatMap(([from, members]) =>
    from > 0 && members.length < FEWEST_OF_A_LENGTH ? [] : [groupedReach(from, members, stars)],
  );
  return { ...solve(examples, centres, shrinkage), spread: { stars, groups } };
}

/** With fewer examples a length of history has no groups of its own. */
const FEWEST_OF_A_LENGTH = 1000;
/** A group is believed by half when it has as many examples as this, and by the rest its whole fifth is. */
const HALF_BELIEVED = 150;

/**
 * Conformal, group by group: ratings crowd at the top of the scale, so that a high prediction is off in another way than a low
 * one, and a strict reader's in another way than a kind one's. One width for all covered 69 to 90 % by fifth of the prediction.
 */
function groupedReach(from: number, held: readonly Held[], stars: StarModel): GroupedReach {
  const predictions = held.map(({ predicted }) => predicted);
  const fifths = [0.2, 0.4, 0.6, 0.8].map((share) => quantile(predictions, share));
  const known = held.map(({ history }) => levelOf(history));
  const levels: [number, number] = [quantile(known, 0.2), quantile(known, 0.8)];
  const remote = held.map(({ predicted, history, rating }) => ({
    fifth: fifthOf(fifths, predicted),
    kind: kindOf(levels, history),
    value: remoteness(starChances(stars, circumstances(predicted, history)), rating),
  }));
  const reach = Array.from({ length: fifths.length + 1 }, (_, fifth) => {
    const members = remote.filter((one) => one.fifth === fifth);
    const ofFifth = conformalReach(members.map(({ value }) => value));
    return [0, 1, 2].map((kind) => {
      const own = members.filter((one) => one.kind === kind).map(({ value }) => value);
      const belief = own.length / (own.length + HALF_BELIEVED);
      return thousandths(belief * (own.length > 0 ? conformalReach(own) : 0) + (1 - belief) * ofFifth);
    });
  });
  return { from, fifths, levels, reach };
}

/** The rank is taken as if the new case were one more of the held-out ones. */
function conformalReach(values: readonly number[]): number {
  if (values.length === 0) return LEVEL;
  return quantile(values, Math.min(1, (LEVEL * (values.length + 1)) / values.length));
}

interface StarExample {
  readonly rating: number;
  readonly location: readonly number[];
  readonly width: readonly number[];
}

/** Fifteen numbers are known as well from these as from all. */
const MOST_FOR_STARS = 20_000;
const STEPS = 40;
const CLOSE_ENOUGH = 1e-6;
/** Keeps a circumstance that never changes from having any coefficient. */
const STAR_PENALTY = 1;

/**
 * Maximum likelihood for the ordinal logistic regression, by steps whose curvature is taken from the examples' gradients (Berndt,
 * Hall, Hall and Hausman, 1974) and halved until the likelihood rises.
 */
export function fitStars(examples: readonly StarExample[]): StarModel {
  const rows = examples.map(({ rating, location, width }) => ({ star: Math.round(rating) - 1, location, width }));
  const [places, widths] = [rows[0]!.location.length, rows[0]!.width.length];
  const start = [1, 2, 3, 4].map((star) => {
    const share = (rows.filter((row) => row.star < star).length + star) / (rows.length + 5);
    return Math.log(share / (1 - share));
  });
  let at = [...start, ...Array.from({ length: places + widths }, () => 0)];
  const modelOf = (values: readonly number[]): StarModel => ({
    thresholds: values.slice(0, 4),
    location: values.slice(4, 4 + places),
    width: values.slice(4 + places),
  });
  const likelihood = (values: readonly number[]) => {
    const model = modelOf(values);
    if (model.thresholds.some((threshold, place) => place > 0 && threshold <= model.thresholds[place - 1]!)) {
      return Number.NEGATIVE_INFINITY;
    }
    const penalty = values.slice(4).reduce((sum, value) => sum + value * value, 0) * STAR_PENALTY;
    return rows.reduce((sum, row) => sum + Math.log(Math.max(1e-12, starChances(model, row)[row.star]!)), -penalty / 2);
  };
  let reached = likelihood(at);
  for (let step = 0; step < STEPS; step++) {
    const direction = ascent(rows, modelOf(at), at);
    let length = 1;
    let next = at;
    let value = Number.NEGATIVE_INFINITY;
    while (value < reached && length > 1e-4) {
      next = at.map((one, place) => one + length * direction[place]!);
      value = likelihood(next);
      length /= 2;
    }
    if (value - reached < CLOSE_ENOUGH * Math.abs(reached)) break;
    [at, reached] = [next, value];
  }
  return modelOf(at.map(thousandths));
}

interface StarRow {
  readonly star: number;
  readonly location: readonly number[];
  readonly width: readonly number[];
}

function ascent(rows: readonly StarRow[], model: StarModel, at: readonly number[]): Float64Array {
  const size = at.length;
  const gradient = Float64Array.from(at, (value, place) => (place < 4 ? 0 : -STAR_PENALTY * value));
  const curvature = new Float64Array(size * size);
  const own = new Float64Array(size);
  const { thresholds, location, width } = model;
  const places = location.length;
  for (const row of rows) {
    const centre = location.reduce((sum, value, place) => sum + value * row.location[place]!, 0);
    const scale = Math.exp(-width.reduce((sum, value, place) => sum + value * row.width[place]!, 0));
    const above = row.star < 4 ? (thresholds[row.star]! - centre) * scale : Number.POSITIVE_INFINITY;
    const below = row.star > 0 ? (thresholds[row.star - 1]! - centre) * scale : Number.NEGATIVE_INFINITY;
    const [upper, lower] = [logistic(above), logistic(below)];
    const chance = Math.max(1e-12, upper - lower);
    const [up, down] = [(upper * (1 - upper)) / chance, (lower * (1 - lower)) / chance];
    own.fill(0);
    if (row.star < 4) own[row.star] = up * scale;
    if (row.star > 0) own[row.star - 1] = -down * scale;
    for (let place = 0; place < places; place++) own[4 + place] = -(up - down) * scale * row.location[place]!;
    const spread = (row.star < 4 ? up * above : 0) - (row.star > 0 ? down * below : 0);
    for (let place = 0; place < width.length; place++) own[4 + places + place] = -spread * row.width[place]!;
    for (let i = 0; i < size; i++) {
      gradient[i] = gradient[i]! + own[i]!;
      for (let j = 0; j < size; j++) curvature[i * size + j] = curvature[i * size + j]! + own[i]! * own[j]!;
    }
  }
  for (let i = 0; i < size; i++) curvature[i * size + i] = curvature[i * size + i]! + STAR_PENALTY;
  const inverse = invertPositiveDefinite(curvature, size);
  if (inverse === null) return gradient.map(() => 0);
  return gradient.map((_, i) => gradient.reduce((sum, value, j) => sum + inverse[i * size + j]! * value, 0));
}

function thousandths(value: number): number {
  return Math.round(value * 1000) / 1000;
}

export function applyHead(
  head: Omit<Head, "spread">,
  history: readonly EarlierReview[],
  expectation: number,
  centres: Centres,
  shrinkage: number,
): number {
  const row = historyRow(history, centres, shrinkage);
  let rating = head.intercept + head.expectation * (expectation - head.expectationCentre);
  for (let i = 0; i < VOTES; i++) rating += head.votes[i]! * row[i]!;
  return rating;
}

function solve(examples: readonly HeadExample[], centres: Centres, shrinkage: number): Omit<Head, "spread"> {
  const expectationCentre = examples.reduce((sum, { expectation }) => sum + expectation, 0) / examples.length;
  const rows = examples.map(({ history, expectation }) =>
    [...historyRow(history, centres, shrinkage), expectation - expectationCentre].map((value, index) => ({
      index,
      value,
    })),
  );
  const model = fitRidge(
    sparseRows(VOTES + 1, rows),
    Float64Array.from(examples, ({ rating }) => rating),
    1,
    {
      penalty: HEAD_PENALTY,
      tolerance: 1e-9,
      rowWeights: Float64Array.from(examples, ({ weight }) => weight),
    },
  );
  return {
    intercept: model.intercepts[0]!,
    votes: model.weights.slice(0, VOTES),
    expectation: model.weights[VOTES]!,
    expectationCentre,
  };
}

import { contentHash } from "../../core/hash.ts";
import { sum } from "../../stats/distribution.ts";
import {
  clampStars,
  type Head,
  type PersonalModel,
  type ReadStory,
  readEarlierReview,
  readStory,
  STARS,
} from "./personal-model.ts";
import { type ProvenTaste, provenTaste, tasteBeyond } from "./proven-taste.ts";
import { historyInWords, type Reason, reasonFromStory, reasonFromTaste, reasonsFromHistory } from "./reasons.ts";
import { circumstances, intervalFrom, reachFor, starChances } from "./spread.ts";
import type { PastReview, ReaderPair, Story } from "./story.ts";
import { type EarlierReview, votesOf } from "./votes.ts";

export type PersonalPrediction =
  | {
      readonly kind: "predicted";
      readonly rating: number;
      /** Where the reader's own rating falls four times in five. */
      readonly interval: readonly [number, number];
      /** The chance of each whole number of stars, from one to five. */
      readonly distribution: readonly number[];
      /** The rating an average reader gives an average story: the reasons' effects add up from here, compressed near the ends of the scale. */
      readonly start: number;
      readonly why: readonly Reason[];
      /** One sentence: what in the reader's history points that way; null when nothing clearly does. */
      readonly because: string | null;
      /** How far the story's description is trusted, from 0 (the reader's own votes alone) to 1. */
      readonly descriptionTrust: number;
      readonly notes: readonly string[];
    }
  | { readonly kind: "unscored"; readonly reason: string };

/** Stories repeat in a file of pairs, so each is read only once while it is remembered. About 5 kB each. */
const REMEMBERED_STORIES = 16_384;

/**
 * Turns the model into a function that predicts a reader's rating of a story from their earlier reviews. Each call is independent.
 *
 * @example
 * ```ts
 * const predict = personalPredictor(loadPersonalModel());
 * const history = [{ title: "Piranesi", genres: ["Fantasy"], rating: 5, review: "Strange, quiet and kind." }];
 * const prediction = predict({ history, query: { title: "The Salt Road", genres: ["Fantasy"] } });
 * if (prediction.kind !== "unscored") console.log(prediction.rating, prediction.why);
 * ```
 */
export function personalPredictor(
  model: PersonalModel,
): (pair: Pick<ReaderPair, "history" | "query">) => PersonalPrediction {
  const remembered = new Map<string, Omit<ReadStory, "story">>();
  const read = (story: Story): ReadStory => {
    // The key is a hash, and the story itself is not kept: texts would take most of the memory.
    const key = contentHash([story.title, story.genres, story.premise, story.plot_summary, story.characters]);
    let known = remembered.get(key);
    if (!known) {
      if (remembered.size >= REMEMBERED_STORIES) remembered.clear();
      const { story: _, ...found } = readStory(model, story);
      known = found;
      remembered.set(key, known);
    }
    return { ...known, story };
  };
  const proven = new WeakMap<readonly PastReview[], { of: readonly PastReview[]; taste: ProvenTaste | null }>();
  // A shelf is predicted with one history, whose taste is the same for every book of it.
  const tasteOf = (history: readonly PastReview[], used: readonly Used[]): ProvenTaste | null => {
    let known = proven.get(history);
    if (known?.of.length !== history.length || known.of.some((review, at) => review !== history[at])) {
      const genres = used.map(({ review, past }) => ({ genres: review.genres, past }));
      known = { of: [...history], taste: provenTaste(model, genres) };
      proven.set(history, known);
    }
    return known.taste;
  };
  return ({ history, query }) => predict(model, history, read(query), { read, tasteOf });
}

interface Used {
  readonly review: PastReview;
  readonly past: EarlierReview;
}

function predict(
  model: PersonalModel,
  history: readonly PastReview[],
  query: ReadStory,
  {
    read,
    tasteOf,
  }: {
    readonly read: (story: Story) => ReadStory;
    readonly tasteOf: (history: readonly PastReview[], used: readonly Used[]) => ProvenTaste | null;
  },
): PersonalPrediction {
  const used: Used[] = [];
  for (const review of history) {
    const past = readEarlierReview(model, review, read(review), query);
    if (past) used.push({ review, past });
  }
  const average = query.story.average_rating;
  if (used.length === 0 && query.forecast === null && average === undefined) {
    return { kind: "unscored", reason: "neither an earlier review nor a description of the story could be used" };
  }
  const pasts = used.map(({ past }) => past);
  const head = average === undefined ? model.heads.forecast : model.heads.average;
  const expectation = average ?? query.forecast ?? head.expectationCentre;
  const storyEffect = head.expectation * (expectation - head.expectationCentre);
  const effects = used.map(({ past }) => effectOf(past, head, model, used.length));
  const moved = used.map((one, index) => ({ ...one, effect: effects[index]! }));
  const taste = tasteOf(history, used);
  const own = tasteBeyond(taste, model, head, pasts, query.story);
  const exact = head.intercept + storyEffect + sum(effects) + (own ?? 0);
  const rating = withinStars(exact);
  const chances = starChances(head.spread.stars, circumstances(exact, pasts));
  const [low, high] = intervalFrom(chances, reachFor(head.spread.groups, exact, pasts));
  const why = [
    reasonFromStory(query, average, storyEffect),
    ...reasonsFromHistory(model, moved, query.story),
    ...(taste === null || own === null ? [] : [reasonFromTaste(taste, query.story, own)]),
  ].sort((left, right) => Math.abs(right.effect) - Math.abs(left.effect));
  return {
    kind: "predicted",
    rating: rounded(rating),
    interval: [rounded(clampStars(Math.min(low, rating))), rounded(clampStars(Math.max(high, rating)))],
    distribution: chances.map(rounded),
    start: rounded(head.intercept),
    why,
    because: historyInWords(moved, query.story, rating - expectation),
    descriptionTrust: rounded(average === undefined && query.forecast !== null ? query.trust : 0),
    notes: notesOn(history.length, used.length, query, average),
  };
}

function effectOf(past: EarlierReview, head: Head, model: PersonalModel, length: number): number {
  const votes = votesOf(past, model.centres);
  return votes.reduce((sum, vote, index) => sum + head.votes[index]! * vote, 0) / (length + model.shrinkage);
}

function notesOn(given: number, used: number, query: ReadStory, average: number | undefined): string[] {
  const notes: string[] = [];
  if (used === 0)
    notes.push("No earlier review could be used: this is what a reader who writes reviews would give on average.");
  else if (used < given)
    notes.push(`${given - used} of ${given} earlier reviews held neither stars nor words and were left out.`);
  if (query.forecast === null && average === undefined) {
    notes.push("Nothing is known about the story itself: this is how the reader rates, whatever the story.");
  }
  if (query.forecast !== null && average === undefined && query.trust < TRUSTED) {
    notes.push(
      `The description is ${query.trust === 0 ? "too thin or too unlike the stories learnt from to be used" : `thin or unlike the stories learnt from, and counts for ${Math.round(query.trust * 100)}% of what a full one would`}: the reader's own ratings decide.`,
    );
  }
  return notes;
}

/** Descriptions that are trusted less than this are mentioned. */
const TRUSTED = 0.7;

/** This close to either end the scale bends: the end is never reached, so that two very high predictions stay in order. */
const BEND = 0.5;

function withinStars(exact: number): number {
  const top = STARS.maximum - BEND;
  const bottom = STARS.minimum + BEND;
  if (exact > top) return top + BEND * Math.tanh((exact - top) / BEND);
  if (exact < bottom) return bottom - BEND * Math.tanh((bottom - exact) / BEND);
  return exact;
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}

import { type Random, shuffled } from "../../core/random.ts";
import type { AspectVocabulary } from "../../reviews/aspect-vocabulary.ts";
import { mean, variance } from "../../stats/distribution.ts";
import { aspectPatterns } from "../attention/reader-attention.ts";
import { type PersonalModel, readStory } from "../predictor/personal-model.ts";
import type { PastReview } from "../predictor/story.ts";

/** A review that shows what a reader rewards or punishes. */
export interface TasteEvidence {
  readonly title: string;
  readonly rating: number;
  /** What other readers give it: their average where known, else the forecast. */
  readonly others: number;
  readonly quote: string | null;
}

export interface TasteEntry {
  readonly kind: "genre" | "aspect";
  readonly name: string;
  readonly reviews: number;
  /** Stars above or below others, beyond how this reader differs from them anyway; drawn towards zero for few reviews. */
  readonly difference: number;
  readonly evidence: readonly TasteEvidence[];
}

export interface Taste {
  readonly rewards: readonly TasteEntry[];
  readonly punishes: readonly TasteEntry[];
}

const LEAST_REVIEWS = 2;
/** Smaller differences are not worth a sentence, however sure they are. */
const NOTABLE = 0.15;
/** At most this share of readers without any taste may be given one. */
const SIGNIFICANCE = 0.05;
const PERMUTATIONS = 999;
const SHOWN = 4;
const EVIDENCE_SHOWN = 2;
const QUOTE_LENGTH = 160;

interface Rated {
  readonly review: PastReview;
  readonly rating: number;
  readonly others: number;
}

/**
 * What a reader rewards and punishes compared with others: genres, and aspects that their reviews mention. It describes the
 * history; it is no claim about what they would say of another book. A reader has dozens of genres and aspects, and in some
 * of them any reader stands out by chance: only what stands out further than the furthest of all does when the ratings are dealt again.
 */
export function readerTaste(
  reviews: readonly PastReview[],
  model: PersonalModel,
  vocabulary: AspectVocabulary,
  topOf: (aspect: string) => string,
  random: Random,
): Taste {
  const rated = reviews.flatMap((review): Rated[] => {
    if (review.rating === undefined) return [];
    const others = review.average_rating ?? readStory(model, review).forecast;
    return others === null ? [] : [{ review, rating: review.rating, others }];
  });
  if (rated.length === 0) return { rewards: [], punishes: [] };
  const level = mean(rated.map(surprise));
  const genres = new Set(rated.flatMap(({ review }) => review.genres));
  const all = [
    ...[...genres].map((name) => ({
      kind: "genre" as const,
      name,
      pattern: null,
      members: rated.filter(({ review }) => review.genres.includes(name)),
    })),
    ...[...aspectPatterns(vocabulary, topOf)].map(([name, pattern]) => ({
      kind: "aspect" as const,
      name,
      pattern,
      members: rated.filter(({ review }) => review.review !== undefined && pattern.test(review.review)),
    })),
  ];
  const groups = all.filter(({ members }) => members.length >= LEAST_REVIEWS && members.length < rated.length);
  const isBeyondChance = beyondChance(rated, groups, random);
  const entries = groups
    .filter((_, at) => isBeyondChance[at])
    .map(({ kind, name, pattern, members }): TasteEntry => {
      const shrunk = members.length / (members.length + model.shrinkage);
      const difference = (mean(members.map(surprise)) - level) * shrunk;
      return { kind, name, reviews: members.length, difference, evidence: evidenceOf(members, difference, pattern) };
    });
  const notable = (sign: 1 | -1) =>
    entries
      .filter(({ difference }) => sign * difference >= NOTABLE)
      .sort((left, right) => sign * (right.difference - left.difference))
      .slice(0, SHOWN);
  return { rewards: notable(1), punishes: notable(-1) };
}

/**
 * Which groups of ratings lie further from the mean than chance explains, for all groups together: the ratings are dealt to
 * the reviews again at random, and a group must beat the group that stands out most in all but one deal of twenty (Westfall and
 * Young's single-step maximum).
 */
function beyondChance(
  rated: readonly Rated[],
  groups: readonly { readonly members: readonly Rated[] }[],
  random: Random,
): boolean[] {
  const surprises = rated.map(surprise);
  const centre = mean(surprises);
  const spread = variance(surprises);
  if (!(spread > 0)) return groups.map(() => false);
  const places = new Map(rated.map((one, at) => [one, at]));
  const positions = groups.map(({ members }) => members.map((member) => places.get(member)!));
  // The mean of m ratings drawn from n without replacement has this variance.
  const errors = positions.map(({ length }) => Math.sqrt(spread * (1 / length - 1 / rated.length)));
  const distances = (values: readonly number[]) =>
    positions.map((own, group) => {
      let total = 0;
      for (const position of own) total += values[position]! - centre;
      return Math.abs(total) / own.length / errors[group]!;
    });
  const observed = distances(surprises);
  const furthest = Array.from({ length: PERMUTATIONS }, () => Math.max(...distances(shuffled(surprises, random))));
  return observed.map((distance) => {
    const asFar = furthest.filter((other) => other >= distance - 1e-9).length;
    return (1 + asFar) / (1 + PERMUTATIONS) <= SIGNIFICANCE;
  });
}

function surprise({ rating, others }: Rated): number {
  return rating - others;
}

function evidenceOf(members: readonly Rated[], difference: number, pattern: RegExp | null): TasteEvidence[] {
  const sign = Math.sign(difference);
  return [...members]
    .sort((left, right) => sign * (surprise(right) - surprise(left)))
    .slice(0, EVIDENCE_SHOWN)
    .map(({ review, rating, others }) => ({
      title: review.title ?? "an untitled story",
      rating,
      others,
      quote: quoteFrom(review.review, pattern),
    }));
}

/** The sentence that mentions the aspect, or the first. */
function quoteFrom(words: string | undefined, pattern: RegExp | null): string | null {
  const sentences = words?.match(/[^.!?…\n]+[.!?…]*/g)?.map((sentence) => sentence.trim()) ?? [];
  const telling = (pattern && sentences.find((sentence) => pattern.test(sentence))) ?? sentences.find(Boolean);
  if (!telling) return null;
  return telling.length > QUOTE_LENGTH ? `${telling.slice(0, QUOTE_LENGTH - 1).trimEnd()}…` : telling;
}

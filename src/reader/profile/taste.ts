import { type Random, shuffled } from "../../core/random.ts";
import type { AspectVocabulary } from "../../reviews/aspect-vocabulary.ts";
import { mean, quantile, variance } from "../../stats/distribution.ts";
import { aspectPatterns } from "../attention/reader-attention.ts";
import { dot } from "../predictor/spread.ts";
import type { PastReview } from "../predictor/story.ts";

/** What readers in general give a story, or are likely to; null where neither is known. */
export type OthersOf = (review: PastReview) => number | null;

/** A review that shows what a reader rewards or punishes. */
export interface TasteEvidence {
  readonly title: string;
  /** Null for a book given up and not rated. */
  readonly rating: number | null;
  /** What other readers give it: their average if known, otherwise the forecast; null without either. */
  readonly others: number | null;
  /** Whether it is their average. */
  readonly isAverage: boolean;
  readonly quote: string | null;
}

/** StoryGraph asks its readers for moods and pace; a shelf is one of the reader's own that is not a genre. */
export type TasteKind = "genre" | "mood" | "pace" | "shelf" | "aspect";

export interface TasteEntry {
  readonly kind: TasteKind;
  readonly name: string;
  readonly reviews: number;
  /** How many of them are about books given up, which count as the average rating of such books. */
  readonly givenUp: number;
  /** Stars above or below what this reader gives the rest, between books that other readers rate alike. */
  readonly difference: number;
  /** What this reader gives these books on average, and what the same reader gives the rest. */
  readonly mean: number;
  readonly elsewhere: number;
  /** At least 95 %, for all examined groups together, so it widens with their number. */
  readonly interval: readonly [number, number];
  readonly evidence: readonly TasteEvidence[];
}

export interface Taste {
  /** For how many of the ratings the average of other readers is known or forecast; without any, nothing can be compared. */
  readonly compared: number;
  readonly rewards: readonly TasteEntry[];
  readonly punishes: readonly TasteEntry[];
}

const LEAST_REVIEWS = 2;
/** Smaller differences are not worth a sentence, however sure they are. */
const NOTABLE = 0.15;
/**
 * At most one in twenty readers without any taste may be given one. Dealing residuals is a little too kind to short histories
 * (up to 6 % at 5 %: `evals/parts/reader-tastes.ts`), so the bar is higher.
 */
const SIGNIFICANCE = 0.03;
const PERMUTATIONS = 999;
/** A whole star may stand for any opinion within half a star of it, so no reader is known better than that. */
const ROUNDING_VARIANCE = 1 / 12;
const SHOWN = 4;
const EVIDENCE_SHOWN = 2;
const QUOTE_LENGTH = 160;

interface Rated {
  readonly review: PastReview;
  readonly rating: number;
  readonly others: number | null;
  /** The same, but the mean of the known ones for a book without, as if it were neither loved nor disliked. */
  readonly expected: number;
}

/**
 * What a reader rewards and punishes compared with the reader's other books: genres, moods, pace, own shelves, and aspects that
 * their reviews mention. It describes the history and claims nothing about another book. A reader has dozens of genres and
 * aspects, and any reader stands out in some of them by chance. So a group counts only if it stands out more than the most
 * extreme group does when the ratings are shuffled.
 */
export function readerTaste(
  reviews: readonly PastReview[],
  { othersOf, givenUpStars }: { readonly othersOf: OthersOf; readonly givenUpStars: number },
  vocabulary: AspectVocabulary,
  topOf: (aspect: string) => string,
  random: Random,
): Taste {
  const opinions = reviews.flatMap((review) => {
    // A book given up counts as the average rating of books given up.
    const rating = review.rating ?? (review.status === "did-not-finish" ? givenUpStars : undefined);
    if (rating === undefined) return [];
    return [{ review, rating, others: othersOf(review) }];
  });
  const known = opinions.flatMap(({ others }) => others ?? []);
  const usual = known.length > 0 ? mean(known) : 0;
  const rated = opinions.map((one): Rated => ({ ...one, expected: one.others ?? usual }));
  // Sorted, so that the same books in another order, as in an export with repeats, get the same shuffles and the same intervals.
  rated.sort(
    (left, right) =>
      compareText(left.review.title ?? "", right.review.title ?? "") ||
      left.rating - right.rating ||
      left.expected - right.expected,
  );
  const labelled = (kind: TasteKind, labelsOf: (review: PastReview) => readonly string[]) =>
    [...new Set(rated.flatMap(({ review }) => labelsOf(review)))].map((name) => ({
      kind,
      name,
      pattern: null,
      isMember: ({ review }: Rated) => labelsOf(review).includes(name),
    }));
  const all = [
    ...labelled("genre", ({ genres }) => genres),
    ...labelled("mood", ({ moods }) => moods ?? []),
    ...labelled("pace", ({ pace }) => (pace === undefined ? [] : [pace])),
    ...labelled("shelf", ({ shelves }) => shelves ?? []),
    ...[...aspectPatterns(vocabulary, topOf)].map(([name, pattern]) => ({
      kind: "aspect" as const,
      name,
      pattern,
      isMember: ({ review }: Rated) => review.review !== undefined && pattern.test(review.review),
    })),
  ];
  const groups = all.flatMap(({ isMember, ...group }) => {
    const members = rated.filter(isMember);
    const isGroup = members.length >= LEAST_REVIEWS && members.length < rated.length;
    return isGroup ? [{ ...group, members, inside: rated.map(isMember) }] : [];
  });
  const found = groupDifferences(rated, groups, random);
  const entries = groups.flatMap(({ kind, name, pattern, members, inside }, at): TasteEntry[] => {
    const one = found[at];
    if (!one) return [];
    const { difference, interval } = one;
    const evidence = evidenceOf(members, difference, pattern);
    const [mean, elsewhere] = meansOf(rated, inside);
    const givenUp = members.filter(({ review }) => review.rating === undefined).length;
    return [{ kind, name, reviews: members.length, givenUp, difference, mean, elsewhere, interval, evidence }];
  });
  const notable = (sign: 1 | -1) =>
    entries
      .filter(({ difference }) => sign * difference >= NOTABLE)
      .sort((left, right) => sign * (right.difference - left.difference))
      .slice(0, SHOWN);
  return { compared: known.length, rewards: notable(1), punishes: notable(-1) };
}

function meansOf(rated: readonly Rated[], inside: readonly boolean[]): readonly [number, number] {
  const meanWhere = (isMember: boolean) =>
    mean(rated.filter((_, at) => inside[at] === isMember).map(({ rating }) => rating));
  return [meanWhere(true), meanWhere(false)];
}

/**
 * How much more or less a reader gives each group than the rest; null if chance explains it, for all groups together. What others
 * give is held constant by regression, because a reader who ignores it would seem to punish every genre that others love. The
 * residuals are shuffled among the books (Freedman and Lane, 1983), and a group must stand out more than the most extreme of all
 * groups does in 97 of 100 shuffles (Westfall and Young's single-step maximum).
 */
function groupDifferences(
  rated: readonly Rated[],
  groups: readonly { readonly inside: readonly boolean[] }[],
  random: Random,
): ({ difference: number; interval: [number, number] } | null)[] {
  const none = groups.map(() => null);
  if (groups.length === 0) return none;
  const others = centred(rated.map((one) => one.expected));
  const length = Math.sqrt(dot(others, others));
  const direction = length > 1e-9 ? others.map((value) => value / length) : null;
  const freedom = rated.length - (direction ? 3 : 2);
  const withoutOthers = (values: readonly number[]) => {
    const level = centred(values);
    if (!direction) return level;
    const share = dot(level, direction);
    return level.map((value, at) => value - share * direction[at]!);
  };
  const residuals = withoutOthers(rated.map(({ rating }) => rating));
  if (freedom < 1 || dot(residuals, residuals) < 1e-9) return none;
  const contrasts = groups.map(({ inside }) => {
    const contrast = withoutOthers(inside.map(Number));
    const squares = dot(contrast, contrast);
    const members = inside.flatMap((isMember, at) => (isMember ? [at] : []));
    return squares < 1e-9 ? null : { contrast, squares, members };
  });
  /** Correlations of the groups with values from which level and others were removed. */
  const correlations = (values: readonly number[]) => {
    const norm = Math.sqrt(dot(values, values));
    // The values are orthogonal to level and others, so the sum over the members is the product with the contrast.
    return contrasts.map((group) => {
      if (!group || norm === 0) return 0;
      let total = 0;
      for (const at of group.members) total += values[at]!;
      return total / (norm * Math.sqrt(group.squares));
    });
  };
  const observed = correlations(residuals);
  const furthest = Array.from({ length: PERMUTATIONS }, () =>
    Math.max(0, ...correlations(withoutOthers(shuffled(residuals, random))).map(Math.abs)),
  );
  const critical = Math.min(1, quantile(furthest, 1 - SIGNIFICANCE));
  const reach = critical * Math.sqrt(freedom / Math.max(1e-12, 1 - critical ** 2));
  return contrasts.map((group, at) => {
    if (!group) return null;
    const correlation = observed[at]!;
    const asFar = furthest.filter((other) => other >= Math.abs(correlation) - 1e-9).length;
    if ((1 + asFar) / (1 + PERMUTATIONS) > SIGNIFICANCE) return null;
    const difference = dot(group.contrast, residuals) / group.squares;
    const unexplained = (dot(residuals, residuals) * (1 - correlation ** 2)) / freedom;
    const half = reach * Math.sqrt(Math.max(ROUNDING_VARIANCE, unexplained) / group.squares);
    return Math.abs(difference) > half ? { difference, interval: [difference - half, difference + half] } : null;
  });
}

/** How a reader's level changed over time: the later half of the dated ratings minus the earlier half. */
export interface Drift {
  /** The date of the first rating of the later half. */
  readonly since: string;
  readonly difference: number;
  readonly interval: readonly [number, number];
}

const LEAST_DATED = 20;
/** 95 % of a normal distribution, which is precise enough with ten ratings or more on each side. */
const NORMAL_95 = 1.96;

/**
 * Null unless the two halves differ by more than chance explains. What others give is subtracted from each rating first; a book
 * for which that is unknown says nothing.
 */
export function levelDrift(
  reviews: readonly (PastReview & { readonly date?: string | undefined })[],
  othersOf: OthersOf,
): Drift | null {
  const dated = reviews
    .flatMap((review) => {
      const others = othersOf(review);
      if (review.rating === undefined || review.date === undefined || others === null) return [];
      return [{ date: review.date, surprise: review.rating - others }];
    })
    .sort((left, right) => left.date.localeCompare(right.date));
  if (dated.length < LEAST_DATED) return null;
  const middle = Math.floor(dated.length / 2);
  const [earlier, later] = [dated.slice(0, middle), dated.slice(middle)].map((half) => half.map((one) => one.surprise));
  const difference = mean(later!) - mean(earlier!);
  const half = NORMAL_95 * Math.sqrt(variance(later!) / later!.length + variance(earlier!) / earlier!.length);
  if (Math.abs(difference) <= half) return null;
  return { since: dated[middle]!.date, difference, interval: [difference - half, difference + half] };
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function centred(values: readonly number[]): number[] {
  const centre = mean(values);
  return values.map((value) => value - centre);
}

function surprise({ rating, expected }: Rated): number {
  return rating - expected;
}

function evidenceOf(members: readonly Rated[], difference: number, pattern: RegExp | null): TasteEvidence[] {
  const sign = Math.sign(difference);
  return [...members]
    .sort((left, right) => sign * (surprise(right) - surprise(left)))
    .slice(0, EVIDENCE_SHOWN)
    .map(({ review, others }) => ({
      title: review.title ?? "an untitled story",
      rating: review.rating ?? null,
      others,
      isAverage: review.average_rating !== undefined,
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

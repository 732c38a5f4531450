import { countOf } from "../../core/wording.ts";
import { isGivenName } from "../../prose/characters/name-words.ts";
import { sumBy } from "../../stats/distribution.ts";
import { type PersonalModel, type ReadStory, reviewTerms } from "./personal-model.ts";
import type { ProvenTaste } from "./proven-taste.ts";
import { hasContent, type PastReview, type Story } from "./story.ts";
import { STORY_BLOCKS, sharedGenres } from "./story-space.ts";
import { isWordUnit } from "./terms.ts";
import type { EarlierReview } from "./votes.ts";

export interface Moved {
  readonly review: PastReview;
  readonly past: EarlierReview;
  /** In stars. */
  readonly effect: number;
}

const REVIEWS_NAMED = 2;
const GENRES_NAMED = 2;
/** Smaller effects and smaller differences are not mentioned. */
const NOTABLE_PULL = 0.05;
const NOTABLE_DIFFERENCE = 0.3;

/**
 * One sentence about the reviews that point most strongly in one direction: the direction in which the rating differs from what
 * readers in general give, if it does and some review points there, otherwise that of the whole history. Null if nothing clearly
 * does.
 */
export function historyInWords(history: readonly Moved[], query: Story, difference: number): string | null {
  const all = sumBy(history, ({ effect }) => effect);
  if (Math.abs(all) < NOTABLE_PULL) return null;
  const differs = Math.abs(difference) >= NOTABLE_PULL && history.some(({ effect }) => effect * difference > 0);
  const pull = differs ? difference : all;
  const strongest = history
    .filter(({ effect }) => effect * pull > 0)
    .sort((left, right) => Math.abs(right.effect) - Math.abs(left.effect))
    .slice(0, REVIEWS_NAMED)
    .map((moved) => inWords(moved, query));
  const verb = strongest.length > 1 ? "point" : "points";
  const named = strongest.join(" and ");
  return `${named.charAt(0).toUpperCase()}${named.slice(1)} ${verb} ${pull > 0 ? "up" : "down"} most.`;
}

/** Ratings on other scales become stars with many decimals. */
export function starsInWords(rating: number): string {
  return String(Number(rating.toFixed(2)));
}

function inWords({ review, past }: Moved, query: Story): string {
  const given =
    review.rating === undefined
      ? review.review === undefined
        ? "giving up"
        : "the words for"
      : `${starsInWords(review.rating)} ${review.rating === 1 ? "star" : "stars"} for`;
  const title = review.title === undefined ? "an untitled story" : `“${review.title}”`;
  const difference = past.rating - past.expected;
  const shared = sharedGenres(review, query).slice(0, GENRES_NAMED);
  const remarks = [
    Math.abs(difference) >= NOTABLE_DIFFERENCE &&
      `${Math.abs(difference).toFixed(1)} ${difference > 0 ? "above" : "below"} ${past.average === null ? "what was expected" : "other readers"}`,
    shared.length > 0 && `${shared.join(", ")} like this one`,
  ].filter(Boolean);
  return `${given} ${title}${remarks.length > 0 ? ` (${remarks.join("; ")})` : ""}`;
}

/** One thing that moved the prediction, with its exact share in stars. */
export interface Reason {
  readonly about: "story" | "history";
  readonly title?: string;
  readonly effect: number;
  readonly text: string;
}

/** Smaller differences from what readers in general give are not mentioned. */
const NOTABLE = 0.1;
const WORDS_SHOWN = 3;
/** Words that occur in more than about one review in twelve are too common to name. */
const TELLING_RARITY = 3.5;

/** What readers in general are likely to give it is for the forecast to say: the predictor weighs a description in its own way. */
export function reasonFromStory(query: ReadStory, average: number | undefined, effect: number): Reason {
  const title = query.story.title;
  const base = { about: "story" as const, ...(title !== undefined && { title }), effect: roundedEffect(effect) };
  if (average !== undefined) return { ...base, text: `Readers in general give it ${average.toFixed(2)}.` };
  if (query.forecast === null) return { ...base, text: "Nothing is known about the story itself." };
  const isAbove = effect >= 0;
  return {
    ...base,
    text: `Judged by its description, it is likely to be liked ${isAbove ? "more" : "less"} than the usual story, mainly because of ${clearestBlock(query, isAbove)}.`,
  };
}

/**
 * What the reader's own ratings of these genres prove, which no single rating shows. A genre is named if its effect has the
 * direction of the whole. The whole may be negative for a genre that the reader loves, if the reader's level or likeness already
 * included more of it.
 */
export function reasonFromTaste({ effects }: ProvenTaste, { genres }: Story, effect: number): Reason {
  const pulling = genres
    .filter((genre) => (effects.get(genre.toLowerCase()) ?? 0) * effect > 0)
    .slice(0, GENRES_NAMED)
    .join(" and ");
  return {
    about: "history",
    effect: roundedEffect(effect),
    text:
      pulling === ""
        ? "What your own ratings prove about its genres, beyond your level and the likeness of stories."
        : `Your own ratings of ${pulling}, which pull this one ${effect > 0 ? "up" : "down"} further than chance explains.`,
  };
}

/** Each of a hundred reviews has a tiny effect: those with a visible one are named, the rest are counted together. */
const REASONS_NAMED = 5;
/** An effect that rounds to a hundredth of a star says nothing. */
const VISIBLE_EFFECT = 0.02;

export function reasonsFromHistory(model: PersonalModel, history: readonly Moved[], query: Story): Reason[] {
  if (history.length <= REASONS_NAMED + 1) return history.map((moved) => reasonFrom(model, moved, query));
  const ranked = [...history].sort((left, right) => Math.abs(right.effect) - Math.abs(left.effect));
  const visible = ranked.filter(({ effect }) => Math.abs(effect) >= VISIBLE_EFFECT).slice(0, REASONS_NAMED);
  const rest = ranked.slice(visible.length);
  const alike = rest.filter(({ review }) => sharedGenres(review, query).length > 0);
  const others = rest.filter(({ review }) => sharedGenres(review, query).length === 0);
  const other = visible.length > 0 ? "Other books" : "All books";
  return [
    ...visible.map((moved) => reasonFrom(model, moved, query)),
    ...(alike.length === 0 || others.length === 0
      ? [reasonFromAll(rest, `${other} of the history`)]
      : [
          reasonFromAll(alike, `${other} that share a genre with this one`),
          reasonFromAll(others, "Books of other genres"),
        ]),
  ];
}

function reasonFromAll(history: readonly Moved[], named: string): Reason {
  const difference = sumBy(history, ({ past }) => past.rating - past.expected) / history.length;
  const expected = history.every(({ past }) => past.average !== null)
    ? "what readers in general give"
    : "what was expected of them";
  const givenUp = history.filter(({ review }) => review.status === "did-not-finish").length;
  return {
    about: "history",
    effect: roundedEffect(sumBy(history, ({ effect }) => effect)),
    text: `${named}, ${countOf(history.length, "review")}${givenUp > 0 ? ` (${givenUp} given up)` : ""}: ${Math.abs(difference).toFixed(2)} stars ${difference >= 0 ? "above" : "below"} ${expected}, on average.`,
  };
}

function reasonFrom(model: PersonalModel, { review, past, effect }: Moved, query: Story): Reason {
  const clauses = [starsClause(review, past)];
  if (review.review) clauses.push(wordsClause(model, review, review.review, effect));
  clauses.push(likenessClause(model, review, past, query));
  return {
    about: "history",
    ...(review.title !== undefined && { title: review.title }),
    effect: roundedEffect(effect),
    text: `${clauses.filter(Boolean).join("; ")}.`,
  };
}

function starsClause(review: PastReview, past: EarlierReview): string {
  const given =
    review.rating !== undefined
      ? `Gave it ${starsInWords(review.rating)}`
      : review.review === undefined
        ? `Gave it up (readers who say so give ${past.rating.toFixed(1)} on average)`
        : `The words of the review read like ${past.rating.toFixed(1)} stars`;
  const difference = past.rating - past.expected;
  const expected =
    past.average !== null
      ? "what readers in general give it"
      : hasContent(review)
        ? "what its description leads one to expect"
        : "what a story usually gets";
  const comparison =
    Math.abs(difference) < NOTABLE
      ? `about ${expected}`
      : `${Math.abs(difference).toFixed(1)} ${difference > 0 ? "above" : "below"} ${expected}`;
  return `${given}, ${comparison}`;
}

/** The words of the review, without names, that weigh most for the direction in which it moved the prediction. */
function wordsClause(model: PersonalModel, story: Story, review: string, effect: number): string {
  const vector = model.reviews.vector(reviewTerms(review));
  const weightOf = new Map<number, number>();
  const { votes } = model.heads.forecast;
  for (let i = 0; i < vector.positions.length; i++) {
    const position = vector.positions[i]!;
    const pull = votes[1]! * model.reviewWeights[position * 2]! + votes[2]! * model.reviewWeights[position * 2 + 1]!;
    weightOf.set(position, pull * vector.values[i]!);
  }
  const direction = effect >= 0 ? 1 : -1;
  const ranked = [...new Set(singleWords(review))]
    .map((word) => ({ word, position: model.reviews.find(reviewTerms(word)[0]!) }))
    .map(({ word, position }) => ({
      word,
      pull: direction * (weightOf.get(position) ?? 0),
      rarity: model.reviews.table.rarity[position] ?? 0,
    }))
    .filter(({ pull, rarity }) => pull > 0 && rarity >= TELLING_RARITY)
    .sort((left, right) => right.pull - left.pull);
  const texts = [review, story.characters, story.plot_summary, story.premise, story.title].filter(isText);
  const telling: string[] = [];
  for (const { word } of ranked) {
    if (telling.length === WORDS_SHOWN) break;
    if (!isName(word, texts)) telling.push(`“${word}”`);
  }
  if (telling.length === 0) return "";
  return `its words (${telling.join(", ")}) are those of ${effect >= 0 ? "a generous" : "an exacting"} reader`;
}

function likenessClause(model: PersonalModel, review: PastReview, past: EarlierReview, query: Story): string {
  const shared = sharedGenres(review, query);
  const close = past.likeness !== null && past.likeness > model.centres.likeness * 1.5;
  if (shared.length > 0 && past.kinship !== null && past.kinship > model.centres.kinship)
    return `both are ${shared.slice(0, 3).join(", ")}, so it counts for more`;
  if (close) return "the two descriptions are alike, so it counts for more";
  if (review.genres.length > 0 && query.genres.length > 0 && shared.length === 0)
    return "the two share no genre, so it counts for less";
  return "";
}

/** Which part of the description pulls hardest in that direction; runs of letters pull too but have no name. */
function clearestBlock({ shares }: ReadStory, above: boolean): string {
  let clearest = { inWords: "its genres", pull: Number.NEGATIVE_INFINITY };
  shares.forEach((share, block) => {
    const inWords = block < STORY_BLOCKS.length ? STORY_BLOCKS[block]!.inWords : "its genres";
    const pull = above ? share : -share;
    if (inWords !== null && share !== 0 && pull > clearest.pull) clearest = { inWords, pull };
  });
  return clearest.inWords;
}

function singleWords(text: string): string[] {
  const lower = text.toLowerCase();
  const words: string[] = [];
  let start = -1;
  for (let i = 0; i <= lower.length; i++) {
    const inside = i < lower.length && isWordUnit(lower.charCodeAt(i));
    if (inside && start < 0) start = i;
    if (!inside && start >= 0) {
      if (i - start > 2) words.push(lower.slice(start, i));
      start = -1;
    }
  }
  return words;
}

function roundedEffect(effect: number): number {
  return Math.round(effect * 10_000) / 10_000;
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}

/**
 * Whether a word of a review is somebody's name: written with a capital inside a sentence and never in lower case, or opening
 * sentences only but known as a given name. Words in capitals (GREAT) are not names.
 */
function isName(word: string, texts: readonly string[]): boolean {
  const plain = word.replace(/['’]s$/, "");
  let capitals = 0;
  let inside = 0;
  for (const text of texts) {
    const lower = text.toLowerCase();
    for (let at = lower.indexOf(plain); at >= 0; at = lower.indexOf(plain, at + plain.length)) {
      if (!isWhole(lower, at, plain.length)) continue;
      const written = text.slice(at, at + plain.length);
      if (written === plain) return false;
      if (written === written.toUpperCase()) continue;
      capitals++;
      if (!opensSentence(text, at)) inside++;
    }
  }
  return inside > 0 || (capitals > 0 && isGivenName(plain));
}

function isWhole(lower: string, at: number, length: number): boolean {
  const before = at > 0 && isWordUnit(lower.charCodeAt(at - 1));
  const end = at + length;
  const after =
    end < lower.length && isWordUnit(lower.charCodeAt(end)) && !/^['’]s(?![\p{L}])/u.test(lower.slice(end, end + 3));
  return !before && !after;
}

function opensSentence(text: string, at: number): boolean {
  return /(?:^|[.!?…:;“"‘'(\n\-–—*])\s*$/.test(text.slice(Math.max(0, at - 4), at));
}

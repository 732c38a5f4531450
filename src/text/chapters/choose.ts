import { sumBy } from "../../stats/distribution.ts";
import type { ChapterRecognition, ConsideredStrategy } from "../book.ts";
import type { Contents } from "./contents.ts";
import { countingNumerals, largestGroup } from "./counting-numerals.ts";
import {
  headingsAround,
  isFormattedLike,
  isIntroduced,
  isLongTitle,
  isMinor,
  isSetApart,
  isSubstantial,
  SUBSTANTIAL_WORDS,
} from "./heading-layout.ts";
import { Headings, isCredit } from "./headings.ts";
import type { Candidate, Outline } from "./outline.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** The role of a candidate heading. */
export interface Choice {
  readonly candidate: Candidate;
  readonly role: "chapter" | "division" | "lead-in" | "paratext";
}

/** The headings of a book's chapters, and of the parts above them. */
interface Division {
  readonly chapters: readonly Candidate[];
  readonly parts: readonly Candidate[];
}

/** One way to recognise the chapters of a book. */
interface Strategy extends ChapterRecognition {
  /** The chapters; null if the book is not divided in this way. */
  find(headings: Headings): Division | null;
}

/** All strategies compete; of two that explain the book equally well, the earlier wins. */
const STRATEGIES: readonly Strategy[] = [
  {
    by: "numbered chapter headings",
    certainty: "certain",
    find(headings) {
      const { chapters, divisions } = headings;
      if (chapters.length < 2) return null;
      return { chapters: [...chapters, ...unnumberedSiblings(headings)], parts: divisions };
    },
  },
  {
    by: "the file's navigation",
    certainty: "certain",
    find(headings) {
      const listed = headings.withText.filter(
        (candidate) => isListedChapter(candidate) && !headings.isBookTitle(candidate),
      );
      if (listed.length < 3 || leavesGiant(listed, headings.outline)) return null;
      return inRanks(listed, headings);
    },
  },
  {
    by: "numbers that count",
    certainty: "likely",
    find(headings) {
      const { chapters, divisions, outline, stories } = headings;
      const counted = countingNumerals(headings.numerals);
      if (counted.length < 3) return null;
      // Where few of a collection's stories have numbered sections, the stories are its chapters.
      const share = sumBy(counted, ({ wordsAfter }) => wordsAfter) / outline.wordsBefore.at(-1)!;
      const titles = Math.max(headings.promised([], headings.isStory).length, stories.length);
      if (share <= LEAST_SHARE && titles >= counted.length) return null;
      const holders = titlesAboveOne(counted, headings.all);
      return {
        chapters: [...chapters, ...counted],
        parts: [...divisions, ...(holders.length >= 2 ? holders : [])],
      };
    },
  },
  {
    by: "titles in the table of contents",
    certainty: "likely",
    find(headings) {
      const promised = headings.promised([], headings.isStory);
      if (promised.length < 2) return null;
      return {
        chapters: [...headings.chapters, ...withSiblings(promised, headings.stories)],
        parts: headings.divisions,
      };
    },
  },
  {
    by: "parts",
    certainty: "likely",
    find(headings) {
      const divisions = headings.ofKind("division");
      if (divisions.length < 2 || headings.titledStories.length >= 2 * divisions.length) return null;
      return { chapters: [...headings.chapters, ...divisions], parts: [] };
    },
  },
  {
    by: "headings that the file marks",
    certainty: "likely",
    find(headings) {
      const { named, untitled, numerals } = headings;
      const marked = largestGroup(
        [...named, ...untitled, ...numerals].filter(
          (candidate) => candidate.level > 0 && !headings.isBookTitle(candidate),
        ),
        ({ level }) => level,
      );
      if (marked.length < 2 || leavesGiant(marked, headings.outline)) return null;
      return inRanks(marked, headings);
    },
  },
  {
    by: "titles in capitals",
    certainty: "guess",
    find({ chapters, named, untitled, divisions, outline }) {
      const capitals = titlesInCapitals([...chapters, ...named, ...untitled.filter(({ level }) => level === 0)]);
      if (capitals.length < 2 || leavesGiant(capitals, outline)) return null;
      return { chapters: capitals, parts: divisions };
    },
  },
  {
    by: "parts, although many other titles have text of their own",
    certainty: "guess",
    find(headings) {
      const divisions = headings.ofKind("division");
      return divisions.length < 2 ? null : { chapters: [...headings.chapters, ...divisions], parts: [] };
    },
  },
  {
    by: "a single chapter heading",
    certainty: "guess",
    find({ chapters, divisions }) {
      return chapters.length === 0 ? null : { chapters, parts: divisions };
    },
  },
];

/** The strategy that explains the book best by its headings. */
export interface Chosen {
  readonly choices: readonly Choice[];
  readonly recognised: ChapterRecognition;
  readonly score: number;
  /** Places that the file's navigation names and that are neither chapters nor parts by this strategy. */
  readonly unheededPlaces: readonly string[];
}

interface HeadingChoice {
  /** Null if no headings of the book are recognised. */
  readonly chosen: Chosen | null;
  /** Every strategy in the order of the list, with its evidence. */
  readonly considered: readonly ConsideredStrategy[];
}

/** Decides which candidates are headings of chapters. A strategy that a person chose (`wanted`) wins wherever it finds any. */
export function chooseHeadings(
  outline: Outline,
  contents: Contents,
  bookTitle: string | null,
  wanted?: string,
): HeadingChoice {
  const headings = new Headings(outline, contents, bookTitle);
  const listed = headings.withText.filter(
    (candidate) => isListedChapter(candidate) && !headings.isBookTitle(candidate),
  );
  let best: Omit<Chosen, "unheededPlaces"> | null = null;
  const considered: ConsideredStrategy[] = [];
  for (const [rank, { by, certainty, find }] of STRATEGIES.entries()) {
    const division = find(headings);
    if (division === null) {
      considered.push({ by, certainty, chapters: null });
      continue;
    }
    const choices = complete(division, headings);
    const evidence = evidenceOf(division.chapters, choices, headings, listed);
    const score = scoreOf({ by, certainty, ...evidence }, rank, wanted);
    considered.push({ by, certainty, ...evidence, score: rounded(score) });
    if (best === null || score > best.score) best = { choices, recognised: { by, certainty }, score };
  }
  if (best === null) return { chosen: null, considered };
  const { choices, recognised } = best;
  const used = new Set(listed.length === 0 ? [] : choices.map(({ candidate }) => candidate.at));
  const unheeded = listed.filter(({ at }) => !used.has(at) && !used.has(at - 1));
  // Morning, Evening, Morning, Evening: nobody would take them for chapters.
  const places = areLabels(unheeded) ? [] : unheeded.map(({ lines }) => joinTitle(lines));
  const chosen = { ...best, unheededPlaces: recognised.by === wanted ? [] : places };
  return { chosen, considered };
}

/** What a file says about its own chapters is believed before any headings. */
export const RANK_OF_DECLARED = -5;
/** Page breaks and dates come after all headings. */
export const RANK_OF_PAGES = STRATEGIES.length;
export const RANK_OF_DATES = RANK_OF_PAGES + 1;

/** How well a strategy explains the whole book. `rank` is its place in the list of all: the earlier wins a tie. */
export function scoreOf(strategy: ConsideredStrategy, rank: number, wanted: string | undefined): number {
  const chosen = strategy.by === wanted ? CHOSEN : 0;
  return PRIOR[strategy.certainty] - RANK_STEP * rank + weighed(strategy) + chosen;
}

export function rounded(score: number): number {
  return Math.round(score * 100) / 100;
}

/** Outweighs all evidence. */
const CHOSEN = 10;

/** How credible a strategy is before its evidence is counted. */
const PRIOR = { certain: 0.9, likely: 0.7, guess: 0.4 } as const;
const RANK_STEP = 0.02;

/** What the book would look like if this strategy were right. */
function evidenceOf(
  primary: readonly Candidate[],
  choices: readonly Choice[],
  { outline }: Headings,
  listed: readonly Candidate[],
): Omit<ConsideredStrategy, "by" | "certainty" | "score"> {
  const chapters = choices.filter(({ role }) => role === "chapter").map(({ candidate }) => candidate);
  const total = outline.wordsBefore.at(-1) || 1;
  const inOrder = primary.toSorted((one, other) => one.at - other.at);
  const names = new Set(listed.map(({ at }) => at));
  return {
    chapters: chapters.length,
    coverage: 1 - (chapters[0]?.wordsBefore ?? 0) / total,
    counting: countingShare(inOrder.map(({ recognition }) => recognition?.number ?? null)),
    ...(listed.length >= FEWEST_LISTED && {
      inNavigation: primary.filter(({ at }) => names.has(at)).length / Math.max(1, primary.length),
    }),
  };
}

/** The share of the headings whose numbers follow the previous one or start again; null if none has a number. */
export function countingShare(numbers: readonly (number | null)[]): number | null {
  const there = numbers.filter((number) => number !== null);
  const counting = there.filter((number, at) => number === 1 || number === (there[at - 1] ?? 0) + 1).length;
  return there.length === 0 ? null : counting / numbers.length;
}

/** A navigation with fewer places names the cover, the contents and the text. */
export const FEWEST_LISTED = 3;

/** Titles without numbers are better than numbers that jump, and worse than numbers that count. */
const UNCOUNTED = 0.8;

/**
 * The navigation has most weight: a series of numbers that it does not list is inside the chapters that it lists.
 * Headings that announce a chapter within one of the strategy's chapters have as much weight against it.
 */
function weighed({ coverage = 0, counting, inNavigation, unexplained = 0 }: ConsideredStrategy): number {
  return 0.1 * coverage + 0.05 * (counting ?? UNCOUNTED) + 0.25 * (inNavigation ?? 0) - 0.25 * unexplained;
}

/** Adds the book's other headings: paratext, lead-ins, a prologue, pieces before and after the chapters. */
function complete({ chapters, parts }: Division, headings: Headings): Choice[] {
  const { all, named, untitled, outline } = headings;
  const primary = [...chapters].sort((one, other) => one.at - other.at);
  const choices = new Map<number, Choice>();
  for (const candidate of all) {
    const kind = candidate.recognition?.kind;
    if (kind === "paratext") choices.set(candidate.at, { candidate, role: kind });
    if (kind === "lead-in")
      choices.set(candidate.at, { candidate, role: isStorytellersBook(primary) ? kind : "chapter" });
  }
  for (const candidate of parts) choices.set(candidate.at, { candidate, role: "division" });
  const isTitleAbove = isTitleAboveAll(primary);
  const around = headingsAround(
    untitled.filter(
      (candidate) => headings.wordsUnder(candidate, SUBSTANTIAL_WORDS) >= SUBSTANTIAL_WORDS && !isTitleAbove(candidate),
    ),
    primary,
    outline,
  );
  const framing = named.filter(isFormattedLike(primary));
  for (const candidate of [...framing, ...headings.promised(primary, isSubstantial), ...around, ...primary]) {
    if (!headings.isBookTitle(candidate)) choices.set(candidate.at, { candidate, role: "chapter" });
  }
  return [...choices.values()].sort((left, right) => left.candidate.at - right.candidate.at);
}

/** A heading of a higher rank than every chapter's, before the first and with hardly any text: the book's own title. */
function isTitleAboveAll(primary: readonly Candidate[]): (candidate: Candidate) => boolean {
  const first = primary[0]?.at ?? 0;
  const highest = primary.reduce((least, { level }) => Math.min(least, level), Number.POSITIVE_INFINITY);
  return ({ at, level, wordsAfter }) => level > 0 && at <= first && wordsAfter < SUBSTANTIAL_WORDS && highest > level;
}

/** In a storyteller's book (most chapters are called 回), a 楔子 opens the first chapter; in a book with 章 it is a prologue. */
function isStorytellersBook(primary: readonly Candidate[]): boolean {
  return primary.filter(({ recognition }) => /[回囘]$/u.test(recognition?.series ?? "")).length > primary.length / 2;
}

function isListedChapter({ isListed, recognition }: Candidate): boolean {
  return isListed && recognition?.kind !== "paratext" && recognition?.kind !== "division";
}

/** More words than any chapter has. */
const GIANT_WORDS = 30_000;

/** Whether a piece would be longer than any chapter: then the headings are only the book's title, or a preface and the rest. */
function leavesGiant(headings: readonly Candidate[], { blocks, wordsBefore }: Outline): boolean {
  const places = headings.map(({ at }) => at).sort((one, other) => one - other);
  return places.some((at, index) => wordsBefore[places[index + 1] ?? blocks.length]! - wordsBefore[at]! > GIANT_WORDS);
}

/** If the numerals cover a smaller part of the book than this, they are the sections of one story among others. */
const LEAST_SHARE = 0.4;
const MOST_WORDS_OF_MOTTO = 25;

/** Titles directly above a "I": the stories of a collection, or parts that have names only. */
function titlesAboveOne(counted: readonly Candidate[], all: readonly Candidate[]): Candidate[] {
  const before = new Map(all.map((candidate, index) => [candidate.at, all[index - 1]]));
  return counted.flatMap(({ at, recognition }) => {
    const title = recognition?.number === 1 ? before.get(at) : undefined;
    const isTitle = title && title.recognition === null && !isCredit(title);
    return isTitle && title.wordsAfter <= MOST_WORDS_OF_MOTTO ? [title] : [];
  });
}

/** Adds titles that the table of contents misspells: they look like those that it spells correctly. */
function withSiblings(promised: readonly Candidate[], stories: readonly Candidate[]): readonly Candidate[] {
  const level = largestGroup(promised, (candidate) => candidate.level)[0]?.level;
  const space = promised.reduce((least, candidate) => Math.min(least, candidate.space ?? 0), Number.POSITIVE_INFINITY);
  const first = promised[0]!.at;
  const last = promised.at(-1)!.at;
  const siblings = stories.filter(
    (candidate) =>
      candidate.at > first && candidate.at < last && candidate.level === level && (candidate.space ?? 0) >= space,
  );
  return [...new Set([...promised, ...siblings])].sort((one, other) => one.at - other.at);
}

/**
 * Decides which headings are the chapters where they have two ranks. Titles that recur below each upper heading (Morning,
 * Evening) name its sections; otherwise the lower headings are the chapters and the upper ones parts.
 */
function inRanks(found: readonly Candidate[], { chapters, divisions, all }: Headings): Division {
  const ranks = ranksOf(found, all);
  if (ranks === null) return { chapters: [...chapters, ...found], parts: divisions };
  if (areLabels(ranks.lower)) return { chapters: [...chapters, ...ranks.upper], parts: divisions };
  return { chapters: [...chapters, ...ranks.lower], parts: [...divisions, ...ranks.upper] };
}

/** Headings in two ranks: upper ones without text of their own, each with lower ones below. */
interface Ranks {
  readonly upper: readonly Candidate[];
  readonly lower: readonly Candidate[];
}

/** "# Fog" above "## Morning", or a navigation that lists a chapter and the scenes in it. Null where all have one rank. */
function ranksOf(headings: readonly Candidate[], all: readonly Candidate[]): Ranks | null {
  const chosen = new Set(headings.map(({ at }) => at));
  const upper = all.filter((candidate, index) => {
    const next = all[index + 1];
    if (candidate.recognition !== null || candidate.wordsAfter > 0 || !next || !chosen.has(next.at)) return false;
    if (candidate.level > 0 && next.level > 0 && candidate.level < next.level) return true;
    return candidate.isListed && next.isListed && chosen.has(candidate.at) && candidate.at < next.at;
  });
  if (upper.length < 2) return null;
  const holders = new Set(upper.map(({ at }) => at));
  return { upper, lower: headings.filter(({ at }) => !holders.has(at)) };
}

/** Whether the titles name sections rather than chapters: each comes twice on average, and one of them at least three times. */
function areLabels(headings: readonly Candidate[]): boolean {
  const keys = headings.map(({ lines }) => headingKey(joinTitle(lines)));
  return new Set(keys).size * 2 <= keys.length && largestGroup(keys, (key) => key).length >= 3;
}

/** Lines in capitals with text of their own. Where some have more space above than others, those are the titles. */
function titlesInCapitals(candidates: readonly Candidate[]): readonly Candidate[] {
  const substantial = candidates.filter(isSubstantial);
  const apart = substantial.filter(isSetApart);
  // The first title may be right below the book's own, with less space above it.
  const first = substantial.findLast(({ at }) => at < (apart[0]?.at ?? 0));
  const chosen = apart.length >= 2 ? [...(first ? [first] : []), ...apart] : substantial;
  // A line that comes again and again is a running head or the name of a picture, not a title.
  const times = new Map<string, number>();
  const keyOf = ({ lines }: Candidate) => headingKey(joinTitle(lines));
  for (const key of chosen.map(keyOf)) times.set(key, (times.get(key) ?? 0) + 1);
  // The same few names over and over, with space around them, are the people who tell the chapters.
  const areVoices = apart.length >= 2 && largestGroup(chosen, keyOf).length <= chosen.length * LARGEST_VOICE;
  return areVoices ? chosen : chosen.filter((candidate) => times.get(keyOf(candidate))! < 3);
}

/** The largest share of the chapters that one of several narrators may tell. */
const LARGEST_VOICE = 0.6;

/**
 * Headings without a number among the numbered ones, with the same format and text of their own: "From Anna's Diary"
 * between "Chapter One" and "Chapter Two" is a chapter too.
 */
function unnumberedSiblings({ chapters: numbered, untitled, isStory, outline }: Headings): Candidate[] {
  const isLike = numbered.some(({ level }) => level > 0) ? isMarkedLike(numbered) : isSpacedLike(numbered);
  const found: Candidate[] = [];
  let next = 0;
  for (const candidate of untitled) {
    while (next < numbered.length && numbered[next]!.at < candidate.at) next++;
    const label = numbered[next - 1];
    if (!label || !isLike(candidate) || !isStory(candidate)) continue;
    // A sign or a headline that somebody reads in the story.
    if (isLongTitle(candidate) || isIntroduced(outline.blocks, candidate.at)) continue;
    // A line closer to the label is the chapter's title, below a motto.
    if (candidate.wordsBefore - label.wordsBefore >= SUBSTANTIAL_WORDS) found.push(candidate);
  }
  return found;
}

/** Accepts headings at the level of the numbered ones, or those that the file's navigation lists together with all of these. */
function isMarkedLike(numbered: readonly Candidate[]): (candidate: Candidate) => boolean {
  const usual = largestGroup(numbered, ({ level }) => level);
  const level = usual.length > numbered.length * MOST ? usual[0]!.level : 0;
  const areListed = numbered.every(({ isListed }) => isListed);
  return (candidate) =>
    candidate.level > 0 && (candidate.level === level || (areListed && candidate.isListed && candidate.level <= level));
}

/** The share of the numbered headings that must have the same level. */
const MOST = 0.75;

/** A plain text shows likeness only by blank lines, which is enough only if the numbered headings are letters, days and the like. */
function isSpacedLike(numbered: readonly Candidate[]): (candidate: Candidate) => boolean {
  const least = numbered.slice(1).reduce((space, candidate) => Math.min(space, candidate.space ?? 0), Number.MAX_VALUE);
  const areApart = numbered.every(isMinor) && numbered.slice(1).every(isSetApart);
  return (candidate) => areApart && (candidate.space ?? 0) >= least;
}

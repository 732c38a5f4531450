import type { Recognition } from "../manuscript.ts";
import type { Contents } from "./contents.ts";
import { largestGroup, withThousands } from "./counting-numerals.ts";
import {
  distinctHeadings,
  isBareLabel,
  isChapterLabel,
  isMinor,
  isSetApart,
  isSubstantial,
  SUBSTANTIAL_WORDS,
  withProse,
} from "./heading-layout.ts";
import type { Candidate, Outline } from "./outline.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** In this first part of the book, a line that credits somebody belongs to the title page. */
const FRONT_SHARE = 0.03;
/** Headings that belong at the end of something. Before the first chapter, such a piece closes a preface and is part of it. */
const CLOSINGS = new Set(["postscript", "epilogue", "conclusion", "afterword", "finale", "coda", "sequel"]);

/** The lines of a book that may be headings, sorted by what they say. The strategies choose the chapters among them. */
export class Headings {
  readonly outline: Outline;
  readonly contents: Contents;
  /** All that are not part of a table of contents or of a list inside the story. */
  readonly all: readonly Candidate[];
  /** Those with text of their own, each once. */
  readonly withText: readonly Candidate[];
  /** "Chapter 4" and the like: the main numbered series. */
  readonly chapters: readonly Candidate[];
  /** "Part II", "Book One". */
  readonly divisions: readonly Candidate[];
  /** "Prologue", "Epilogue". */
  readonly named: readonly Candidate[];
  /** Titles without a number that are not the title of the label above them. */
  readonly untitled: readonly Candidate[];
  readonly #titleKey: string | null;
  readonly #titleStory: number | null;
  /** The place of each candidate among {@link all}. */
  readonly #order: ReadonlyMap<number, number>;
  /** The places of labels such as "CHAPTER IV", whose title is in the next block. */
  readonly #labels: ReadonlySet<number>;

  constructor(outline: Outline, contents: Contents, bookTitle: string | null) {
    this.outline = outline;
    this.contents = contents;
    this.#titleKey = bookTitle === null ? null : headingKey(bookTitle);
    this.all = withoutLists(withPromisedTitles(outline, contents).filter(({ at }) => !contents.holds(at)));
    this.withText = distinctHeadings(withProse(this.all));
    this.#titleStory = this.#findTitleStory();
    this.#order = new Map(this.all.map(({ at }, index) => [at, index]));
    this.#labels = new Set(this.all.filter(isBareLabel).map(({ at }) => at));
    this.chapters = continueCount(mainSeries(this.ofKind("chapter")), this.withText);
    this.divisions = withoutInnerActs(
      this.all.filter(({ recognition }) => recognition?.kind === "division"),
      this.chapters,
      outline,
    );
    this.named = this.#findNamed();
    this.untitled = this.#findUntitled();
  }

  ofKind(kind: Recognition["kind"]): readonly Candidate[] {
    return this.withText.filter(({ recognition }) => recognition?.kind === kind);
  }

  isBookTitle({ at, lines }: Candidate): boolean {
    return this.#titleKey !== null && at !== this.#titleStory && headingKey(joinTitle(lines)) === this.#titleKey;
  }

  /** A collection may be named after one of its stories: the one heading with the book's title and a text, after others. */
  #findTitleStory(): number | null {
    if (this.#titleKey === null) return null;
    const named = this.withText.filter(
      (candidate) => isSubstantial(candidate) && headingKey(joinTitle(candidate.lines)) === this.#titleKey,
    );
    const before = this.withText.filter((candidate) => candidate.at < (named[0]?.at ?? 0) && isSubstantial(candidate));
    return named.length === 1 && before.length > 0 ? named[0]!.at : null;
  }

  /** A heading with a story under it, or under the "I" of its first section. */
  readonly isStory = (candidate: Candidate): boolean => {
    if (isSubstantial(candidate)) return true;
    const below = this.all[this.#order.get(candidate.at)! + 1];
    return below?.recognition?.kind === "numeral" && below.recognition.number === 1 && isSubstantial(below);
  };

  /** The words under a heading together with those under its lower headings. Stops counting at `enough`. */
  wordsUnder(candidate: Candidate, enough: number): number {
    let words = candidate.wordsAfter;
    if (candidate.level === 0) return words;
    for (let at = this.#order.get(candidate.at)! + 1; words < enough && at < this.all.length; at++) {
      const below = this.all[at]!;
      if (below.recognition !== null || below.level <= candidate.level) break;
      words += below.wordsAfter;
    }
    return words;
  }

  /** Titles that are set apart from the text, each above a story. */
  get stories(): readonly Candidate[] {
    return this.untitled.filter((candidate) => isSetApart(candidate) && this.isStory(candidate));
  }

  /** Also counts bold lines, which set titles apart in a file without countable blank lines. */
  get titledStories(): readonly Candidate[] {
    return this.untitled.filter(
      (candidate) => (isSetApart(candidate) || candidate.space === null) && this.isStory(candidate),
    );
  }

  /** "IV", "4. The Lamp". */
  get numerals(): readonly Candidate[] {
    return withThousands(this.ofKind("numeral"), this.withText).filter(
      (candidate) => isBareLabel(candidate) || !this.#labels.has(candidate.at - 1),
    );
  }

  /** Entries of the table of contents without a chapter heading, each at the first matching place with text of its own. */
  promised(chapters: readonly Candidate[], isStory: (candidate: Candidate) => boolean): Candidate[] {
    const { titles, end } = this.contents;
    if (titles.size === 0) return [];
    const kept = new Set(
      chapters.flatMap(({ lines, recognition }) => [...lines, recognition?.rest ?? ""]).map(headingKey),
    );
    const numbers = new Set(chapters.map(({ recognition }) => recognition?.number));
    const found: Candidate[] = [];
    for (const candidate of this.untitled) {
      const key = headingKey(joinTitle(candidate.lines));
      const number = titles.get(key);
      if (candidate.at < end || number === undefined || kept.has(key) || !isStory(candidate)) continue;
      // The title of a chapter whose number is in the heading above it.
      if (number !== null && numbers.has(number)) continue;
      kept.add(key);
      found.push(candidate);
    }
    return found;
  }

  #findNamed(): readonly Candidate[] {
    const named = this.ofKind("named");
    if (named.length === 0) return named;
    const first = this.chapters[0]?.at ?? 0;
    const chapterLabels = new Set(this.all.filter(isChapterLabel).map(({ at }) => at));
    return named.filter(
      ({ at, recognition }) => !chapterLabels.has(at - 1) && (at > first || !CLOSINGS.has(recognition?.series ?? "")),
    );
  }

  #findUntitled(): readonly Candidate[] {
    const { blocks, wordsBefore } = this.outline;
    const front = FRONT_SHARE * wordsBefore[blocks.length]!;
    const isBelowLabel = ({ at }: Candidate) => this.#labels.has(at - 1);
    const divisionLabels = new Set(this.all.filter(isDivisionLabel).map(({ at }) => at));
    const levels = new Set(
      this.withText
        .filter((candidate) => candidate.recognition === null && candidate.level > 0 && !isBelowLabel(candidate))
        .map(({ level }) => level),
    );
    const bold = this.withText.filter(
      ({ recognition, level, space, ...rest }) =>
        recognition === null && level === 0 && space === null && rest.wordsAfter >= SUBSTANTIAL_WORDS,
    ).length;
    /** "## Rain" directly below "# Part One" is its first chapter if others of that level follow. */
    const isFirstOfSeveral = (candidate: Candidate) => {
      const above = blocks[candidate.at - 1];
      const isLower = above?.kind === "heading" && above.level > 0 && candidate.level > above.level;
      // A line that is only bold counts where the book has several such lines.
      const isBold = candidate.level === 0 && candidate.space === null && bold >= FEWEST_BOLD_TITLES;
      return (isLower || isBold) && isSubstantial(candidate) && (isBold || levels.has(candidate.level));
    };
    return this.withText.filter((candidate) => {
      if (candidate.recognition !== null) return false;
      if (wordsBefore[candidate.at]! < front && isCredit(candidate)) return false;
      if (!isBelowLabel(candidate)) return true;
      // A line directly below "CHAPTER IV" is that chapter's title; well below "PART II" it is a chapter of its own.
      const isApart = isSetApart({ ...candidate, level: 0 }) || isFirstOfSeveral(candidate);
      return divisionLabels.has(candidate.at - 1) && isApart;
    });
  }
}

/** If there are fewer lines in bold, they may be letters or signs inside the parts. */
const FEWEST_BOLD_TITLES = 4;

function isDivisionLabel(candidate: Candidate): boolean {
  return isBareLabel(candidate) && candidate.recognition?.kind === "division";
}

/** "By the author of …", "Illustrated by …": a line of the title page. */
export function isCredit({ lines }: Candidate): boolean {
  return /^\W*(?:by|illustrated by|translated by|edited by|with illustrations)\b/i.test(lines[0] ?? "");
}

const LONGEST_TITLE = 100;

/** Adds lines after the table of contents that repeat one of its entries. */
function withPromisedTitles(outline: Outline, contents: Contents): readonly Candidate[] {
  const { blocks, candidates, wordsBefore } = outline;
  if (contents.regions.length === 0) return candidates;
  const known = new Set(candidates.map(({ at }) => at));
  const found: Candidate[] = [...candidates];
  for (let at = contents.end; at < blocks.length; at++) {
    const block = blocks[at]!;
    if (block.kind !== "paragraph" || block.text.length > LONGEST_TITLE || known.has(at)) continue;
    if (!contents.titles.has(headingKey(block.text))) continue;
    found.push({
      at,
      lines: block.text.split("\n"),
      level: 0,
      recognition: null,
      wordsBefore: wordsBefore[at]!,
      wordsAfter: 0,
      space: null,
      isListed: false,
    });
  }
  if (found.length === candidates.length) return candidates;
  found.sort((left, right) => left.at - right.at);
  return found.map((candidate, index) => ({
    ...candidate,
    wordsAfter: wordsBefore[found[index + 1]?.at ?? blocks.length]! - wordsBefore[candidate.at + 1]!,
  }));
}

const SHORTEST_LIST = 3;
/** A point of a list has a line or two. */
const MOST_WORDS_OF_POINT = 30;

/** Leaves out what a character counts in the story: one, the lamp; two, the door; three, not a word. Chapters are longer. */
function withoutLists(candidates: readonly Candidate[]): readonly Candidate[] {
  const kept: Candidate[] = [];
  for (let from = 0; from < candidates.length; ) {
    let to = from + 1;
    while (to < candidates.length && isNextPoint(candidates[to - 1]!, candidates[to]!)) to++;
    if (to - from < SHORTEST_LIST) for (let at = from; at < to; at++) kept.push(candidates[at]!);
    from = to;
  }
  // If nothing else is numbered, these are the chapters, however short they are.
  const left = kept.filter(({ recognition }) => recognition?.number != null).length;
  return left >= SHORTEST_LIST ? kept : candidates;
}

function isNextPoint(one: Candidate, other: Candidate): boolean {
  if (!isPoint(one) || !isPoint(other)) return false;
  const isNext = other.recognition!.number === one.recognition!.number! + 1;
  return isNext && other.wordsBefore - one.wordsBefore <= MOST_WORDS_OF_POINT;
}

function isPoint({ recognition, level }: Candidate): boolean {
  return recognition?.kind === "numeral" && recognition.rest !== "" && level === 0;
}

/**
 * Leaves out acts inside a chapter. Parts contain chapters; two parts of a kind with text but no chapter between them (ACT I, ACT II)
 * belong to a play or a book that a character reads.
 */
function withoutInnerActs(
  divisions: readonly Candidate[],
  chapters: readonly Candidate[],
  outline: Outline,
): readonly Candidate[] {
  const last = chapters.at(-1)?.at ?? 0;
  let next = 0;
  const chaptersBefore = new Map(
    divisions.map((division) => {
      while (next < chapters.length && chapters[next]!.at < division.at) next++;
      return [division.at, next];
    }),
  );
  const isPair = (one: Candidate | undefined, other: Candidate | undefined) =>
    one !== undefined &&
    other !== undefined &&
    one.recognition?.series === other.recognition?.series &&
    chaptersBefore.get(one.at) === chaptersBefore.get(other.at) &&
    outline.wordsBefore[other.at]! - outline.wordsBefore[one.at]! >= FEWEST_WORDS_OF_ACT;
  /** An act with text directly below it, in a book of chapters. */
  const isAct = ({ at, recognition }: Candidate) => {
    const next = chapters[chaptersBefore.get(at)!];
    const words = next ? outline.wordsBefore[next.at]! - outline.wordsBefore[at]! : 0;
    return ACTS.has(recognition?.series ?? "") && words >= FEWEST_WORDS_OF_ACT;
  };
  return divisions.filter((division, index) => {
    const isInner = chaptersBefore.get(division.at)! > 0 && division.at < last;
    if (!isInner) return true;
    return !isPair(divisions[index - 1], division) && !isPair(division, divisions[index + 1]) && !isAct(division);
  });
}

const ACTS = new Set(["act", "akt", "aufzug", "acte", "acto", "ato", "atto", "действие"]);

const FEWEST_WORDS_OF_ACT = 60;

/**
 * The chapters among numbered headings. A book in chapters may contain letters or scenes with numbers of their own: they count as
 * chapters only before the first or after the last of the main series, as the letters in Frankenstein do.
 */
function mainSeries(chapters: readonly Candidate[]): readonly Candidate[] {
  const seriesOf = ({ recognition }: Candidate) => recognition?.series;
  const major = largestGroup(
    chapters.filter((chapter) => !isMinor(chapter)),
    seriesOf,
  );
  // Sections inside chapters outnumber the chapters; a book of letters may end with two chapters.
  const inside = chapters.filter((chapter) => isMinor(chapter) && chapter.at > (major[0]?.at ?? 0)).length;
  const minors = chapters.filter(isMinor).length;
  const main = major.length >= 2 && inside >= minors / 2 ? major : largestGroup(chapters, seriesOf);
  const first = main[0]?.at ?? 0;
  const last = main.at(-1)?.at ?? 0;
  const series = main[0]?.recognition?.series;
  const inner = new Set(chapters.filter(({ at }) => at > first && at < last).map(seriesOf));
  const isMainGlued = main.some(isGlued);
  return chapters.filter((chapter) => {
    const { at } = chapter;
    if (seriesOf(chapter) === series || at < first) return true;
    return at > last && !inner.has(seriesOf(chapter)) && (isMainGlued || !isGlued(chapter));
  });
}

/** 第一回见面时他笑了 is a sentence, not a heading, if the other headings have a space after the label. */
function isGlued({ lines, recognition }: Candidate): boolean {
  return (
    recognition !== null &&
    recognition.rest !== "" &&
    /^第[^\s　]{1,8}$/u.test(lines[0]!.slice(0, -recognition.rest.length))
  );
}

/**
 * Completes the main series. A book may change the form of its headings and continue counting: after "ADVENTURE VI."
 * comes "VII. THE BLUE CARBUNCLE". If the series skips numbers, ends early or does not begin at one, other headings
 * with the missing numbers belong to it.
 */
function continueCount(main: readonly Candidate[], others: readonly Candidate[]): readonly Candidate[] {
  if (main.length === 0) return main;
  const taken = new Set(main.map(({ at }) => at));
  const free = others.filter((candidate) => !taken.has(candidate.at) && isSubstantial(candidate));
  if (free.length === 0) return main;
  const found: Candidate[] = [];
  let next = 0;
  for (let position = -1; position < main.length; position++) {
    const before = main[position];
    const after = main[position + 1];
    const from = before?.at ?? -1;
    const to = after?.at ?? Number.POSITIVE_INFINITY;
    while (next < free.length && free[next]!.at <= from) next++;
    const first = (before?.recognition?.number ?? 0) + 1;
    const limit = after ? (after.recognition?.number ?? 0) : Number.POSITIVE_INFINITY;
    if (limit <= first) continue;
    const between: Candidate[] = [];
    while (next < free.length && free[next]!.at < to) between.push(free[next++]!);
    for (const candidate of missingOf(between, first, limit, after)) found.push(candidate);
  }
  return found.length === 0 ? main : [...main, ...found].sort((one, other) => one.at - other.at);
}

function missingOf(
  between: readonly Candidate[],
  first: number,
  limit: number,
  after: Candidate | undefined,
): readonly Candidate[] {
  const counted: Candidate[] = [];
  let expected = first;
  for (const candidate of between) {
    if (expected < limit && isNumbered(candidate) && candidate.recognition?.number === expected) {
      counted.push(candidate);
      expected++;
    }
  }
  if (counted.length > 0) return counted;
  // Headings that lost their numbers: formatted like the next numbered one, and exactly as many as are missing.
  const unnumbered = between.filter(
    (candidate) => candidate.recognition === null && isFormattedLikeHeading(candidate, after),
  );
  return after && unnumbered.length === limit - first ? unnumbered : [];
}

function isNumbered({ recognition }: Candidate): boolean {
  return recognition?.kind === "chapter" || recognition?.kind === "numeral";
}

function isFormattedLikeHeading(candidate: Candidate, other: Candidate | undefined): boolean {
  if (!other || candidate.level !== other.level) return false;
  return candidate.level > 0 || (candidate.space ?? 0) >= Math.max(2, other.space ?? 0);
}

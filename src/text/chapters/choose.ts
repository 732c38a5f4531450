import { sumBy } from "../../stats/distribution/sum-by.ts";
import { basisAround, isFormattedLike, isSetApart } from "./around.ts";
import type { Contents } from "./contents/contents.ts";
import {
  distinctHeadings,
  isBareLabel,
  isChapterLabel,
  isSubstantial,
  SUBSTANTIAL_WORDS,
  withProse,
} from "./headings-with-prose.ts";
import { withoutInnerActs } from "./inner-acts.ts";
import { largestGroup } from "./largest-group.ts";
import { areLabels, ranksOf } from "./nested-headings.ts";
import { continueCount } from "./numbers/continue-count.ts";
import { countingNumerals, withThousands } from "./numbers/counting-numerals.ts";
import { withoutLists } from "./numbers/inner-lists.ts";
import { mainSeries } from "./numbers/main-series.ts";
import { unnumberedSiblings } from "./numbers/unnumbered-siblings.ts";
import type { Candidate, Outline } from "./outline.ts";
import { withPromisedTitles } from "./promised-titles.ts";
import { headingKey, joinTitle } from "./titles.ts";
import { titlesInCapitals } from "./titles-in-capitals.ts";

/** What a candidate turned out to be. */
export interface Choice {
  readonly candidate: Candidate;
  readonly role: "chapter" | "division" | "lead-in" | "paratext";
}

/** How the chapters were known. */
export type Basis =
  | "chapter headings"
  | "numerals"
  | "navigation"
  | "parts"
  | "marked headings"
  | "titles from the contents"
  | "titles in capitals"
  | "none";

const FRONT_SHARE = 0.03;
/** Numerals under which less of the book stands are sections of one story among others. */
const LEAST_SHARE = 0.4;
/** What can only stand at an end; before the first chapter it ends a preface, and belongs to it. */
const CLOSINGS = new Set(["postscript", "epilogue", "conclusion", "afterword", "finale", "coda", "sequel"]);

/** Decides which candidates are chapters, by their fellows: words first, then numerals, then marks, then capitals. */
export function chooseHeadings(
  outline: Outline,
  contents: Contents,
  bookTitle: string | null,
): { choices: Choice[]; basis: Basis } {
  const titleKey = bookTitle === null ? null : headingKey(bookTitle);
  const isBookTitle = ({ lines }: Candidate) => titleKey !== null && headingKey(joinTitle(lines)) === titleKey;
  const outside = withoutLists(withPromisedTitles(outline, contents).filter(({ at }) => !contents.holds(at)));
  const prose = distinctHeadings(withProse(outside));
  const labels = new Set(outside.filter(isBareLabel).map(({ at }) => at));
  const divisionLabels = new Set(outside.filter(isDivisionLabel).map(({ at }) => at));
  // A line right under "CHAPTER IV" is that chapter's title, not a chapter of its own; far under "PART II" it is a chapter.
  const front = FRONT_SHARE * outline.wordsBefore[outline.blocks.length]!;
  const isFront = ({ at }: Candidate) => outline.wordsBefore[at]! < front;
  // "## Rain" right under "# Part One" is its first chapter where others of that rank follow.
  const ranks = new Map<number, number>();
  for (const candidate of prose) {
    if (candidate.recognition === null && candidate.level > 0 && !labels.has(candidate.at - 1))
      ranks.set(candidate.level, (ranks.get(candidate.level) ?? 0) + 1);
  }
  const isFirstOfSeveral = (candidate: Candidate) => {
    const above = outline.blocks[candidate.at - 1];
    const isLower = above?.kind === "heading" && above.level > 0 && candidate.level > above.level;
    return isLower && isSubstantial(candidate) && ranks.has(candidate.level);
  };
  const untitled = prose.filter(
    (candidate) =>
      candidate.recognition === null &&
      (!labels.has(candidate.at - 1) ||
        (divisionLabels.has(candidate.at - 1) &&
          (isSetApart({ ...candidate, level: 0 }) || isFirstOfSeveral(candidate)))) &&
      !(isFront(candidate) && isCredit(candidate)),
  );
  const ofKind = (kind: string) => prose.filter(({ recognition }) => recognition?.kind === kind);
  const chapters = continueCount(mainSeries(ofKind("chapter")), prose);
  const divisions = withoutInnerActs(
    outside.filter(({ recognition }) => recognition?.kind === "division"),
    chapters,
    outline,
  );
  const firstNumbered = chapters[0]?.at ?? 0;
  const chapterLabels = new Set(outside.filter(isChapterLabel).map(({ at }) => at));
  const named = ofKind("named").filter(
    ({ at, recognition }) =>
      !chapterLabels.has(at - 1) && (at > firstNumbered || !CLOSINGS.has(recognition?.series ?? "")),
  );
  const order = new Map(outside.map(({ at }, index) => [at, index]));
  const isStory = (candidate: Candidate) => isSubstantial(candidate) || hasSections(outside, order, candidate);
  const promised = promisedBy(contents, untitled, [], isStory);

  const choose = (chosen: readonly Candidate[], parts: readonly Candidate[], basis: Basis) => {
    const primary = [...chosen].sort((one, other) => one.at - other.at);
    const all = new Map<number, Choice>();
    for (const candidate of outside) {
      const kind = candidate.recognition?.kind;
      if (kind === "paratext") all.set(candidate.at, { candidate, role: kind });
      if (kind === "lead-in") all.set(candidate.at, { candidate, role: isTold(primary) ? kind : "chapter" });
    }
    for (const candidate of parts) all.set(candidate.at, { candidate, role: "division" });
    const isOver = overAll(primary);
    const around = basisAround(
      untitled.filter((candidate) => reach(outside, order, candidate) >= SUBSTANTIAL_WORDS && !isOver(candidate)),
      primary,
      outline,
    );
    const framing = named.filter(isFormattedLike(primary));
    for (const candidate of [
      ...framing,
      ...promisedBy(contents, untitled, primary, isSubstantial),
      ...around,
      ...primary,
    ]) {
      if (!isBookTitle(candidate)) all.set(candidate.at, { candidate, role: "chapter" });
    }
    return { choices: [...all.values()].sort((left, right) => left.candidate.at - right.candidate.at), basis };
  };

  if (chapters.length >= 2) {
    const siblings = unnumberedSiblings(chapters, untitled, isStory, outline);
    return choose([...chapters, ...siblings], divisions, "chapter headings");
  }
  const listed = prose.filter((candidate) => isListedChapter(candidate) && !isBookTitle(candidate));
  const ranked = (headings: readonly Candidate[], basis: Basis) => {
    const ranks = ranksOf(headings, outside);
    if (ranks === null) return choose([...chapters, ...headings], divisions, basis);
    if (areLabels(ranks.lower)) return choose([...chapters, ...ranks.upper], divisions, basis);
    return choose([...chapters, ...ranks.lower], [...divisions, ...ranks.upper], basis);
  };
  if (listed.length >= 3 && !leavesGiant(listed, outline)) return ranked(listed, "navigation");
  const numerals = withThousands(ofKind("numeral"), prose).filter(
    (candidate) => isBareLabel(candidate) || !labels.has(candidate.at - 1),
  );
  const counted = countingNumerals(numerals);
  const holders = holdersOf(counted, outside);
  // Where few of a collection's stories are in numbered sections, the stories are its chapters.
  const stories = untitled.filter((candidate) => isSetApart(candidate) && isStory(candidate));
  const share = sumBy(counted, ({ wordsAfter }) => wordsAfter) / outline.wordsBefore.at(-1)!;
  if (counted.length >= 3 && (share > LEAST_SHARE || Math.max(promised.length, stories.length) < counted.length)) {
    return choose([...chapters, ...counted], [...divisions, ...(holders.length >= 2 ? holders : [])], "numerals");
  }
  if (promised.length >= 2) {
    return choose([...chapters, ...withSiblings(promised, stories)], divisions, "titles from the contents");
  }
  const standingDivisions = ofKind("division");
  if (standingDivisions.length >= 2 && stories.length < 2 * standingDivisions.length) {
    return choose([...chapters, ...standingDivisions], [], "parts");
  }
  const marked = largestGroup(
    [...named, ...untitled, ...numerals].filter((candidate) => isMarked(candidate) && !isBookTitle(candidate)),
    ({ level }) => level,
  );
  if (marked.length >= 2 && !leavesGiant(marked, outline)) return ranked(marked, "marked headings");
  const capitals = titlesInCapitals([...chapters, ...named, ...untitled.filter(({ level }) => level === 0)]);
  if (capitals.length >= 2 && !leavesGiant(capitals, outline)) return choose(capitals, divisions, "titles in capitals");
  if (standingDivisions.length >= 2) return choose([...chapters, ...standingDivisions], [], "parts");
  return choose(chapters, divisions, chapters.length > 0 ? "chapter headings" : "none");
}

/** Titles without a number right above a "I": the stories of a collection, or parts that have names only. */
function holdersOf(counted: readonly Candidate[], outside: readonly Candidate[]): Candidate[] {
  const before = new Map(outside.map((candidate, index) => [candidate.at, outside[index - 1]]));
  return counted.flatMap(({ at, recognition }) => {
    const holder = recognition?.number === 1 ? before.get(at) : undefined;
    const isHolder = holder && holder.recognition === null && !isCredit(holder);
    return isHolder && holder.wordsAfter <= MOST_WORDS_OF_MOTTO ? [holder] : [];
  });
}

/** A title that the contents misspell is set like those they spell right. */
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

/** The words under a heading, those under its lower headings with them; `order` tells where each candidate stands. */
function reach(candidates: readonly Candidate[], order: ReadonlyMap<number, number>, candidate: Candidate): number {
  let words = candidate.wordsAfter;
  if (candidate.level === 0) return words;
  for (let at = order.get(candidate.at)! + 1; words < SUBSTANTIAL_WORDS && at < candidates.length; at++) {
    const below = candidates[at]!;
    if (below.recognition !== null || below.level <= candidate.level) break;
    words += below.wordsAfter;
  }
  return words;
}

/** A story's title right above the "I" of its first section. */
function hasSections(outside: readonly Candidate[], order: ReadonlyMap<number, number>, { at }: Candidate): boolean {
  const below = outside[order.get(at)! + 1];
  return below?.recognition?.kind === "numeral" && below.recognition.number === 1 && isSubstantial(below);
}

/** A heading of a higher rank than every chapter's, before the first and with hardly a text: the book's own title. */
function overAll(primary: readonly Candidate[]): (candidate: Candidate) => boolean {
  const first = primary[0]?.at ?? 0;
  const highest = primary.reduce((least, { level }) => Math.min(least, level), Number.POSITIVE_INFINITY);
  return ({ at, level, wordsAfter }) => level > 0 && at <= first && wordsAfter < SUBSTANTIAL_WORDS && highest > level;
}

/** A storyteller's book in 回: its 楔子 opens the first of them. In 章 it is a prologue. */
function isTold(primary: readonly Candidate[]): boolean {
  return primary.filter(({ recognition }) => /[回囘]$/u.test(recognition?.series ?? "")).length > primary.length / 2;
}

const MOST_WORDS_OF_MOTTO = 25;

function isDivisionLabel(candidate: Candidate): boolean {
  return isBareLabel(candidate) && candidate.recognition?.kind === "division";
}

function isListedChapter({ isListed, recognition }: Candidate): boolean {
  return isListed && recognition?.kind !== "paratext" && recognition?.kind !== "division";
}

/** "By the author of …", "Illustrated by …": a line of the title page. */
function isCredit({ lines }: Candidate): boolean {
  return /^\W*(?:by|illustrated by|translated by|edited by|with illustrations)\b/i.test(lines[0] ?? "");
}

function isMarked({ level }: Candidate): boolean {
  return level > 0;
}

/** A piece longer than any chapter: the headings are the book's title, or a preface and the rest, and divide nothing. */
function leavesGiant(headings: readonly Candidate[], { blocks, wordsBefore }: Outline): boolean {
  const places = headings.map(({ at }) => at).sort((one, other) => one - other);
  return places.some((at, index) => wordsBefore[places[index + 1] ?? blocks.length]! - wordsBefore[at]! > GIANT_WORDS);
}

const GIANT_WORDS = 30_000;

/** What the contents promise and no numbered heading has kept, each at its first place with a text of its own. */
function promisedBy(
  contents: Contents,
  untitled: readonly Candidate[],
  primary: readonly Candidate[],
  isStory: (candidate: Candidate) => boolean,
): Candidate[] {
  if (contents.titles.size === 0) return [];
  const kept = new Set(
    primary.flatMap(({ lines, recognition }) => [...lines, recognition?.rest ?? ""]).map(headingKey),
  );
  const numbers = new Set(primary.map(({ recognition }) => recognition?.number));
  const found: Candidate[] = [];
  for (const candidate of untitled) {
    const key = headingKey(joinTitle(candidate.lines));
    const number = contents.titles.get(key);
    if (candidate.at < contents.end || number === undefined || kept.has(key) || !isStory(candidate)) continue;
    // The title of a chapter whose number stands over it already.
    if (number !== null && numbers.has(number)) continue;
    kept.add(key);
    found.push(candidate);
  }
  return found;
}

import { median } from "../../stats/distribution.ts";
import type { Candidate, Outline } from "./outline.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** "CHAPTER IV" with nothing after it; its title, if it has one, is in the next block. */
export function isBareLabel({ recognition, lines }: Candidate): boolean {
  return recognition !== null && recognition.kind !== "paratext" && recognition.rest === "" && lines.length === 1;
}

export function isChapterLabel(candidate: Candidate): boolean {
  return isBareLabel(candidate) && candidate.recognition?.kind === "chapter";
}

/** Text shorter than this under a heading is a motto, a letter or a list. */
export const SUBSTANTIAL_WORDS = 150;

export function isSubstantial({ wordsAfter }: Candidate): boolean {
  return wordsAfter >= SUBSTANTIAL_WORDS;
}

/** Divisions that are sections where the book has chapters, and are the chapters where it has none. */
const MINOR_SERIES = new Set(["section", "scene", "letter", "day", "第…节", "第…節"]);

export function isMinor({ recognition }: Candidate): boolean {
  return recognition?.kind === "chapter" && MINOR_SERIES.has(recognition.series);
}

/** Headings with text of their own, despite any numerals and lines between them and the next of their level. */
export function withProse(candidates: readonly Candidate[]): Candidate[] {
  const kept: boolean[] = new Array(candidates.length).fill(false);
  // From the end, so that a run of a million labels without prose costs one pass: does prose come before the next heading,
  // and before the next heading or numeral?
  let beforeHeading = false;
  let beforeNumeral = false;
  for (let index = candidates.length - 1; index >= 0; index--) {
    const { recognition, wordsAfter } = candidates[index]!;
    const next = candidates[index + 1];
    const isTitled = next?.recognition?.kind === "named" && isChapterLabel(candidates[index]!);
    const isInner = recognition?.kind === "numeral" || isMinor(candidates[index]!);
    const reached = isTitled ? kept[index + 1]! : isInner ? beforeNumeral : beforeHeading;
    kept[index] = wordsAfter > 0 || reached;
    if (recognition === null) {
      beforeHeading ||= wordsAfter > 0;
      beforeNumeral ||= wordsAfter > 0;
    } else if (isInner) {
      // "1" may precede "I Go to Bristol", which looks like a numeral too.
      beforeHeading ||= wordsAfter > 0;
      beforeNumeral = wordsAfter > 0;
    } else {
      beforeHeading = false;
      beforeNumeral = false;
    }
  }
  return candidates.filter((_candidate, index) => kept[index]);
}

/**
 * Drops a heading that repeats the one before it: the same number and nothing new to say. If a chapter's text is between the two,
 * the number is a misprint and both stay; if that happens often, it is a running head.
 */
export function distinctHeadings(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  const lastOfKind = new Map<string | undefined, Candidate>();
  const apart: Candidate[] = [];
  for (const candidate of candidates) {
    const kind = candidate.recognition?.kind;
    const previous = lastOfKind.get(kind);
    if (previous && repeats(candidate, previous)) {
      if (candidate.wordsBefore - previous.wordsBefore >= SUBSTANTIAL_WORDS) apart.push(candidate);
      continue;
    }
    kept.push(candidate);
    lastOfKind.set(kind, candidate);
  }
  if (apart.length === 0 || apart.length > kept.length * MOST_REPEATED) return kept;
  return [...kept, ...apart].sort((one, other) => one.at - other.at);
}

/** The share of a file's headings that may have a wrong number or be duplicated. */
const MOST_REPEATED = 0.34;

function repeats({ recognition, lines }: Candidate, previous: Candidate): boolean {
  if (recognition?.number == null || recognition.kind === "numeral") return false;
  if (recognition.series !== previous.recognition?.series || recognition.number !== previous.recognition.number)
    return false;
  const title = compact(lines);
  return compact(previous.lines).includes(title) || title === compact([recognition.rest]);
}

function compact(lines: readonly string[]): string {
  return headingKey(joinTitle(lines)).replaceAll(" ", "");
}

/** Blank lines above a title; letters, notes and signs inside a chapter have one or two. */
const TITLE_SPACE = 3;

/** Longer lines are headlines that somebody reads in the story. */
const LONGEST_TITLE = 80;

export function isLongTitle({ lines }: Candidate): boolean {
  return lines.join(" ").length > LONGEST_TITLE;
}

export function isSetApart({ level, space }: Candidate): boolean {
  return level > 0 || (space ?? 0) >= TITLE_SPACE;
}

/** Between the first and the last chapter, "Entr'acte" is a heading only if it is formatted like the chapter headings. */
export function isFormattedLike(primary: readonly Candidate[]): (candidate: Candidate) => boolean {
  const first = primary[0]?.at ?? 0;
  const last = primary.at(-1)?.at ?? 0;
  const isMarked = primary.filter(({ level }) => level > 0).length > primary.length / 2;
  const spaces = primary.map(({ space }) => space ?? 0).sort((one, other) => one - other);
  const space = Math.min(TITLE_SPACE, spaces[spaces.length >> 1] ?? 0);
  return (candidate) => {
    if (candidate.at < first || candidate.at > last) return true;
    return isMarked ? candidate.level > 0 : candidate.level > 0 || (candidate.space ?? 0) >= space;
  };
}

/**
 * The headings before the first and after the last chapter that begin a piece of their own. They must look like a chapter
 * heading: the last chapter may contain a diary with a heading, and a letter may be signed in capitals.
 */
export function headingsAround(
  untitled: readonly Candidate[],
  primary: readonly Candidate[],
  { blocks, wordsBefore }: Outline,
): Candidate[] {
  const first = primary[0]?.at ?? 0;
  const last = primary.at(-1)?.at ?? 0;
  const level = primary.reduce((highest, candidate) => Math.max(highest, candidate.level), 0);
  const spaces = primary.map(({ space }) => space ?? 0).sort((one, other) => one - other);
  const space = Math.max(TITLE_SPACE, spaces[spaces.length >> 1] ?? 0);
  const set = untitled.filter((candidate) => {
    if (isLongTitle(candidate)) return false;
    if (candidate.level > 0) return level === 0 || candidate.level <= level;
    return (candidate.space ?? 0) >= space;
  });
  // If chapters contain such headings, those after the last chapter heading belong to the last chapter.
  const inside = set.filter(({ at }) => at > first && at < last).length;
  // The last chapter has at least part of a chapter's length before another piece begins.
  const least = SHORTEST_LAST * medianLength(primary);
  const isAfterLast = ({ at }: Candidate) =>
    wordsBefore[at]! - wordsBefore[last]! >= least && !isIntroduced(blocks, at);
  return set.filter((candidate) => {
    const { at, level: rank } = candidate;
    return at < first || (at > last && inside < 2 && (rank > 0 || isAfterLast(candidate)));
  });
}

/** "He unfolded the paper and read:" over a headline. */
export function isIntroduced(blocks: Outline["blocks"], at: number): boolean {
  const above = blocks[at - 1];
  return above?.kind === "paragraph" && /[:：,，]["”’']?$/u.test(above.text);
}

/** The shortest last chapter, as a share of a usual chapter's length. */
const SHORTEST_LAST = 0.3;

function medianLength(primary: readonly Candidate[]): number {
  const lengths = primary.slice(1).map(({ wordsBefore }, at) => wordsBefore - primary[at]!.wordsBefore);
  return lengths.length === 0 ? 0 : median(lengths);
}

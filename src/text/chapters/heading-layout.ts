import { median } from "../../stats/distribution.ts";
import type { Candidate, Outline } from "./outline.ts";

/** Blank lines above a title; letters, notes and signs inside a chapter have one or two. */
const TITLE_SPACE = 3;

/** Longer ones are headlines in a newspaper that somebody reads. */
const LONGEST_TITLE = 80;

export function isLongTitle({ lines }: Candidate): boolean {
  return lines.join(" ").length > LONGEST_TITLE;
}

export function isSetApart({ level, space }: Candidate): boolean {
  return level > 0 || (space ?? 0) >= TITLE_SPACE;
}

/** Between the first and the last chapter, a line that says "Entr'acte" is a heading only where it is set like the chapter headings. */
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
 * The headings before the first and after the last chapter that begin a piece of their own. They must be set like a chapter heading:
 * the last chapter may contain a diary with a heading, and a letter may be signed in capitals.
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

/** How long the last chapter is at least, as a part of an ordinary one. */
const SHORTEST_LAST = 0.3;

function medianLength(primary: readonly Candidate[]): number {
  const lengths = primary.slice(1).map(({ wordsBefore }, at) => wordsBefore - primary[at]!.wordsBefore);
  return lengths.length === 0 ? 0 : median(lengths);
}

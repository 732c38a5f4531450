import { isIntroduced, isLongTitle, isSetApart } from "../around.ts";
import { isMinor, SUBSTANTIAL_WORDS } from "../headings-with-prose.ts";
import { largestGroup } from "../largest-group.ts";
import type { Candidate, Outline } from "../outline.ts";

/**
 * Headings without a number among the numbered ones, set as they are and each over a text of its own: "From Anna's Diary"
 * between "Chapter One" and "Chapter Two" is a chapter too.
 */
export function unnumberedSiblings(
  numbered: readonly Candidate[],
  untitled: readonly Candidate[],
  isStory: (candidate: Candidate) => boolean,
  { blocks }: Outline,
): Candidate[] {
  const isLike = numbered.some(({ level }) => level > 0) ? isMarkedLike(numbered) : isSpacedLike(numbered);
  const found: Candidate[] = [];
  let next = 0;
  for (const candidate of untitled) {
    while (next < numbered.length && numbered[next]!.at < candidate.at) next++;
    const label = numbered[next - 1];
    if (!label || !isLike(candidate) || !isStory(candidate)) continue;
    // A sign or a headline that somebody reads.
    if (isLongTitle(candidate) || isIntroduced(blocks, candidate.at)) continue;
    // Under a label and its motto stands the chapter's title.
    if (candidate.wordsBefore - label.wordsBefore >= SUBSTANTIAL_WORDS) found.push(candidate);
  }
  return found;
}

/** The file gives it the level of the numbered headings, or its navigation names it along with all of them. */
function isMarkedLike(numbered: readonly Candidate[]): (candidate: Candidate) => boolean {
  const usual = largestGroup(numbered, ({ level }) => level);
  const level = usual.length > numbered.length * MOST ? usual[0]!.level : 0;
  const areListed = numbered.every(({ isListed }) => isListed);
  return (candidate) =>
    candidate.level > 0 && (candidate.level === level || (areListed && candidate.isListed && candidate.level <= level));
}

const MOST = 0.75;

/** A plain text has space alone: it tells only where the numbers are those of letters and days, which stand among others. */
function isSpacedLike(numbered: readonly Candidate[]): (candidate: Candidate) => boolean {
  const least = numbered.slice(1).reduce((space, candidate) => Math.min(space, candidate.space ?? 0), Number.MAX_VALUE);
  const areApart = numbered.every(isMinor) && numbered.slice(1).every(isSetApart);
  return (candidate) => areApart && (candidate.space ?? 0) >= least;
}

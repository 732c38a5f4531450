import { largestGroup } from "./largest-group.ts";
import type { Candidate } from "./outline.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** Headings in two ranks: those over others, with no text of their own, and those below them. */
export interface Ranks {
  readonly upper: readonly Candidate[];
  readonly lower: readonly Candidate[];
}

/**
 * "# Fog" over "## Morning", or a navigation that names a chapter and the scenes in it: which of the two are the chapters?
 * Names that come again under each heading (Morning, Evening) label its sections; names of their own are the chapters, and what
 * stands over them is a part. Null where nothing stands over anything.
 */
export function ranksOf(headings: readonly Candidate[], outside: readonly Candidate[]): Ranks | null {
  const chosen = new Set(headings.map(({ at }) => at));
  const upper = outside.filter((candidate, index) => {
    const next = outside[index + 1];
    if (candidate.recognition !== null || candidate.wordsAfter > 0 || !next || !chosen.has(next.at)) return false;
    if (candidate.level > 0 && next.level > 0 && candidate.level < next.level) return true;
    return candidate.isListed && next.isListed && chosen.has(candidate.at) && candidate.at < next.at;
  });
  if (upper.length < 2) return null;
  const holders = new Set(upper.map(({ at }) => at));
  return { upper, lower: headings.filter(({ at }) => !holders.has(at)) };
}

/** Whether the names are those of sections: half of them or more come again. */
export function areLabels(headings: readonly Candidate[]): boolean {
  const keys = headings.map(({ lines }) => headingKey(joinTitle(lines)));
  return new Set(keys).size * 2 <= keys.length && largestGroup(keys, (key) => key).length >= 3;
}

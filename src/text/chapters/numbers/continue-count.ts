import { isSubstantial } from "../headings-with-prose.ts";
import type { Candidate } from "../outline.ts";

/**
 * A book may change how it heads its chapters and go on counting: after "ADVENTURE VI." comes "VII. THE BLUE CARBUNCLE". Where
 * the main series jumps, ends or does not begin at one, other headings that have just the missing numbers belong to it.
 */
export function continueCount(main: readonly Candidate[], others: readonly Candidate[]): readonly Candidate[] {
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
  // A heading that lost its number, set like the next one: exactly as many as the count lacks.
  const unnumbered = between.filter((candidate) => candidate.recognition === null && isSetLike(candidate, after));
  return after && unnumbered.length === limit - first ? unnumbered : [];
}

function isNumbered({ recognition }: Candidate): boolean {
  return recognition?.kind === "chapter" || recognition?.kind === "numeral";
}

function isSetLike(candidate: Candidate, other: Candidate | undefined): boolean {
  if (!other || candidate.level !== other.level) return false;
  return candidate.level > 0 || (candidate.space ?? 0) >= Math.max(2, other.space ?? 0);
}

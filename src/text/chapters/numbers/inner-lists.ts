import type { Candidate } from "../outline.ts";

const SHORTEST_LIST = 3;
/** Between two points of a list stand a line or two. */
const MOST_WORDS_OF_POINT = 30;

/** Leaves out what somebody counts in the story: one, the lamp; two, the door; three, not a word. Chapters are longer. */
export function withoutLists(candidates: readonly Candidate[]): readonly Candidate[] {
  const kept: Candidate[] = [];
  for (let from = 0; from < candidates.length; ) {
    let to = from + 1;
    while (to < candidates.length && isNextPoint(candidates[to - 1]!, candidates[to]!)) to++;
    if (to - from < SHORTEST_LIST) kept.push(...candidates.slice(from, to));
    from = to;
  }
  // Where nothing else counts, they are the chapters, however short.
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

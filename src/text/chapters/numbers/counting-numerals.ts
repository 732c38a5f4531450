import { largestGroup } from "../largest-group.ts";
import type { Candidate } from "../outline.ts";

/** Numerals that a song may have; further on, the old count is not looked for. */
const LONGEST_SONG = 300;

/** How many numbers in a row a file may lack. */
const LARGEST_GAP = 3;

/** Bare numbers are chapters only where they count: most follow their predecessor, or begin again at one. */
export function countingNumerals(candidates: readonly Candidate[]): readonly Candidate[] {
  const numerals = withoutYears(candidates);
  // Where some numbers have titles and others not, the titled ones are the chapters and the bare ones their sections.
  const titled = numerals.filter(({ recognition, lines }) => recognition?.rest !== "" || lines.length > 1);
  if (titled.length < numerals.length && titled.length >= 3) {
    const counted = inSequence(titled);
    if (counted.length === titled.length) return counted;
  }
  return inSequence(numerals);
}

/** A number above a thousand is a year, unless the file counts up to it. */
function withoutYears(candidates: readonly Candidate[]): readonly Candidate[] {
  const numberOf = ({ recognition }: Candidate) => recognition?.number ?? 0;
  const isCounted = candidates.some((candidate) => numberOf(candidate) >= 990 && numberOf(candidate) < 1000);
  return isCounted ? candidates : candidates.filter((candidate) => numberOf(candidate) < 1000);
}

/** The largest series that counts: dated entries may outnumber the chapters they stand in. */
function inSequence(numerals: readonly Candidate[]): readonly Candidate[] {
  let left = numerals;
  while (left.length > 0) {
    const largest = largestGroup(left, ({ recognition }) => recognition?.series);
    const counted = countedIn(largest);
    if (counted.length > 0) return counted;
    const series = largest[0]?.recognition?.series;
    left = left.filter(({ recognition }) => recognition?.series !== series);
  }
  return [];
}

function countedIn(largest: readonly Candidate[]): readonly Candidate[] {
  let expected = 1;
  const counted: Candidate[] = [];
  for (let at = 0; at < largest.length; at++) {
    const candidate = largest[at]!;
    const number = candidate.recognition?.number ?? 0;
    const isRestart = number === 1 && expected !== 2;
    const resumed = isRestart && expected > 1 ? resumesAt(largest, at, expected) : null;
    if (resumed !== null) {
      at = resumed - 1;
      continue;
    }
    // A count that begins again goes on to two.
    if (isRestart && expected > 1 && largest[at + 1]?.recognition?.number !== 2) continue;
    // VI for IV: the next number says what this one should be.
    const isMisprint = !isRestart && number !== expected && largest[at + 1]?.recognition?.number === expected + 1;
    if (!isRestart && !isMisprint && (number < expected || number > expected + LARGEST_GAP)) continue;
    counted.push(candidate);
    expected = isMisprint ? expected + 1 : number + 1;
  }
  // "I." may also be somebody speaking, in a dialogue set like a play: many ones are no sign against the count.
  const others = largest.filter(({ recognition }) => recognition?.number !== 1).length;
  const beyondFirst = counted.filter(({ recognition }) => recognition?.number !== 1).length;
  return beyondFirst >= Math.max(1, others * 0.6) ? counted : [];
}

/**
 * A count that begins again is a new part, or the stanzas of a song that somebody sings. After a song the old count goes
 * on, at a number that the song has not reached by itself: gives where, or null for a new part.
 */
function resumesAt(numerals: readonly Candidate[], restart: number, expected: number): number | null {
  let reached = 1;
  for (let at = restart; at < Math.min(numerals.length, restart + LONGEST_SONG); at++) {
    const number = numerals[at]!.recognition?.number ?? 0;
    if (number === expected && reached !== expected) return at;
    if (number === reached) reached++;
    else if (number === 1) reached = 2;
  }
  return null;
}

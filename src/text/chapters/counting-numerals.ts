import { groupBy } from "../../core/group-by.ts";
import { sumBy } from "../../stats/distribution.ts";
import type { Candidate } from "./outline.ts";

/** The most numerals that a song may have; beyond them the earlier count is not looked for. */
const LONGEST_SONG = 300;

/** How many numbers in a row a file may lack. */
const LARGEST_GAP = 3;

/** Bare numbers are chapters only if they are consecutive: most follow their predecessor, or start again at one. */
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

/** Four digits alone are read as a year; if the file counts up to a thousand, its marked headings continue that count. */
export function withThousands(numerals: readonly Candidate[], all: readonly Candidate[]): readonly Candidate[] {
  if (!countsToThousand(numerals)) return numerals;
  const thousands = all.flatMap((candidate): Candidate[] => {
    const digits =
      candidate.recognition === null && candidate.level > 0 ? /^\d{4}$/.exec(candidate.lines[0] ?? "") : null;
    if (digits === null) return [];
    return [{ ...candidate, recognition: { kind: "numeral", series: "arabic", number: Number(digits[0]), rest: "" } }];
  });
  return [...numerals, ...thousands].sort((one, other) => one.at - other.at);
}

/** A number above a thousand is a year, unless the file counts up to it. */
function withoutYears(candidates: readonly Candidate[]): readonly Candidate[] {
  return countsToThousand(candidates) ? candidates : candidates.filter((candidate) => numberOf(candidate) < 1000);
}

function countsToThousand(candidates: readonly Candidate[]): boolean {
  return candidates.some((candidate) => numberOf(candidate) >= 990 && numberOf(candidate) < 1000);
}

function numberOf({ recognition }: Candidate): number {
  return recognition?.number ?? 0;
}

/**
 * Finds the chapters among several series of numerals: the largest series that is consecutive, or another one if the largest only
 * numbers the sections of its chapters. Dated entries and sections may outnumber the chapters that contain them.
 */
function inSequence(numerals: readonly Candidate[]): readonly Candidate[] {
  let left = numerals;
  let inner: readonly Candidate[] = [];
  while (left.length > 0) {
    const largest = largestGroup(left, ({ recognition }) => recognition?.series);
    const counted = countedIn(largest);
    if (inner.length > 0 && areSections(inner, counted)) return counted;
    if (inner.length === 0) inner = counted;
    const series = largest[0]?.recognition?.series;
    left = left.filter(({ recognition }) => recognition?.series !== series);
  }
  return inner;
}

/** Pieces longer than this are not sections but chapters, and what contains them are parts. */
const LONGEST_SECTION = 1500;
/** The share of the chapters that must have sections. */
const LEAST_OPENED = 0.6;

/** 1, 2, 3 under I, and again under II: short pieces that begin at one under each heading of an unbroken count. */
function areSections(inner: readonly Candidate[], outer: readonly Candidate[]): boolean {
  if (outer.length < 2 || outer.some((candidate, at) => numberOf(candidate) !== at + 1)) return false;
  const starts = inner.filter((candidate) => numberOf(candidate) === 1);
  let next = 0;
  let opened = 0;
  for (const [at, heading] of outer.entries()) {
    const end = outer[at + 1]?.at ?? Number.POSITIVE_INFINITY;
    let count = 0;
    for (; next < starts.length && starts[next]!.at < end; next++) if (starts[next]!.at > heading.at) count++;
    if (count === 1) opened++;
  }
  if (opened < outer.length * LEAST_OPENED) return false;
  return sumBy(inner, ({ wordsAfter }) => wordsAfter) / inner.length < LONGEST_SECTION;
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
    // A count that starts again continues with two.
    if (isRestart && expected > 1 && largest[at + 1]?.recognition?.number !== 2) continue;
    // VI for IV: the next number says what this one should be.
    const isMisprint = !isRestart && number !== expected && largest[at + 1]?.recognition?.number === expected + 1;
    if (!isRestart && !isMisprint && (number < expected || number > expected + LARGEST_GAP)) continue;
    counted.push(candidate);
    expected = isMisprint ? expected + 1 : number + 1;
  }
  // "I." may also be a speaker in dialogue formatted like a play, so many ones are no evidence against the count.
  const others = largest.filter(({ recognition }) => recognition?.number !== 1).length;
  const beyondFirst = counted.filter(({ recognition }) => recognition?.number !== 1).length;
  return beyondFirst >= Math.max(1, others * 0.6) ? counted : [];
}

const LONGEST_STANZA = 60;

/** Stanzas have a few lines each, chapters pages. The last one is followed by the story. */
function isSong(stanzas: readonly Candidate[]): boolean {
  const steps = stanzas.length - 1;
  return steps > 0 && (stanzas[steps]!.wordsBefore - stanzas[0]!.wordsBefore) / steps < LONGEST_STANZA;
}

/**
 * A count that starts again is a new part, or the stanzas of a song. After a song the earlier count continues at a number that
 * the song has not reached: returns where, or null for a new part.
 */
function resumesAt(numerals: readonly Candidate[], restart: number, expected: number): number | null {
  let reached = 1;
  for (let at = restart; at < Math.min(numerals.length, restart + LONGEST_SONG); at++) {
    const number = numerals[at]!.recognition?.number ?? 0;
    if (number === expected && (reached !== expected || isSong(numerals.slice(restart, at)))) return at;
    if (number === reached) reached++;
    else if (number === 1) reached = 2;
  }
  return null;
}

/** The candidates that share the most frequent key. */
export function largestGroup<Item, Key>(items: readonly Item[], keyOf: (item: Item) => Key): readonly Item[] {
  const groups = [...groupBy(items, keyOf).values()];
  return groups.reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

import type { Candidate } from "./outline.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** "CHAPTER IV" with nothing after it: its title, if it has one, stands in the next block. */
export function isBareLabel({ recognition, lines }: Candidate): boolean {
  return recognition !== null && recognition.kind !== "paratext" && recognition.rest === "" && lines.length === 1;
}

export function isChapterLabel(candidate: Candidate): boolean {
  return isBareLabel(candidate) && candidate.recognition?.kind === "chapter";
}

/** Less under a heading is a motto, a letter or a list. */
export const SUBSTANTIAL_WORDS = 150;

export function isSubstantial({ wordsAfter }: Candidate): boolean {
  return wordsAfter >= SUBSTANTIAL_WORDS;
}

/** What stands inside chapters where there are any, and is a chapter itself where there are none. */
const MINOR_SERIES = new Set(["section", "scene", "letter", "day", "第…节", "第…節"]);

export function isMinor({ recognition }: Candidate): boolean {
  return recognition?.kind === "chapter" && MINOR_SERIES.has(recognition.series);
}

/** Headings with a text of their own, under whatever numerals and lines stand between them and the next of their rank. */
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
      // "1" may stand over "I Go to Bristol", which reads like a numeral too.
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
 * A heading given twice is one heading: the second is dropped when it has the same number and nothing new to say. With a
 * chapter's text between two, the number is wrong; with many such pieces it is a running head.
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

/** The share of headings that a file may give a wrong number, or hold twice. */
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

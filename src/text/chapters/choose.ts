import type { Contents } from "./contents.ts";
import type { Candidate, Outline } from "./outline.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** What a candidate turned out to be. */
export interface Choice {
  readonly candidate: Candidate;
  readonly role: "chapter" | "division" | "paratext";
}

/** How the chapters were known, for the report. */
export type Basis =
  | "chapter headings"
  | "numerals"
  | "parts"
  | "marked headings"
  | "titles from the contents"
  | "titles in capitals"
  | "none";

/** Decides which candidates are chapters, by their fellows: words first, then numerals, then marks, then capitals. */
export function chooseHeadings(outline: Outline, contents: Contents): { choices: Choice[]; basis: Basis } {
  const outside = outline.candidates.filter(
    ({ at }) => !contents.regions.some(({ from, to }) => at >= from && at < to),
  );
  const withProse = outside.filter((candidate, index) => hasProse(candidate, outside[index + 1]));
  const chapters = withProse.filter(({ recognition }) => recognition?.kind === "chapter");
  const divisions = outside.filter(({ recognition }) => recognition?.kind === "division");
  const named = withProse.filter(({ recognition }) => recognition?.kind === "named");
  const paratext = outside.filter(({ recognition }) => recognition?.kind === "paratext");
  const numerals = withProse.filter(({ recognition }) => recognition?.kind === "numeral");
  const promised = withProse.filter(
    (candidate) => candidate.recognition === null && contents.titles.has(headingKey(joinTitle(candidate.lines))),
  );
  const around = [...named, ...promised];

  const choose = (primary: readonly Candidate[], parts: readonly Candidate[], basis: Basis) => {
    const level = commonLevel(primary);
    const fellows =
      level === 0
        ? []
        : withProse.filter(
            (candidate) =>
              candidate.level === level && candidate.recognition === null && candidate.wordsAfter >= SUBSTANTIAL_WORDS,
          );
    const all = new Map<number, Choice>();
    for (const candidate of paratext) all.set(candidate.at, { candidate, role: "paratext" });
    for (const candidate of parts) all.set(candidate.at, { candidate, role: "division" });
    for (const candidate of [...around, ...fellows, ...primary]) all.set(candidate.at, { candidate, role: "chapter" });
    return { choices: [...all.values()].sort((left, right) => left.candidate.at - right.candidate.at), basis };
  };

  if (chapters.length >= 2) return choose(chapters, divisions, "chapter headings");
  const counted = countingNumerals(numerals);
  if (counted.length >= 3) return choose([...chapters, ...counted], divisions, "numerals");
  const standingDivisions = withProse.filter(({ recognition }) => recognition?.kind === "division");
  if (standingDivisions.length >= 2) return choose([...chapters, ...standingDivisions], [], "parts");
  const marked = markedHeadings(withProse);
  if (marked.length >= 2) return choose([...chapters, ...marked], divisions, "marked headings");
  if (promised.length >= 2) return choose([...chapters, ...promised], divisions, "titles from the contents");
  if (chapters.length + named.length >= 2) return choose([...chapters, ...named], divisions, "chapter headings");
  const capitals = withProse.filter(
    ({ level, recognition, wordsAfter }) => level === 0 && recognition === null && wordsAfter >= SUBSTANTIAL_WORDS,
  );
  if (capitals.length >= 3) return choose(capitals, divisions, "titles in capitals");
  return choose(chapters, divisions, chapters.length > 0 ? "chapter headings" : "none");
}

const SUBSTANTIAL_WORDS = 150;

/** A heading with a text of its own; a label whose title stands in the next candidate counts with that one's text. */
function hasProse(candidate: Candidate, next: Candidate | undefined): boolean {
  if (candidate.wordsAfter > 0) return true;
  return next !== undefined && next.recognition === null && next.wordsAfter > 0;
}

/** Bare numbers are chapters only where they count: most follow their predecessor, or begin again at one. */
function countingNumerals(numerals: readonly Candidate[]): readonly Candidate[] {
  const largest = largestGroup(numerals, ({ recognition }) => recognition?.series);
  let expected = 1;
  const counted: Candidate[] = [];
  for (const candidate of largest) {
    const number = candidate.recognition?.number ?? 0;
    if (number !== expected && number !== 1 && number !== expected + 1) continue;
    counted.push(candidate);
    expected = number + 1;
  }
  return counted.length >= largest.length * 0.6 ? counted : [];
}

function markedHeadings(candidates: readonly Candidate[]): readonly Candidate[] {
  const marked = candidates.filter(({ level, recognition }) => level > 0 && recognition?.kind !== "paratext");
  return largestGroup(marked, ({ level }) => level);
}

function commonLevel(candidates: readonly Candidate[]): number {
  return largestGroup(candidates, ({ level }) => level)[0]?.level ?? 0;
}

function largestGroup<Key>(
  candidates: readonly Candidate[],
  keyOf: (candidate: Candidate) => Key,
): readonly Candidate[] {
  const groups = new Map<Key, Candidate[]>();
  for (const candidate of candidates) {
    const group = groups.get(keyOf(candidate));
    if (group) group.push(candidate);
    else groups.set(keyOf(candidate), [candidate]);
  }
  return [...groups.values()].reduce((largest, group) => (group.length > largest.length ? group : largest), []);
}

import type { Contents } from "./contents.ts";
import { countingNumerals } from "./counting-numerals.ts";
import { largestGroup } from "./largest-group.ts";
import type { Candidate, Outline } from "./outline.ts";
import { withPromisedTitles } from "./promised-titles.ts";
import { headingKey, joinTitle } from "./titles.ts";

/** What a candidate turned out to be. */
export interface Choice {
  readonly candidate: Candidate;
  readonly role: "chapter" | "division" | "lead-in" | "paratext";
}

/** How the chapters were known. */
export type Basis =
  | "chapter headings"
  | "numerals"
  | "parts"
  | "marked headings"
  | "titles from the contents"
  | "titles in capitals"
  | "none";

const SUBSTANTIAL_WORDS = 150;
/** What can only stand at an end; before the first chapter it ends a preface, and belongs to it. */
const CLOSINGS = new Set(["postscript", "epilogue", "conclusion", "afterword", "finale", "coda", "sequel"]);

/** Decides which candidates are chapters, by their fellows: words first, then numerals, then marks, then capitals. */
export function chooseHeadings(
  outline: Outline,
  contents: Contents,
  bookTitle: string | null,
): { choices: Choice[]; basis: Basis } {
  const titleKey = bookTitle === null ? null : headingKey(bookTitle);
  const outside = withPromisedTitles(outline, contents).filter(({ at }) => !contents.holds(at));
  const withProse = distinct(outside.filter((_candidate, index) => hasProse(outside, index)));
  const labels = new Set(outside.filter(isBareLabel).map(({ at }) => at));
  // A line right under "CHAPTER IV" is that chapter's title, not a chapter of its own.
  const untitled = withProse.filter(({ at, recognition }) => recognition === null && !labels.has(at - 1));
  const ofKind = (kind: string) => withProse.filter(({ recognition }) => recognition?.kind === kind);
  const chapters = mainSeries(ofKind("chapter"));
  const divisions = outside.filter(({ recognition }) => recognition?.kind === "division");
  const firstNumbered = chapters[0]?.at ?? 0;
  const chapterLabels = new Set(outside.filter(isChapterLabel).map(({ at }) => at));
  const named = ofKind("named").filter(
    ({ at, recognition }) =>
      !chapterLabels.has(at - 1) && (at > firstNumbered || !CLOSINGS.has(recognition?.series ?? "")),
  );
  const promised = promisedBy(contents, untitled, []);

  const choose = (primary: readonly Candidate[], parts: readonly Candidate[], basis: Basis) => {
    const all = new Map<number, Choice>();
    for (const candidate of outside) {
      const kind = candidate.recognition?.kind;
      if (kind === "paratext" || kind === "lead-in") all.set(candidate.at, { candidate, role: kind });
    }
    for (const candidate of parts) all.set(candidate.at, { candidate, role: "division" });
    const around = untitled.filter((candidate) => isAround(candidate, primary) && isSubstantial(candidate));
    for (const candidate of [...named, ...promisedBy(contents, untitled, primary), ...around, ...primary]) {
      if (headingKey(joinTitle(candidate.lines)) !== titleKey) all.set(candidate.at, { candidate, role: "chapter" });
    }
    return { choices: [...all.values()].sort((left, right) => left.candidate.at - right.candidate.at), basis };
  };

  if (chapters.length >= 2) return choose(chapters, divisions, "chapter headings");
  const counted = countingNumerals(
    ofKind("numeral").filter((candidate) => isBareLabel(candidate) || !labels.has(candidate.at - 1)),
  );
  if (counted.length >= 3) return choose([...chapters, ...counted], divisions, "numerals");
  const standingDivisions = ofKind("division");
  if (standingDivisions.length >= 2) return choose([...chapters, ...standingDivisions], [], "parts");
  if (promised.length >= 2) return choose([...chapters, ...promised], divisions, "titles from the contents");
  const marked = largestGroup([...named, ...untitled].filter(isMarked), ({ level }) => level);
  if (marked.length >= 2 && !leavesGiant(marked)) return choose([...chapters, ...marked], divisions, "marked headings");
  const capitals = [...chapters, ...named, ...untitled.filter(({ level }) => level === 0)].filter(isSubstantial);
  if (capitals.length >= 2 && !leavesGiant(capitals)) return choose(capitals, divisions, "titles in capitals");
  return choose(chapters, divisions, chapters.length > 0 ? "chapter headings" : "none");
}

function isSubstantial({ wordsAfter }: Candidate): boolean {
  return wordsAfter >= SUBSTANTIAL_WORDS;
}

function isMarked({ level }: Candidate): boolean {
  return level > 0;
}

/** "CHAPTER IV" with nothing after it: its title, if it has one, stands in the next block. */
export function isBareLabel({ recognition, lines }: Candidate): boolean {
  return recognition !== null && recognition.kind !== "paratext" && recognition.rest === "" && lines.length === 1;
}

function isChapterLabel(candidate: Candidate): boolean {
  return isBareLabel(candidate) && candidate.recognition?.kind === "chapter";
}

/** A heading with a text of its own, under whatever numerals and lines stand between it and the next heading of its rank. */
function hasProse(candidates: readonly Candidate[], index: number): boolean {
  for (let at = index; at < candidates.length; at++) {
    const { recognition, wordsAfter } = candidates[at]!;
    const isTitle = at === index + 1 && recognition?.kind === "named" && isChapterLabel(candidates[index]!);
    if (at > index && recognition !== null && recognition.kind !== "numeral" && !isTitle) return false;
    if (wordsAfter > 0) return true;
    if (at > index && candidates[index]!.recognition?.kind === "numeral" && recognition !== null) return false;
  }
  return false;
}

/** A heading given twice is one heading: the second is dropped when it has the same number and nothing new to say. */
function distinct(candidates: readonly Candidate[]): Candidate[] {
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    const previous = kept.findLast(({ recognition }) => recognition?.kind === candidate.recognition?.kind);
    if (previous && repeats(candidate, previous)) continue;
    kept.push(candidate);
  }
  return kept;
}

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

/** A piece longer than any chapter: the headings are the book's title, or a preface and the rest, and divide nothing. */
function leavesGiant(candidates: readonly Candidate[]): boolean {
  return candidates.some(({ wordsAfter }) => wordsAfter > 30_000);
}

/** Before the first or after the last numbered chapter, a heading without a number is a piece of its own. */
function isAround({ at }: Candidate, primary: readonly Candidate[]): boolean {
  return at < (primary[0]?.at ?? 0) || at > (primary.at(-1)?.at ?? 0);
}

/** What the contents promise and no numbered heading has kept, each at its first place with a text of its own. */
function promisedBy(contents: Contents, untitled: readonly Candidate[], primary: readonly Candidate[]): Candidate[] {
  const kept = new Set(
    primary.flatMap(({ lines, recognition }) => [...lines, recognition?.rest ?? ""]).map(headingKey),
  );
  const found: Candidate[] = [];
  for (const candidate of untitled) {
    const key = headingKey(joinTitle(candidate.lines));
    if (candidate.at < contents.end || !contents.titles.has(key) || kept.has(key) || !isSubstantial(candidate))
      continue;
    kept.add(key);
    found.push(candidate);
  }
  return found;
}

/**
 * A book in chapters may hold letters or scenes with numbers of their own: they are chapters only where they stand before
 * the first or after the last of the main series, as the letters of Frankenstein do.
 */
function mainSeries(chapters: readonly Candidate[]): readonly Candidate[] {
  const main = largestGroup(chapters, ({ recognition }) => recognition?.series);
  const first = main[0]?.at ?? 0;
  const last = main.at(-1)?.at ?? 0;
  const series = main[0]?.recognition?.series;
  return chapters.filter(({ at, recognition }) => recognition?.series === series || at < first || at > last);
}

import { groupBy } from "../../../core/group-by.ts";
import { recogniseHeading } from "../../chapters/recognise.ts";

/** The meaning of lines that contain only a number. */
export interface NumberLines {
  /** Page numbers, each with the blank lines around it if it interrupts a sentence, otherwise with null. */
  readonly pages: ReadonlyMap<number, readonly number[] | null>;
  /** Headings that a rule would take for page numbers: "- 1 -" over each chapter. */
  readonly headings: ReadonlySet<number>;
}

/** 12, - 12 -, — 12 —, ~ 12 ~, [12], Page 12 of 300. */
const NUMBER_LINE =
  /^(?:[-–—~·.*=|]{1,3}\s*(\d{1,4})\s*[-–—~·.*=|]{1,3}|[[({](\d{1,4})[\])}]|(?:page|p\.)?\s*(\d{1,4})(?:\s*(?:of|\/)\s*\d{1,4})?)$/i;
const LONGEST_LINE = 24;
const SPACE = 32;
const FEWEST = 3;
/** A page usually ends in mid-sentence, a chapter hardly ever does. */
const INTERRUPTING_SHARE = 0.25;
/** Characters. There is more text between two headings than in a footnote. */
const SHORTEST_CHAPTER = 800;

interface NumberLine {
  readonly at: number;
  readonly number: number;
  /** The blank lines around it if it interrupts a sentence; null if it does not. */
  readonly gap: readonly number[] | null;
}

/** Numbers on lines of their own are pages or chapters. Those that break sentences are pages. */
export function numberLinesIn(lines: readonly string[]): NumberLines {
  const pages = new Map<number, readonly number[] | null>();
  const headings = new Set<number>();
  // Computed once: there may be a hundred styles.
  let hasChapters: boolean | null = null;
  for (const [style, found] of byStyle(lines)) {
    const counted = inOrder(found);
    if (counted.length < FEWEST) continue;
    const interrupting = counted.filter(({ gap }) => gap !== null).length;
    if (interrupting >= Math.max(2, counted.length * INTERRUPTING_SHARE)) {
      for (const { at, gap } of counted) pages.set(at, gap);
    } else if (interrupting === 0 && style !== "0" && areHeadings(lines, counted)) {
      hasChapters ??= lines.some((line) => line.length < 100 && recogniseHeading(line.trim())?.kind === "chapter");
      if (!hasChapters) for (const { at } of counted) headings.add(at);
    }
  }
  return { pages, headings };
}

/** The lines grouped by the marks around the number: "-0-" for "- 12 -". */
function byStyle(lines: readonly string[]): Map<string, NumberLine[]> {
  const found: (NumberLine & { readonly style: string })[] = [];
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!;
    // Almost every line is blank, or long and not indented.
    if (line.length === 0 || (line.length > LONGEST_LINE && line.charCodeAt(0) > SPACE)) continue;
    const trimmed = line.trim();
    if (trimmed.length === 0 || trimmed.length > LONGEST_LINE) continue;
    const match = NUMBER_LINE.exec(trimmed);
    if (match === null) continue;
    const number = Number(match[1] ?? match[2] ?? match[3]);
    const style = `${sign(trimmed.charAt(0))}0${sign(trimmed.charAt(trimmed.length - 1))}`;
    found.push({ at, number, gap: gapAround(lines, at), style });
  }
  return groupBy(found, ({ style }) => style);
}

function sign(character: string): string {
  return /\d/.test(character) ? "" : character.toLowerCase();
}

/** The lines whose numbers count up; years and sums of money do not. */
function inOrder(found: readonly NumberLine[]): readonly NumberLine[] {
  const counted: NumberLine[] = [];
  for (const line of found) {
    const previous = counted.at(-1)?.number;
    if (previous === undefined || (line.number > previous && line.number <= previous + LARGEST_STEP))
      counted.push(line);
  }
  return counted.length >= found.length * 0.8 ? counted : [];
}

/** Pages with a picture have no number, so some may be missing. */
const LARGEST_STEP = 6;

function gapAround(lines: readonly string[], at: number): readonly number[] | null {
  let above = at - 1;
  while (above >= 0 && at - above <= WIDEST_GAP && lines[above]!.trim() === "") above--;
  let below = at + 1;
  while (below < lines.length && below - at <= WIDEST_GAP && lines[below]!.trim() === "") below++;
  const [before = "", after = ""] = [lines[above], lines[below]];
  const isInterrupting =
    /[\p{L},;]\s*$/u.test(before) && before.length > SHORTEST_FULL_LINE && /^\s*\p{Ll}/u.test(after);
  if (!isInterrupting) return null;
  return Array.from({ length: below - above - 1 }, (_, offset) => above + 1 + offset).filter((line) => line !== at);
}

const WIDEST_GAP = 5;
const SHORTEST_FULL_LINE = 30;

/** One, two, three, each a chapter apart; headings if the text has no others with a number. */
function areHeadings(lines: readonly string[], counted: readonly NumberLine[]): boolean {
  if (counted.some(({ number }, position) => number !== position + 1)) return false;
  const [first, last] = [counted[0]!.at, counted.at(-1)!.at];
  let length = 0;
  const enough = SHORTEST_CHAPTER * (counted.length - 1);
  for (let at = first; at < last && length < enough; at++) length += lines[at]!.length;
  return length >= enough;
}

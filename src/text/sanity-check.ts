import { sumBy } from "../stats/distribution.ts";
import type { Book, Chapter } from "./book.ts";
import { findingWarnings } from "./chapters/checks/finding-warnings.ts";
import { isWithoutZeros } from "./chapters/numbers/numbers.ts";
import { recogniseHeading } from "./chapters/recognise.ts";
import type { Recognition } from "./chapters/recognition.ts";
import { countWords } from "./words.ts";

/** What the check looks at: a book before its warnings are complete. */
export type CheckedBook = Pick<Book, "chapters" | "removed" | "words" | "finding"> & {
  readonly source: Pick<Book["source"], "pages">;
  /** The titles of chapters that a person joined to others or set aside: the file declares and counts them rightly. */
  readonly dissolved?: readonly (string | null)[];
};

/**
 * Does the reading make sense? A verdict on a misread book is worthless, so what looks misread is said, with the place.
 */
export function sanityWarnings(book: CheckedBook): string[] {
  return [
    ...findingWarnings(book),
    ...undivided(book),
    ...longChapters(book),
    ...(book.words >= FEWEST_WORDS ? brokenEnd(book.chapters) : []),
    ...missingBeginning(book),
    ...jumps(book),
    ...declaredChapters(book),
    ...removedStory(book),
  ];
}

/** A shorter text is a scene or a sample, and may end anywhere. */
const FEWEST_WORDS = 500;
const TIMES_THE_MEDIAN = 6;
const LONG_CHAPTER_WORDS = 1500;
/** Where the file declares its chapters, a long one is the writer's. */
const TIMES_THE_MEDIAN_DECLARED = 12;
const FEWEST_CHAPTERS = 5;

function longChapters({ chapters, source }: CheckedBook): string[] {
  if (chapters.length < FEWEST_CHAPTERS) return [];
  const times = source.pages?.chapter ? TIMES_THE_MEDIAN_DECLARED : TIMES_THE_MEDIAN;
  const lengths = chapters.map(({ words }) => words).sort((one, other) => one - other);
  const median = lengths[lengths.length >> 1]!;
  return chapters
    .filter(({ words }) => words > LONG_CHAPTER_WORDS && words > times * median)
    .slice(0, MOST_LISTED)
    .map(
      ({ index, title, words }) =>
        `Chapter ${index}${named(title)} has ${count(words)} words, ${Math.round(words / median)} times the median: headings inside it may have been missed.`,
    );
}

/** Longer than any chapter and most stories. */
const NOVEL_WORDS = 20_000;

function undivided({ chapters }: CheckedBook): string[] {
  const words = chapters.length === 1 ? chapters[0]!.words : 0;
  if (words < NOVEL_WORDS) return [];
  return [`The text is not divided into chapters: it was read as one of ${count(words)} words.`];
}

const MOST_LISTED = 3;
const CLOSED = /[.!?…。！？」』》〉”“"’‘»«›‹')）\]*—–-]$|分解$|[—–-] ?\p{Lu}[\p{L}’'. ]{0,40}$|[\p{Lu}\d]$/u;

/** A file that was cut ends in mid-sentence; "THE END" and a signature do not. */
function brokenEnd(chapters: readonly Chapter[]): string[] {
  const last = chapters.at(-1);
  const paragraph = last?.text.slice(last.text.lastIndexOf("\n\n") + 1).trim() ?? "";
  if (!last || paragraph.length < 40 || CLOSED.test(paragraph)) return [];
  return [
    `The last paragraph of chapter ${last.index}${named(last.title)} ends in mid-sentence (“…${paragraph.slice(-40)}”): the file may be cut.`,
  ];
}

/** The numbers in the titles, part by part, as a reader of the table of contents would check them. */
function jumps({ chapters, dissolved = [] }: CheckedBook): string[] {
  const found: string[] = [];
  const gone = new Set(dissolved.map(numberIn));
  let previous: { number: number; part: string | undefined; series: string | undefined } | null = null;
  for (const { index, title, part } of chapters) {
    const heading = recogniseHeading(title ?? "");
    const written = numberOf(heading);
    // A title without a number may open a part that counts from one again.
    if (written === null || written === 0) {
      previous = null;
      continue;
    }
    const number: number =
      previous !== null && isWithoutZeros(written, previous.number + 1) ? previous.number + 1 : written;
    if (
      previous !== null &&
      previous.part === part &&
      previous.series === heading?.series &&
      number !== 1 &&
      number !== previous.number &&
      number !== followerOf(previous.number, gone)
    ) {
      found.push(`${previous.number} to ${number} at chapter ${index}`);
    }
    previous = { number, part, series: heading?.series };
  }
  if (found.length === 0) return [];
  const more = found.length > MOST_LISTED ? ` and ${found.length - MOST_LISTED} more` : "";
  return [`The numbering of the chapters jumps: ${found.slice(0, MOST_LISTED).join(", ")}${more}.`];
}

/** The next number that a chapter still has. */
function followerOf(number: number, gone: ReadonlySet<number | null>): number {
  let next = number + 1;
  while (gone.has(next)) next++;
  return next;
}

function numberIn(title: string | null): number | null {
  return numberOf(recogniseHeading(title ?? ""));
}

function numberOf(recognition: Recognition | null): number | null {
  return recognition?.kind === "chapter" || recognition?.kind === "numeral" ? recognition.number : null;
}

/** A file that was cut begins in the middle of the count. An opening without a number may be the first chapter. */
function missingBeginning({ chapters, dissolved = [] }: CheckedBook): string[] {
  const position = chapters.slice(0, 2).findIndex(({ title }) => numberIn(title) !== null);
  const number = numberIn(chapters[position]?.title ?? null) ?? 0;
  const first = followerOf(0, new Set(dissolved.map(numberIn)));
  if (position < 0 || number <= position + first) return [];
  return [
    `The first number of a chapter is ${number}, at chapter ${chapters[position]!.index}: the file may lack its beginning.`,
  ];
}

function declaredChapters({ chapters, source, dissolved = [] }: CheckedBook): string[] {
  const declared = source.pages?.chapter ?? 0;
  if (declared <= chapters.length + dissolved.length) return [];
  return [
    `The file declares ${count(declared)} pages as chapters, ${count(chapters.length)} chapters were found: look at the list of chapters.`,
  ];
}

const LARGEST_REMOVED_SHARE = 0.01;

/** Passages that no rule proves to be boilerplate. */
function removedStory({ removed, words }: CheckedBook): string[] {
  const doubtful = removed.filter(({ mayBeStory }) => mayBeStory);
  if (doubtful.length === 0) return [];
  const lost = sumBy(doubtful, ({ text, words: length }) => length ?? countWords(text));
  const places = doubtful
    .slice(0, MOST_LISTED)
    .map(({ rule, where }) => (rule === where ? rule : `${rule} (${where})`));
  const more = doubtful.length > MOST_LISTED ? ` and ${doubtful.length - MOST_LISTED} more` : "";
  const share = lost / (words + lost);
  const much = share > LARGEST_REMOVED_SHARE ? `, ${(100 * share).toFixed(1)} % of the book` : "";
  return [
    `Removed, may be story: ${places.join(", ")}${more}; ${count(lost)} words${much}. Check them with \`fabula read --show-removed\`.`,
  ];
}

function named(title: string | null): string {
  return title === null ? "" : ` “${title.length > 60 ? `${title.slice(0, 60)}…` : title}”`;
}

function count(number: number): string {
  return number.toLocaleString("en-GB");
}

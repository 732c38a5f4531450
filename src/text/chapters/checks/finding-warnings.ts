import type { Book, Chapter, ChapterFinding } from "../../book.ts";
import { unkeptEntries, unkeptTitles } from "./contents-check.ts";
import { numberingWarnings } from "./numbering.ts";

/** Where the chapters contradict one another, or what the file itself says about them. */
export function findingWarnings({ chapters, finding = {} }: Pick<Book, "chapters" | "finding">): string[] {
  const { contents = [], doubtfulTitles = [], unheededLines, pages = 1 } = finding;
  return [
    ...(unheededLines === undefined ? numberingWarnings(chapters) : withoutHeadings(chapters, unheededLines, pages)),
    ...doubtfulEnds(chapters, doubtfulTitles),
    ...unkeptEntries(contents, chapters),
    ...unkeptTitles(contents, chapters),
    ...repeatedChapters(chapters),
    ...unheededPlaces(chapters.length, finding),
    ...unheededHeadings(chapters.length, finding),
  ];
}

/** The file declares chapters inside which its headings begin others. Both readings are told. */
function unheededHeadings(chapters: number, { unheededHeadings: inner = [] }: ChapterFinding): string[] {
  if (inner.length < FEWEST_LINES || inner.length < chapters * LARGEST_UNHEEDED) return [];
  return [
    `Inside the ${chapters} chapters that the file declares, ${inner.length} headings say that a chapter begins (${listed(inner)}): they were read as sections. If they are chapters, the book has about ${chapters + inner.length}.`,
  ];
}

/** The navigation names places inside the chapters: scenes, or chapters that were missed. Both readings are told. */
function unheededPlaces(chapters: number, { recognised, unheededPlaces: places = [] }: ChapterFinding): string[] {
  if (!recognised || places.length < FEWEST_LINES || places.length < chapters * LARGEST_UNHEEDED) return [];
  return [
    `The file's navigation names ${places.length} places inside the ${chapters} chapters (${listed(places)}): they were read as sections. If they are chapters, the book has about ${chapters + places.length}.`,
  ];
}

const LARGEST_UNHEEDED = 0.2;

const FEWEST_LINES = 3;
const MOST_LISTED = 3;

/** The text was cut by length. A person who names chapters knows it; the lines that begin none of them are left. */
function withoutHeadings(chapters: readonly Chapter[], unheeded: readonly string[], pages: number): string[] {
  const isNamed = chapters.some(({ title }) => title !== null);
  const begun = new Set(isNamed ? chapters.flatMap(({ title, text }) => [title, text.split("\n", 1)[0]]) : []);
  const lines = unheeded.filter((line) => !begun.has(line));
  const cut = isNamed ? [] : cutText(chapters.length, pages);
  if (lines.length < FEWEST_LINES) return cut;
  return [...cut, `No chapter headings were found, but some lines may be headings: ${listed(lines)}.`];
}

function listed(titles: readonly string[]): string {
  const shown = titles.slice(0, MOST_LISTED).map((title) => `“${title}”`);
  return `${shown.join(", ")}${titles.length > MOST_LISTED ? ` and ${titles.length - MOST_LISTED} more` : ""}`;
}

function cutText(pieces: number, pages: number): string[] {
  const from = pages > 1 ? ` in the file's ${pages} pages` : "";
  if (pieces > 1)
    return [
      `No chapter headings were found${from}: the text was cut into ${pieces} pieces at scene breaks and paragraph ends.`,
    ];
  return pages > 1 ? [`No chapter headings were found${from}: they were read as one chapter.`] : [];
}

function doubtfulEnds(chapters: readonly Chapter[], titles: readonly string[]): string[] {
  const doubtful = new Set(titles);
  const ends = chapters.filter(({ title }) => title !== null && doubtful.has(title));
  return ends.map(
    ({ index, title }) =>
      `Chapter ${index} “${title}” after the last numbered one has no number: it may be a headline or a letter inside that chapter.`,
  );
}

/** Files from the web now and then hold one chapter's text under several headings: a judge would count it each time. */
function repeatedChapters(chapters: readonly Chapter[]): string[] {
  const first = new Map<string, number>();
  const repeats: string[] = [];
  for (const { index, text } of chapters) {
    const earlier = first.get(text);
    if (earlier === undefined) first.set(text, index);
    else repeats.push(`${index} repeats ${earlier}`);
  }
  if (repeats.length === 0) return [];
  const shown = repeats.slice(0, 5).join(", ");
  return [`Some chapters hold the same text: ${shown}${repeats.length > 5 ? ` and ${repeats.length - 5} more` : ""}.`];
}

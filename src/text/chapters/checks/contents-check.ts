import type { Chapter } from "../../book.ts";
import type { ContentsEntry } from "../contents/contents-entry.ts";
import { recogniseHeading } from "../recognise.ts";
import { headingKey } from "../titles.ts";

const MOST_LISTED = 5;

/** Chapters that the table of contents names and the text does not have, where most of its titles were found. */
export function unkeptTitles(contents: readonly ContentsEntry[], chapters: readonly Chapter[]): string[] {
  const titles = new Map<string, string>();
  for (const { title, number, isJoined } of contents) {
    if (number === null && !isJoined && recogniseHeading(title) === null) titles.set(keyOf(title), title);
  }
  // As many chapters as titles: one of the two is misspelt.
  if (titles.size < FEWEST_TITLES || chapters.length >= titles.size) return [];
  const found = new Set(chapters.flatMap(({ title, part, includes = [] }) => [title, part, ...includes]).map(keyOf));
  const missing = [...titles].filter(([key]) => key.length >= SHORTEST_TITLE && !found.has(key));
  if (missing.length === 0 || missing.length > titles.size * MOST_MISSING) return [];
  const shown = missing.slice(0, MOST_LISTED).map(([, title]) => `“${title.trim()}”`);
  const more = missing.length > MOST_LISTED ? ` and ${missing.length - MOST_LISTED} more` : "";
  return [`The table of contents lists chapters that were not found: ${shown.join(", ")}${more}.`];
}

const FEWEST_TITLES = 4;
const SHORTEST_TITLE = 3;
/** Where more are missing, the table is of another kind: sections, pictures, people. */
const MOST_MISSING = 0.4;

function keyOf(title: string | null | undefined): string {
  return headingKey(title ?? "");
}

/** Chapters that the table of contents numbers and the text does not have: the file is cut, or a heading was missed. */
export function unkeptEntries(contents: readonly ContentsEntry[], chapters: readonly Chapter[]): string[] {
  const listed = new Set(contents.map(({ number }) => number));
  // Only an unbroken count is believed: "L. Frank Baum" is no chapter 50.
  const promised = new Set<number>();
  while (listed.has(promised.size + 1)) promised.add(promised.size + 1);
  if (promised.size < 3) return [];
  const found = new Set(chapters.map(({ title }) => recogniseHeading(title ?? "")?.number ?? null));
  const numbered = [...promised].filter((number) => found.has(number)).length;
  // Titles without numbers keep the promise in their own way.
  if (numbered === 0 && chapters.length >= promised.size) return [];
  const missing = [...promised].filter((number) => !found.has(number)).sort((one, other) => one - other);
  if (missing.length === 0 || (numbered === 0 && chapters.length > 1)) return [];
  const shown = missing.slice(0, MOST_LISTED).join(", ");
  const more = missing.length > MOST_LISTED ? ` and ${missing.length - MOST_LISTED} more` : "";
  return [`The table of contents lists chapters that were not found: ${shown}${more}.`];
}

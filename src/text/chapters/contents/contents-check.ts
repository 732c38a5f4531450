import type { RawChapter } from "../raw-chapter.ts";
import { recogniseHeading } from "../recognise.ts";
import type { Contents } from "./contents.ts";

const MOST_LISTED = 5;

/** Chapters that the table of contents numbers and the text does not have: the file is cut, or a heading was missed. */
export function unkeptEntries(contents: Contents, chapters: readonly RawChapter[]): string[] {
  const listed = new Set(contents.entries.map(({ number }) => number));
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

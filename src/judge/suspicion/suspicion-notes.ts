import type { Suspicion } from "../evaluation.ts";

const NAMED = 10;

/** For a report's notes: how many passages speak to the judge, and the first of them. */
export function suspicionNotes(suspicions: readonly Suspicion[]): string[] {
  if (suspicions.length === 0) return [];
  const count = suspicions.length === 1 ? "1 passage speaks" : `${suspicions.length} passages speak`;
  return [
    `${count} to a judge instead of a reader, so the scores may be manipulated:`,
    ...suspicions.slice(0, NAMED).map(({ chapter, quote, why }) => `Chapter ${chapter}, ${why}: “${quote}”`),
  ];
}

import type { NoteRow } from "../../../src/api/notes.ts";

/** What the address may ask for: notes to do, by what was said of them, or by the reason for a change. */
export const OPEN = "open";
export const NO_REASON = "other";

export function filterNotes(notes: readonly NoteRow[], filter: string): NoteRow[] {
  switch (filter) {
    case OPEN:
      return notes.filter(({ mark }) => mark === null);
    case "done":
    case "ignored":
      return notes.filter(({ mark }) => mark === filter);
    case NO_REASON:
      return notes.filter(({ mark, why }) => mark === null && why === null);
    default:
      return notes.filter(({ mark, why }) => mark === null && why === filter);
  }
}

/** The reasons that occur, the most frequent first; null stands for none in particular. */
export function reasonsIn(notes: readonly NoteRow[]): { why: string | null; count: number }[] {
  const counts = new Map<string | null, number>();
  for (const { why, mark } of notes) if (mark === null) counts.set(why, (counts.get(why) ?? 0) + 1);
  return [...counts].map(([why, count]) => ({ why, count })).sort((left, right) => right.count - left.count);
}

export interface NotePlace {
  readonly chapter: number;
  readonly start: number;
}

/** The next or the previous note from a place, around the end of the book if need be. */
export function noteBeside(notes: readonly NoteRow[], from: NotePlace | null, step: 1 | -1): NoteRow | null {
  if (notes.length === 0) return null;
  if (from === null) return notes[0]!;
  const order = (note: NotePlace) => note.chapter - from.chapter || note.start - from.start;
  const found = step > 0 ? notes.find((note) => order(note) > 0) : notes.findLast((note) => order(note) < 0);
  return found ?? (step > 0 ? notes[0]! : notes.at(-1)!);
}

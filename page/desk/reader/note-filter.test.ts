import { describe, expect, it } from "vitest";
import type { NoteRow } from "../../../src/api/notes.ts";
import { filterNotes, noteBeside, reasonsIn } from "./note-filter.ts";

const note = (id: string, chapter: number, start: number, over: Partial<NoteRow> = {}): NoteRow => ({
  id,
  chapter,
  start,
  end: start + 10,
  change: 0.6,
  why: null,
  sentence: "It rained.",
  mark: null,
  ...over,
});
const NOTES = [
  note("a", 1, 5, { why: "Cliche" }),
  note("b", 1, 90, { mark: "done", why: "Cliche" }),
  note("c", 3, 2),
  note("d", 3, 50, { mark: "ignored" }),
];
const ids = (notes: readonly NoteRow[]) => notes.map(({ id }) => id);

describe("notes in the margin", () => {
  it("show what is left to do, by reason too, and what was done or ignored when asked for", () => {
    expect(ids(filterNotes(NOTES, "open"))).toEqual(["a", "c"]);
    expect(ids(filterNotes(NOTES, "Cliche"))).toEqual(["a"]);
    expect(ids(filterNotes(NOTES, "other"))).toEqual(["c"]);
    expect(ids(filterNotes(NOTES, "done"))).toEqual(["b"]);
    expect(ids(filterNotes(NOTES, "ignored"))).toEqual(["d"]);
    expect(reasonsIn(NOTES)).toEqual([
      { why: "Cliche", count: 1 },
      { why: null, count: 1 },
    ]);
  });

  it("are stepped through in both directions, around the end of the book", () => {
    expect(noteBeside(NOTES, null, 1)?.id).toBe("a");
    expect(noteBeside(NOTES, { chapter: 1, start: 5 }, 1)?.id).toBe("b");
    expect(noteBeside(NOTES, { chapter: 2, start: 0 }, 1)?.id).toBe("c");
    expect(noteBeside(NOTES, { chapter: 3, start: 50 }, 1)?.id).toBe("a");
    expect(noteBeside(NOTES, { chapter: 1, start: 5 }, -1)?.id).toBe("d");
    expect(noteBeside([], null, 1)).toBeNull();
  });
});

import { describe, expect, it } from "vitest";
import { STORY } from "../../../test/support/stories.ts";
import type { ProgressEvent } from "../../core/progress.ts";
import { compareWithJury } from "./compare-with-jury.ts";
import { notesOfBook } from "./line-notes.ts";
import { mapBook } from "./map-book.ts";
import { readBooks } from "./read-books.ts";

type Work = (onProgress: (event: ProgressEvent) => void) => Promise<unknown>;

const signal = new AbortController().signal;
const WORK: Readonly<Record<string, { readonly stages: readonly string[]; readonly work: Work }>> = {
  read: { stages: ["Reading"], work: (onProgress) => readBooks([STORY], { onProgress, signal }) },
  map: { stages: ["Reading", "Mapping"], work: (onProgress) => mapBook(STORY, { onProgress }) },
  notes: {
    stages: ["Reading", "Preparing chapters", "Line notes"],
    work: (onProgress) => notesOfBook(STORY, { onProgress }),
  },
  compare: { stages: ["Judging books"], work: (onProgress) => compareWithJury([STORY, STORY], { onProgress }) },
};

describe("a book that takes its time", () => {
  it.each(Object.entries(WORK))("is not worked on in silence: %s", async (_name, { stages, work }) => {
    const events: ProgressEvent[] = [];
    await work((event) => events.push(event));
    expect(events[0]).toMatchObject({ stage: stages[0], done: 0 });
    expect([...new Set(events.map(({ stage }) => stage))]).toEqual(stages);
  });

  it("is compared with word of what is being done to it", async () => {
    const notes: (string | undefined)[] = [];
    await compareWithJury([STORY, STORY], { onProgress: ({ note }) => notes.push(note) });
    expect(notes.filter(Boolean).length).toBeGreaterThan(2);
  });
});

import { describe, expect, it } from "vitest";
import { scored } from "../../src/core/verdict.ts";
import { afterEvent, type WatchEvent, type Watched } from "./use-job.ts";

const start: Watched = { job: null, chapters: new Map(), found: [], notes: [], connection: "opening", problem: null };
const told = (...events: WatchEvent[]) => events.reduce(afterEvent, start);

describe("what is known of a job", () => {
  it("keeps the latest verdict of each chapter, also when a reconnection tells them again", () => {
    const twice: WatchEvent[] = [
      { kind: "chapter", chapter: 1, lastChapter: 1, verdict: scored(11) },
      { kind: "chapter", chapter: 2, lastChapter: 3, verdict: scored(12) },
    ];
    const { chapters } = told(...twice, ...twice, { kind: "chapter", chapter: 1, lastChapter: 1, verdict: scored(13) });
    expect([...chapters]).toEqual([
      [1, { lastChapter: 1, verdict: scored(13) }],
      [2, { lastChapter: 3, verdict: scored(12) }],
    ]);
  });

  it("says that the connection was lost, and that it is back", () => {
    expect(told({ kind: "connected" }).connection).toBe("open");
    expect(told({ kind: "connected" }, { kind: "lost" }).connection).toBe("lost");
    expect(told({ kind: "connected" }, { kind: "lost" }, { kind: "connected" }).connection).toBe("back");
  });

  it("does not say the same thing twice in a row", () => {
    const { notes } = told({ kind: "note", text: "slow" }, { kind: "note", text: "slow" }, { kind: "note", text: "x" });
    expect(notes).toEqual(["slow", "x"]);
  });
});

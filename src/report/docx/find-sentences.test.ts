import { describe, expect, it } from "vitest";
import { findSentences } from "./annotate-docx.ts";

describe("sentences in a document", () => {
  it("are found by what stands around them, or not at all where several could be meant", () => {
    const letters = "ThedooropenedHenoddedAnnaleftHenoddedagain";
    const nodded = (before: string, after: string) => ({ before, sentence: "Henodded", after });
    expect(findSentences(letters, [nodded("Annaleft", "again")])).toEqual([29]);
    expect(findSentences(letters, [nodded("elsewhere", "nowhere")])).toEqual([null]);
    expect(findSentences(letters, [{ before: "x", sentence: "Annaleft", after: "y" }])).toEqual([21]);
  });
});

import { describe, expect, it } from "vitest";
import type { Chapter } from "./book.ts";
import { type CheckedBook, sanityWarnings } from "./sanity-check.ts";

const chapter = (index: number, words: number, title = `Chapter ${index}`, text = "It ended."): Chapter => ({
  ...{ index, title, text: `Day ${index}. ${text}`, words },
});
const check = (book: Partial<CheckedBook>) =>
  sanityWarnings({ chapters: [], removed: [], words: 60_000, source: {}, ...book });

describe("the sanity check", () => {
  it("says nothing about an ordinary book", () =>
    expect(check({ chapters: [1, 2, 3, 4, 5].map((index) => chapter(index, 3000)) })).toEqual([]));

  it("names a chapter that is many times the median", () =>
    expect(check({ chapters: [1, 2, 3, 4, 5].map((index) => chapter(index, index === 5 ? 60_000 : 3000)) })).toEqual([
      "Chapter 5 “Chapter 5” has 60,000 words, 20 times the median: headings inside it may have been missed.",
    ]));

  it("names the place where the numbering jumps", () =>
    expect(check({ chapters: [chapter(1, 3000), chapter(2, 3000, "Chapter 4")] })).toEqual([
      "The numbering of the chapters jumps: 1 to 4 at chapter 2.",
    ]));

  it("reports missing first chapters", () =>
    expect(check({ chapters: [3, 4].map((number, at) => chapter(at + 1, 3000, `Chapter ${number}`)) })).toEqual([
      "The first number of a chapter is 3, at chapter 1: the file may lack its beginning.",
    ]));

  it("names a chapter that is many times the median of a short book", () =>
    expect(check({ chapters: [1, 2, 3, 4, 5].map((index) => chapter(index, index === 5 ? 3000 : 400)) })[0]).toMatch(
      /^Chapter 5 “Chapter 5” has 3,000 words, 8 times the median/,
    ));

  it.each(["“Komm”, sagte er, „geh hinunter.“", "»Geh.«", "« Descends. »", "《磨坊记》"])(
    "takes %s for an end",
    (end) => {
      const text = `She opened the door of the mill and saw the water, and then she said ${end}`;
      expect(check({ chapters: [chapter(1, 3000, "Chapter 1", text)] })).toEqual([]);
    },
  );

  it("does not report numbers that a person joined or set aside, nor compare numbers of different kinds", () => {
    const titles = ["Chapter 2", "Chapter 4", "The Second Letter", "Chapter 5"];
    const chapters = titles.map((title, at) => chapter(at + 1, 3000, title));
    expect(check({ chapters, dissolved: ["Chapter 1", "Chapter 3"] })).toEqual([]);
    expect(check({ chapters })).toHaveLength(2);
  });

  it("quotes a last paragraph that ends in mid-sentence", () => {
    const text = "She opened the door of the mill and saw that the water had";
    expect(check({ chapters: [chapter(1, 3000, "Chapter 1", text)] })[0]).toMatch(
      /ends in mid-sentence \(“….*water had”\)/,
    );
  });

  it("reports chapters that the file declares and that were not found", () =>
    expect(check({ chapters: [chapter(1, 3000)], source: { pages: { chapter: 3 } } })[0]).toMatch(/declares 3 pages/));

  it("counts what was removed and may be story", () =>
    expect(
      check({ removed: [{ rule: "end matter", where: "line 90", text: "…", words: 900, mayBeStory: true }] })[0],
    ).toMatch(/^Removed, may be story: end matter \(line 90\); 900 words, 1\.5 % of the book\./));
});

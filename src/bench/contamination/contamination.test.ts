import { describe, expect, it } from "vitest";
import { longestCommonPassage } from "../synopsis/wording-leak.ts";
import { cutOffSplit, renamedDifference } from "./split-difference.ts";
import { textOverlap } from "./text-overlap.ts";

const novel = (name: string, composite: number) => ({
  novel: name,
  composite,
  scores: [],
  chapterComposites: [],
  parts: null,
});

describe("text that a writer may remember", () => {
  it("is the longest passage that stands in both, word for word", () => {
    const original = "It was late. The clerk closed the ledger and went down to the boats without a word.";
    const written = "Rain fell. At last the clerk closed the ledger and went home to sleep.";
    expect(longestCommonPassage(written, original)).toEqual({
      length: 7,
      text: "the clerk closed the ledger and went",
    });
    expect(longestCommonPassage("nothing alike", "quite other words").length).toBe(0);
  });

  it("is found in Chinese whether simplified or traditional", () => {
    const { length } = longestCommonPassage("他們在燈塔下等船，直到天亮才回家", "那晚他们在灯塔下等船，没有说话");
    expect(length).toBe(8);
  });

  it("is a share of the chapters, and unknown without any", () => {
    const copied = "one two three four five six seven eight nine ten";
    expect(textOverlap([{ written: copied, original: copied }])).toMatchObject({ copied: 1, longest: 10 });
    expect(textOverlap([])).toBeNull();
  });
});

describe("what memory may be worth", () => {
  const novels = [novel("old 1", 2), novel("old 2", 3), novel("new 1", 1), novel("new 2", 0)];
  const yearOf = (name: string) => (name.startsWith("old") ? 2010 : 2024);

  it("is the difference between novels from before and after the cut-off", () => {
    expect(cutOffSplit(novels, yearOf, 2020)).toMatchObject({ difference: 2, novels: [2, 2] });
    expect(cutOffSplit(novels, yearOf, 2030)).toBeNull();
    expect(cutOffSplit(novels, () => null, 2020)).toBeNull();
  });

  it("is the difference between a novel under its own names and under new ones", () => {
    const renamed = novels.map(({ novel: name, composite }) => novel(name, composite - 0.5));
    expect(renamedDifference(novels, renamed)).toMatchObject({ difference: 0.5, interval: [0.5, 0.5] });
    expect(renamedDifference(novels, [])).toBeNull();
  });
});

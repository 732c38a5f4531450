import { describe, expect, it } from "vitest";
import { chapterMark, segmentMark } from "./material.ts";

describe("the mark above a chapter in a prompt", () => {
  it.each([
    [2, null, "en", "[Chapter 2]"],
    [2, "Small Measures", "en", "[Chapter 2: Small Measures]"],
    [2, "Chapter 2", "en", "[Chapter 2]"],
    [2, "Chapter 2: Small Measures", "en", "[Chapter 2: Small Measures]"],
    [2, "CHAPTER II. Small Measures", "en", "[Chapter 2: Small Measures]"],
    [2, "Chapter Two", "en", "[Chapter 2]"],
    [2, "2. Small Measures", "en", "[Chapter 2: Small Measures]"],
    [2, "Chapitre 2 – Petites mesures", "en", "[Chapter 2: Petites mesures]"],
    [2, "第二章 缺页", "zh", "[第2章: 缺页]"],
    [2, "第2章", "zh", "[第2章]"],
    [12, "第十二回 夜奔", "zh", "[第12章: 夜奔]"],
  ] as const)("names number and title once: %i, %j", (index, title, language, mark) => {
    expect(chapterMark(index, title, language)).toBe(mark);
  });

  it.each([
    [3, "Chapter 2: Small Measures", "en", "[Chapter 3: Chapter 2: Small Measures]"],
    [2, "Part 2: The Sea", "en", "[Chapter 2: Part 2: The Sea]"],
    [2, "Two Cities", "en", "[Chapter 2: Two Cities]"],
    [1, "第一卷 风起 第一章 初遇", "zh", "[第1章: 第一卷 风起 第一章 初遇]"],
  ] as const)("keeps a number that says something else: %i, %j", (index, title, language, mark) => {
    expect(chapterMark(index, title, language)).toBe(mark);
  });

  it.each([
    ["Small Measures – The Sea", 2, 4, "en", "[Chapters 2 to 4: Small Measures – The Sea]"],
    ["Chapter 2: Small Measures – Chapter 4", 2, 4, "en", "[Chapters 2 to 4]"],
    ["第二章 缺页 – 第四章 归来", 2, 4, "zh", "[第2至4章]"],
    ["Chapter 2: Small Measures", 2, 2, "en", "[Chapter 2: Small Measures]"],
  ] as const)("covers a run of chapters: %j", (title, first, last, language, mark) => {
    const spans = [first, last].map((chapter) => ({ chapter, start: 0, end: 9 }));
    expect(segmentMark({ index: 1, title, text: "", words: 0, spans }, language)).toBe(mark);
  });
});

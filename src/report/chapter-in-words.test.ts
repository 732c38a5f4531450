import { describe, expect, it } from "vitest";
import { chapterInWords } from "./wording.ts";

describe("a chapter in words", () => {
  it.each([
    [2, "II", "chapter 2"],
    [3, "III: The Problem", "chapter 3, The Problem"],
    [4, "4. The Scale", "chapter 4, The Scale"],
    [5, "IV", "chapter 5, IV"],
    [1, "I Am Born", "chapter 1, I Am Born"],
    [1, "Chapter 1: The Crossing", "Chapter 1: The Crossing"],
    [7, null, "chapter 7"],
  ])("%i, %s: %s", (index, title, words) => {
    expect(chapterInWords(index, title)).toBe(words);
  });
});

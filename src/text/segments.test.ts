import { describe, expect, it } from "vitest";
import type { Chapter } from "./book.ts";
import { segmentBook } from "./segments.ts";

const chapterOf = (index: number, words: number, paragraphWords = words): Chapter => {
  const paragraphs: string[] = [];
  for (let left = words; left > 0; left -= paragraphWords) {
    paragraphs.push(Array.from({ length: Math.min(left, paragraphWords) }, () => "word").join(" "));
  }
  return { index, title: `Chapter ${index}`, text: paragraphs.join("\n\n"), words };
};

describe("segments", () => {
  it("merge chapters until they are over the size, as LongStoryEval does", () => {
    const chapters = [1, 2, 3, 4, 5].map((index) => chapterOf(index, 1500));
    const segments = segmentBook({ chapters });
    expect(segments.map(({ words }) => words)).toEqual([4500, 3000]);
    expect(segments[0]?.title).toBe("Chapter 1 – Chapter 3");
    expect(segments[1]?.spans.map(({ chapter }) => chapter)).toEqual([4, 5]);
  });

  it("split a chapter over the maximum at paragraph ends, in even pieces", () => {
    const [chapter] = [chapterOf(1, 20_000, 100)];
    const segments = segmentBook({ chapters: [chapter!] });
    expect(segments.length).toBeGreaterThan(3);
    for (const { words, spans } of segments) {
      expect(words).toBeLessThan(5000);
      expect(words).toBeGreaterThan(3000);
      for (const { start, end } of spans) {
        expect(start === 0 || chapter!.text.slice(start - 2, start) === "\n\n").toBe(true);
        expect(chapter!.text.slice(start, end)).not.toMatch(/^\s|\s$/);
      }
    }
    expect(segments.map(({ text }) => text).join("\n\n")).toBe(chapter!.text);
  });

  it("split a paragraph over the maximum at sentence ends, and lose nothing", () => {
    const sentence = "The rain had stopped before anyone thought to close the windows.";
    const text = `A short one.\n\n${Array.from({ length: 2000 }, () => sentence).join(" ")}\n\nAnother.`;
    const segments = segmentBook({ chapters: [{ index: 1, title: null, text, words: 22_004 }] });
    expect(segments.length).toBeGreaterThan(3);
    for (const { words, text: piece } of segments) {
      expect(words).toBeLessThan(5000);
      expect(piece).toMatch(/\.$/);
    }
    expect(
      segments
        .map((segment) => segment.text)
        .join(" ")
        .replace(/\s+/g, " "),
    ).toBe(text.replace(/\s+/g, " "));
  });

  it("are measured with the given counter", () => {
    const chapters = [1, 2, 3].map((index) => chapterOf(index, 100));
    expect(segmentBook({ chapters }, { size: 400, measure: (text) => text.length })).toHaveLength(3);
  });

  it("join a short rest to the segment before it", () => {
    const segments = segmentBook({ chapters: [chapterOf(1, 4200), chapterOf(2, 300)] });
    expect(segments).toHaveLength(1);
  });
});

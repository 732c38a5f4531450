import { describe, expect, it } from "vitest";
import type { ChapterSummary } from "../../../src/api/books.ts";
import { BookLayout, type Setting } from "./book-layout.ts";
import { anchorAt, topOf } from "./book-scroller.tsx";

const setting: Setting = { charactersPerLine: 50, lineHeight: 20, paragraphGap: 10, headingHeight: 100 };
const chapter = (index: number, length: number, paragraphs: number): ChapterSummary => ({
  index,
  title: null,
  words: length / 5,
  part: null,
  length,
  paragraphs,
});
const book = () => new BookLayout([chapter(1, 1000, 4), chapter(2, 500, 2), chapter(3, 0, 0)], setting);
const blocks = [
  { start: 0, end: 100 },
  { start: 102, end: 400 },
];

describe("the layout of a book", () => {
  it("knows where everything stands before any text is there", () => {
    const layout = book();
    expect(layout.height).toBeGreaterThan(3 * setting.headingHeight);
    expect(layout.at(0)).toEqual({ chapter: 0, row: 0 });
    expect(layout.at(setting.headingHeight + 1)).toEqual({ chapter: 0, row: 1 });
    expect(layout.at(layout.top({ chapter: 1, row: 0 }))).toEqual({ chapter: 1, row: 0 });
    expect(layout.at(1e9).chapter).toBe(2);
  });

  it("moves what stands below a row that was measured, and nothing above", () => {
    const layout = book();
    layout.setBlocks(0, blocks);
    const [above, below] = [layout.top({ chapter: 0, row: 1 }), layout.top({ chapter: 1, row: 0 })];
    expect(layout.measure({ chapter: 0, row: 1 }, 500)).toBe(true);
    expect(layout.measure({ chapter: 0, row: 1 }, 500.2)).toBe(false);
    expect(layout.top({ chapter: 0, row: 1 })).toBe(above);
    expect(layout.top({ chapter: 1, row: 0 })).toBe(below + 500 - (20 * Math.ceil(100 / 50 + 0.5) + 10));
  });

  it("gives every row between two heights, over the ends of chapters", () => {
    const layout = book();
    layout.setBlocks(0, blocks);
    expect(layout.between(0, layout.height)).toEqual([
      { chapter: 0, row: 0 },
      { chapter: 0, row: 1 },
      { chapter: 0, row: 2 },
      { chapter: 1, row: 0 },
      { chapter: 1, row: 1 },
      { chapter: 2, row: 0 },
    ]);
    const second = layout.top({ chapter: 0, row: 2 });
    expect(layout.between(second + 1, second + 2)).toEqual([{ chapter: 0, row: 2 }]);
  });

  it("agrees with itself: the row at the top of a row is that row", () => {
    const layout = book();
    layout.setBlocks(1, blocks);
    layout.measure({ chapter: 1, row: 2 }, 77);
    for (const place of layout.between(0, layout.height - 1).slice(0, -1))
      expect(layout.at(layout.top(place) + 0.01)).toEqual(place);
  });

  it("holds nothing of an empty book", () => {
    const layout = new BookLayout([], setting);
    expect(layout.height).toBe(0);
    expect(layout.between(0, 100)).toEqual([]);
  });
});

describe("the anchor of the window", () => {
  it("keeps what is looked at where it is when something above turns out higher", () => {
    const layout = book();
    layout.setBlocks(0, blocks);
    layout.setBlocks(1, blocks);
    const top = layout.top({ chapter: 1, row: 0 }) + 30;
    const anchor = anchorAt(layout, top, 100);
    layout.measure({ chapter: 0, row: 1 }, 900);
    expect(topOf(layout, anchor, 100) - layout.top({ chapter: 1, row: 0 })).toBe(30);
  });

  it("holds on to what is there rather than to what is awaited", () => {
    const layout = book();
    layout.setBlocks(1, blocks);
    const heading = layout.top({ chapter: 1, row: 0 });
    const anchor = anchorAt(layout, heading - 50, 200);
    expect(anchor).toMatchObject({ chapter: 1, row: 0, beyond: -50 });
    layout.setBlocks(0, blocks);
    expect(layout.top({ chapter: 1, row: 0 }) - topOf(layout, anchor, 200)).toBe(50);
  });

  it("stays at the end of the book", () => {
    const layout = book();
    const anchor = anchorAt(layout, layout.height - 100, 100);
    layout.setBlocks(1, blocks);
    layout.measure({ chapter: 1, row: 1 }, 3000);
    expect(topOf(layout, anchor, 100)).toBe(layout.height - 100);
  });
});

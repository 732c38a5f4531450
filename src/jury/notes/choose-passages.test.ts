import { describe, expect, it } from "vitest";
import { type ChapterShares, choosePassages } from "./choose-passages.ts";

const chapter = (number: number, rows: [words: number, share: number][]): ChapterShares => ({
  chapter: number,
  sentences: rows.map(([words], index) => ({ start: index * 100, end: index * 100 + 90, words })),
  shares: Float64Array.from(rows, ([, share]) => share),
});

describe("choosing passages", () => {
  it("takes the strongest of each direction and never one that points the other way", () => {
    const chapters = [
      chapter(1, [
        [10, 0.5],
        [10, -0.2],
      ]),
      chapter(2, [
        [10, 0.3],
        [10, -0.4],
      ]),
    ];
    expect(choosePassages(chapters, "up", 5, new Set()).map((passage) => passage.share)).toEqual([0.5, 0.3]);
    expect(choosePassages(chapters, "down", 5, new Set()).map((passage) => passage.share)).toEqual([-0.4, -0.2]);
  });

  it("spreads over chapters before it takes a second one of the same", () => {
    const chapters = [
      chapter(1, [
        [10, 0.9],
        [10, 0.8],
      ]),
      chapter(2, [[10, 0.1]]),
    ];
    expect(choosePassages(chapters, "up", 3, new Set()).map((passage) => passage.chapter)).toEqual([1, 2, 1]);
  });

  it("joins a short sentence to the next and adds their shares", () => {
    const [passage] = choosePassages(
      [
        chapter(1, [
          [2, 0.2],
          [8, 0.1],
          [20, 0.05],
        ]),
      ],
      "up",
      1,
      new Set(),
    );
    expect(passage).toMatchObject({ start: 0, end: 190 });
    expect(passage!.share).toBeCloseTo(0.3, 12);
  });

  it("does not quote the same passage twice", () => {
    const taken = new Set<string>();
    const chapters = [
      chapter(1, [
        [10, 0.9],
        [10, 0.8],
      ]),
    ];
    expect(choosePassages(chapters, "up", 1, taken)[0]!.share).toBe(0.9);
    expect(choosePassages(chapters, "up", 1, taken)[0]!.share).toBe(0.8);
    expect(choosePassages(chapters, "up", 1, taken)).toEqual([]);
  });
});

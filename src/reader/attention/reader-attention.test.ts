import { describe, expect, it } from "vitest";
import { readerAttention } from "./reader-attention.ts";

const vocabulary = {
  version: 1,
  aspects: { plot: ["plot"], "plot-ending": ["ending"], world: ["world-building", "author's world"] },
  others: {},
};
const topOf = (aspect: string) => aspect.split("-")[0]!;
const review = (text: string | undefined, rating?: number) => ({ genres: [], review: text, rating });

describe("what a reader writes about", () => {
  it("counts reviews under the top-level aspect, with the stars of those that mention it and of the others", () => {
    const found = readerAttention(
      [
        review("A clever PLOT.", 5),
        review("The ending fell flat.", 2),
        review("Rich world building, the authors world lives.", 4),
        review("Such World-building!"),
        review(undefined, 1),
      ],
      vocabulary,
      topOf,
    );
    expect(found).toEqual([
      { aspect: "plot", reviews: 2, of: 4, stars: 3.5, otherStars: 4 },
      { aspect: "world", reviews: 2, of: 4, stars: 4, otherStars: 3.5 },
    ]);
  });

  it("matches whole words only, and says nothing about a single mention", () => {
    expect(readerAttention([review("They were plotting."), review("plot")], vocabulary, topOf)).toEqual([]);
  });
});

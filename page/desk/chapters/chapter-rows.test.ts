import { describe, expect, it } from "vitest";
import { correctionsOf, rowsOf } from "./chapters-view.tsx";

const found = ["One", null, "Three"].map((title, at) => ({ index: at + 1, title, words: 100 }));

describe("the form of the chapters", () => {
  it("gives back the corrections it was filled with, renames first", () => {
    const corrections = [
      { merge: 2 },
      { split: 3, at: "It rained", title: "Rain" },
      { split: 3, at: "It stopped" },
      { "front-matter": 1 },
      { rename: 3, title: "Storm" },
    ];
    const { rows, others } = rowsOf({ found, corrections, strategies: [] });
    expect(others).toEqual([{ split: 3, at: "It stopped" }]);
    const again = correctionsOf(rows, others);
    expect(again[0]).toEqual({ rename: 3, title: "Storm" });
    expect(new Set(again.map((correction) => JSON.stringify(correction)))).toEqual(
      new Set(corrections.map((correction) => JSON.stringify(correction))),
    );
  });

  it("corrects nothing where nothing was changed", () => {
    const { rows, others } = rowsOf({ found, corrections: [], strategies: [] });
    expect(correctionsOf(rows, others)).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { chooseExcerpts, contextSizes, type Excerpt, excerptRule, type PassageMeasure } from "./material.ts";

const PASSAGES_PER_CHAPTER = 4;
const WORDS = 80;

/** Six chapters of similar passages, so that only the measure can tell them apart. */
const chapters = Array.from({ length: 6 }, (_, chapter) => {
  const passages = Array.from({ length: PASSAGES_PER_CHAPTER }, () =>
    "The tide came in and nobody said so at all. ".repeat(8),
  );
  const text = passages.map((passage) => passage.trim()).join("\n\n");
  return { index: chapter + 1, title: null, text, words: PASSAGES_PER_CHAPTER * WORDS };
});
const passageLength = chapters[0]!.text.indexOf("\n\n") + 2;
const position = ({ start }: Pick<Excerpt, "start">) => start / passageLength;
const picked = (measure: PassageMeasure, why: Excerpt["why"]) =>
  chooseExcerpts({ chapters }, { measure, count: 6, words: 5000 }).find((excerpt) => excerpt.why === why)!;

describe("excerpts", () => {
  it("come from stretches of the book, opening first, ending last", () => {
    const chosen = chooseExcerpts({ chapters }, { count: 6, words: 5000 });
    expect(chosen.map(({ why }) => why)).toEqual([
      "opening",
      "dialogue",
      "narration",
      "distinctive",
      "typical",
      "ending",
    ]);
    expect(chosen.map(({ chapter }) => chapter)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(position(chosen[0]!)).toBe(0);
    expect(position(chosen.at(-1)!)).toBe(PASSAGES_PER_CHAPTER - 1);
  });

  it.each([10, -10])("are distinctive where a measure given lies furthest from the average, up or down: %i", (far) => {
    expect(position(picked((passage) => (position(passage) === 2 ? far : 0), "distinctive"))).toBe(2);
  });

  it("are typical where it lies nearest", () => {
    const near: PassageMeasure = (passage) => (position(passage) === 3 ? 0 : position(passage) === 1 ? -5 : 5 / 2);
    expect(position(picked(near, "typical"))).toBe(3);
  });

  it("are neither where nothing could be measured, as long as there are others", () => {
    const gaps: PassageMeasure = (passage) => (position(passage) === 0 ? null : position(passage));
    expect(position(picked(gaps, "distinctive"))).not.toBe(0);
    expect(position(picked(gaps, "typical"))).not.toBe(0);
    expect(chooseExcerpts({ chapters }, { measure: () => null, count: 6, words: 5000 })).toHaveLength(6);
  });

  it("are accounted for in a sentence", () => {
    const chosen = chooseExcerpts({ chapters }, { count: 6, words: 5000 });
    expect(excerptRule(chosen, null)).toMatch(
      /^The judge saw 6 excerpts .* by how rare their words are in this book\.$/,
    );
    expect(excerptRule(chosen, "their weight")).toMatch(/ by their weight\.$/);
  });
});

describe("the pieces that a model is shown", () => {
  it("are the usual ones where its context is long or unknown, and shares of a short one", () => {
    const usual = { segmentWords: null, notesWords: 1000, notesTokens: 4096, excerptWords: 1000 };
    expect(contextSizes(null)).toMatchObject(usual);
    expect(contextSizes(128_000)).toMatchObject(usual);
    const short = contextSizes(2048);
    expect(short).toMatchObject({ segmentWords: 245, notesWords: 204 });
    // In tokens, two segments plus the notes and their update leave room for the question.
    expect(2 * short.segmentWords! * 1.4 + short.notesWords * 1.4 + short.notesTokens).toBeLessThan(0.85 * 2048);
  });
});

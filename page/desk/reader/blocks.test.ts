import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blockAt, blocksOf } from "./book-layout.ts";

describe("the blocks of a chapter", () => {
  it("are its paragraphs", () => {
    const text = "One.\n\nTwo\nlines.\n \n\nThree.";
    expect(blocksOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(["One.", "Two\nlines.", "Three."]);
  });

  it("hold every letter once and in order, however long a paragraph is", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.constant("\n\n"), fc.constant("word. ".repeat(900)))),
        (pieces) => {
          const text = pieces.join("");
          const blocks = blocksOf(text);
          const shown = blocks.map(({ start, end }) => text.slice(start, end)).join("");
          expect(shown.replace(/\s+/g, "")).toBe(text.replace(/\s+/g, ""));
          expect(blocks.every((block) => block.end - block.start <= 4000)).toBe(true);
        },
      ),
    );
  });

  it("are found by any position in them", () => {
    const text = Array.from({ length: 300 }, (_, index) => `Paragraph ${index} says something.`).join("\n\n");
    const blocks = blocksOf(text);
    for (const [index, { start, end }] of blocks.entries())
      expect([blockAt(blocks, start), blockAt(blocks, end - 1), blockAt(blocks, end)]).toEqual([index, index, index]);
  });

  it("are none in an empty chapter", () => {
    expect(blocksOf(" \n\n ")).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitSentences } from "./sentences.ts";

const sentencesOf = (text: string) => splitSentences(text).map(({ start, end }) => text.slice(start, end));

describe("sentences", () => {
  it.each([
    ["He left. She stayed.", ["He left.", "She stayed."]],
    ["“Stop!” he said. “Why?” She laughed.", ["“Stop!” he said.", "“Why?”", "She laughed."]],
    [
      "Mr. Darcy met Dr. J. H. Watson at St. Paul's. They spoke.",
      ["Mr. Darcy met Dr. J. H. Watson at St. Paul's.", "They spoke."],
    ],
    ["It was I. You knew.", ["It was I.", "You knew."]],
    ["Wait... what? No…  Yes.", ["Wait... what?", "No…", "Yes."]],
    ["First line\n\nsecond paragraph", ["First line", "second paragraph"]],
    ["他说：“走吧。”她笑了！真的？", ["他说：“走吧。”", "她笑了！", "真的？"]],
    ["It cost 3.50 in all. Cheap.", ["It cost 3.50 in all.", "Cheap."]],
    ["(She knew.) He did not.", ["(She knew.)", "He did not."]],
  ])("of %j", (text, expected) => expect(sentencesOf(text)).toEqual(expected));

  it("lose nothing but space and never overlap", () => {
    const piece = fc.constantFrom("a", "B", ".", "!", "?", " ", "\n", "”", "“", "。", "Mr", "…", "x.y");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const text = pieces.join("");
        const sentences = splitSentences(text);
        let previous = 0;
        for (const { start, end } of sentences) {
          expect(start).toBeGreaterThanOrEqual(previous);
          expect(end).toBeGreaterThan(start);
          expect(text.slice(previous, start).trim()).toBe("");
          previous = end;
        }
        expect(text.slice(previous).trim()).toBe("");
      }),
    );
  });
});

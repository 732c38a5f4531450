import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countWords, wordCounter } from "./words.ts";

/** The definition as a regular expression: slow, but plain to read. */
const WORD =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+(?:['’-](?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])[\p{L}\p{N}\p{M}])+)*/gu;

describe("words", () => {
  it.each([
    ["It's a well-known truth.", 4],
    ["“Stop!”—he said; 'twas 1813.", 5],
    ["话说天下大势", 6],
    ["第1回 abc", 4],
    ["", 0],
    ["- ' -", 0],
    ["𠀀𠀁 and 𝒜", 4],
  ])("in %j", (text, count) => expect(countWords(text)).toBe(count));

  it("agree with the definition on any text", () => {
    const piece = fc.oneof(
      fc.constantFrom("'", "’", "-", " ", "\n", "a", "é", "第", "カ", "1", "."),
      fc.string({ unit: "grapheme", maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join("");
        expect(countWords(text)).toBe(text.match(WORD)?.length ?? 0);
      }),
    );
  });

  it("are the same in any part of a text that is read once", () => {
    const piece = fc.constantFrom("'", "’", "-", " ", "\n", "a", "é", "第", "𐐨", "Some words, half-awake. ");
    fc.assert(
      fc.property(fc.array(piece, { minLength: 200, maxLength: 400 }), fc.nat(), fc.nat(), (pieces, one, other) => {
        const text = pieces.join("");
        const [start, end] = [one % text.length, other % text.length].sort((left, right) => left - right);
        expect(wordCounter(text)(start!, end!)).toBe(countWords(text, start, end));
      }),
    );
  });
});

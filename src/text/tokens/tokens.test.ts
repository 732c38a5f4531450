import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { forEachTokenPiece } from "./token-pieces.ts";
import { loadTokenCounter } from "./tokens.ts";

/** The pattern as published with o200k_base. */
const PATTERN =
  /[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?:'s|'t|'re|'ve|'m|'ll|'d|'S|'T|'RE|'Re|'rE|'VE|'Ve|'vE|'M|'LL|'Ll|'lL|'D)?|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?:'s|'t|'re|'ve|'m|'ll|'d|'S|'T|'RE|'Re|'rE|'VE|'Ve|'vE|'M|'LL|'Ll|'lL|'D)?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+/gu;

const piecesOf = (text: string) => {
  const pieces: string[] = [];
  forEachTokenPiece(text, (start, end) => pieces.push(text.slice(start, end)));
  return pieces;
};

const text = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        " ",
        "  ",
        "\n",
        "\r\n",
        "\t",
        "'",
        "’",
        "'s",
        "'LL",
        "a",
        "B",
        "é",
        "É",
        "第",
        "一",
        "1",
        "234",
        ".",
        "—",
        "/",
        "“",
        "\u0301",
        "ǅ",
        "ʰ",
        "😀",
        "𝒜",
        "٣",
      ),
      fc.string({ unit: "binary", maxLength: 3 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join("").replace(/[\ud800-\udfff]/g, ""));

describe("tokens", () => {
  it.each([
    "Hello, world! It's 1813—“Stop!” he said.\n\n  I'LL go to 1,234/5 places.\r\n",
    "McDONALD’s iPhone USAToday",
    "话说天下大势，分久必合。",
    "   x  1 \n \n y ",
  ])("are cut from %j as the pattern cuts", (sample) => expect(piecesOf(sample)).toEqual(sample.match(PATTERN)));

  it("are cut as the pattern cuts, whatever the text", () => {
    fc.assert(
      fc.property(text, (sample) => {
        expect(piecesOf(sample)).toEqual(sample.match(PATTERN) ?? []);
      }),
      { numRuns: 2000 },
    );
  });

  it("of unbroken letters and piled accents are counted in a time that grows with the length alone", async () => {
    const count = await loadTokenCounter();
    const letters = Array.from({ length: 400_000 }, (_, at) =>
      String.fromCharCode(97 + ((at * at * 7 + at) % 26)),
    ).join("");
    expect(count(letters)).toBeGreaterThan(50_000);
    expect(count(`e${"\u0301".repeat(400_000)}`)).toBeGreaterThan(100_000);
    const long = "pneumono".repeat(60);
    expect(Math.abs(count(long) - countTokens(long))).toBeLessThanOrEqual(4);
  });

  it("are counted as the library counts them", async () => {
    const count = await loadTokenCounter();
    const story = "“You can’t mean it,” she said; but the rain had begun again. ".repeat(20);
    expect(count(story)).toBe(countTokens(story));
    const chinese = "“你来迟了。”她说着，把灯拨亮了一些；窗外风雨大作，街上没有一个行人……".repeat(20);
    expect(count(chinese)).toBe(countTokens(chinese));
    expect(count("<|endoftext|>")).toBe(countTokens("<|endoftext|>", { disallowedSpecial: new Set() }));
  });
});

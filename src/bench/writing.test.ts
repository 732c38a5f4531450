import { describe, expect, it } from "vitest";
import { conductWarnings, writingRates } from "./writing.ts";

const chapter = (text: string | null, cutOff = false, refused = false) => ({
  ...{ novel: "Rain", writer: "ada", chapter: 1, language: "en", text, cutOff, refused },
  reason: text === null ? "the writer refused" : null,
});
const words = (count: number) => Array.from({ length: count }, () => "rain").join(" ");

describe("how a writer kept to its task", () => {
  it("is said before its level where many chapters were cut off, refused or of another length", () => {
    const cut = writingRates([...Array.from({ length: 9 }, () => chapter(words(100), true)), chapter(words(20))], 100);
    const refusing = writingRates(
      [chapter(null, false, true), ...Array.from({ length: 9 }, () => chapter(words(90)))],
      100,
    );
    const steady = writingRates(
      Array.from({ length: 20 }, (_, index) => chapter(words(index === 0 ? 10 : 100))),
      100,
    );
    const warnings = conductWarnings([
      { writer: "cut", rates: cut },
      { writer: "refusing", rates: refusing },
      { writer: "steady", rates: steady },
    ]);
    expect(warnings).toEqual([
      "cut, of 10 chapters: 9 cut off by the token limit; 1 shorter than half or longer than twice the length asked for.",
      "refusing, of 10 chapters: 1 refused.",
    ]);
    expect(conductWarnings([{ writer: "甲", rates: cut }], "zh")[0]).toMatch(/^甲（共 10 章）：9 章/);
  });

  it("is not said of a writer that was asked for nothing", () => {
    expect(conductWarnings([{ writer: "idle", rates: writingRates([], 100) }])).toEqual([]);
  });
});

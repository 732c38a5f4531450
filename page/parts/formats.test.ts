import { describe, expect, it } from "vitest";
import { HUNDRED, rescaleVerdict, scored } from "../../src/core/verdict.ts";
import { english } from "../texts/english.ts";
import {
  changeOnHundred,
  chapterInWords,
  day,
  figure,
  languageInWords,
  moment,
  money,
  onHundred,
  percent,
  position,
  signed,
  spending,
} from "./formats.ts";

describe("figures as the page shows them", () => {
  it("never rounds a cost to nothing", () => {
    expect([money(0), money(0.0004), money(1.239)]).toEqual(["$0", "< $0.01", "$1.24"]);
  });

  it("calls a cost unknown when the price is, and the least when some prices are", () => {
    const costs = [{ cost: null, unpricedCalls: 3 }, { cost: 1.2, unpricedCalls: 3 }, { cost: 1.2 }, { cost: 0 }];
    expect(costs.map((cost) => spending(cost, english))).toEqual(["not known", "at least $1.20", "$1.20", "$0"]);
  });

  it("writes a true minus, days and languages as the reader does", () => {
    expect([figure(-0.214), figure(-0.001), figure(0.5)]).toEqual(["−0.21", "0.00", "0.50"]);
    expect([day("2026-09-23", "zh"), day("soon", "en")]).toEqual(["2026年9月23日", "soon"]);
    expect([languageInWords("en", "zh"), languageInWords("zh", "en"), languageInWords("?", "en")]).toEqual([
      "英语",
      "Chinese",
      "?",
    ]);
  });

  it("never rounds up to the whole", () => {
    expect([percent(1), percent(0.9999), percent(0)]).toEqual(["100 %", "99.9 %", "0 %"]);
  });

  it("gives no sign to what rounds to zero", () => {
    expect([signed(1.26), signed(-1.26), signed(-0.04), signed(0.125, 2)]).toEqual(["+1.3", "−1.3", "0.0", "+0.13"]);
  });

  it("keeps a score inside its scale", () => {
    expect([-3, 0, 10, 25].map((score) => position(score, { minimum: 0, maximum: 20 }))).toEqual([0, 0, 50, 100]);
  });

  it("converts scores as the rest of Fabula does", () => {
    const five = { minimum: 1, maximum: 5 };
    const verdict = scored(3.8, [2.3, 4.5]);
    expect(onHundred(verdict, five)).toEqual(rescaleVerdict(verdict, five, HUNDRED));
    const change = { before: 3, after: 3.8, difference: 0.8, interval: null };
    expect(changeOnHundred(change as never, five)).toMatchObject({ before: 60, after: 76, difference: 16 });
  });

  it("shows a date that is none as it came", () => {
    expect(moment("long ago", "en")).toBe("long ago");
  });

  it("does not number a chapter twice", () => {
    const numbered = (index: number) => `Chapter ${index}`;
    expect(chapterInWords(4, "Chapter 4: The Scale", numbered)).toBe("Chapter 4: The Scale");
    expect(chapterInWords(4, "The Scale", numbered)).toBe("Chapter 4: The Scale");
    expect(chapterInWords(4, null, numbered)).toBe("Chapter 4");
    expect(chapterInWords(4, "第四回", numbered)).toBe("第四回");
    expect(chapterInWords(200, "V: Enlargement of Horizon", numbered)).toBe("V: Enlargement of Horizon");
    expect(chapterInWords(9, "IX", numbered)).toBe("Chapter 9");
    expect(chapterInWords(12, "IX", numbered)).toBe("Chapter 12 (IX)");
    expect(chapterInWords(44, "44.", numbered)).toBe("Chapter 44");
    expect(chapterInWords(2, "Mild Weather", numbered)).toBe("Chapter 2: Mild Weather");
  });
});

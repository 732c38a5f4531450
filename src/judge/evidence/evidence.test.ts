import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { randomInteger, seededRandom } from "../../core/random.ts";
import type { Chapter } from "../../text/book.ts";
import { NameCheck } from "./absent-names.ts";
import { editSimilarity } from "./edit-similarity.ts";
import { QuotationIndex } from "./quotation-index.ts";

function chapter(index: number, text: string): Chapter {
  return { index, title: null, text, words: text.split(/\s+/).length };
}

const chapters = [
  chapter(1, "The ledger was damp, as everything in Merrow was damp.\n\n“It is the date that’s wrong,” said Ines."),
  chapter(2, "By Thursday the whole town knew who would drown — except for him. The bells were naïve things."),
  chapter(3, "账簿是潮的，墨洛镇样样都是潮的，伊内丝用刀背一页页翻开。“错的是日期。”她说。"),
];
const index = new QuotationIndex(chapters);
const quoted = (quote: string, at?: number) => {
  const found = index.find(quote, at);
  return found && { ...found, text: chapters[found.chapter - 1]!.text.slice(found.start, found.end) };
};

describe("searching a quotation", () => {
  it("finds it letter by letter, in the chapter it is said to stand in first", () => {
    expect(quoted("was damp", 1)).toMatchObject({ chapter: 1, match: "exact", similarity: 1, text: "was damp" });
  });

  it("finds it without regard to quotes, dashes, case and spaces", () => {
    expect(quoted('"it is the date that\'s wrong", said Ines')).toMatchObject({ chapter: 1, match: "normalised" });
    expect(quoted("who would drown - except for him")).toMatchObject({
      chapter: 2,
      match: "normalised",
      text: "who would drown — except for him",
    });
    expect(quoted("墨洛镇 样样都是潮的")).toMatchObject({ chapter: 3 });
  });

  it("finds the parts around an omission when they follow each other", () => {
    expect(quoted("By Thursday … except for him")).toMatchObject({ chapter: 2, match: "normalised" });
    expect(quoted("except for him … By Thursday")).toBeNull();
  });

  it("finds a slip or a paraphrase of a word with its similarity, and nothing where there is nothing", () => {
    const slip = quoted("By Thursday the whole village knew who would drown");
    expect(slip).toMatchObject({ chapter: 2, match: "fuzzy" });
    expect(slip!.similarity).toBeGreaterThan(0.8);
    expect(slip!.similarity).toBeLessThan(1);
    expect(quoted("账簿是湿的，墨洛镇样样都是潮的，伊内丝用刀翻开")).toMatchObject({ chapter: 3, match: "fuzzy" });
    expect(quoted("She burned the letter before anyone could read what it said.")).toBeNull();
    expect(quoted("drowned")).toBeNull();
  });

  it("always finds what was cut out of the book, whatever the book is made of", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", minLength: 1, maxLength: 200 }),
        fc.nat(),
        fc.nat(),
        (text, from, length) => {
          const start = from % text.length;
          const quote = text.slice(start, start + 1 + (length % 40));
          if (quote.trim() === "") return;
          const found = new QuotationIndex([chapter(1, text)]).find(quote);
          expect(found?.match).toBe("exact");
          expect(text.slice(found!.start, found!.end)).toBe(quote.trim());
        },
      ),
    );
  });

  it("stays quick on a book of 400,000 words", () => {
    const random = seededRandom(4);
    const words = Array.from({ length: 20_000 }, (_, at) => `w${at.toString(36)}`);
    const long = Array.from({ length: 40 }, (_, at) =>
      chapter(at + 1, Array.from({ length: 10_000 }, () => words[Math.floor(random() ** 3 * words.length)]).join(" ")),
    );
    const big = new QuotationIndex(long);
    big.find("warm up the index with words that stand nowhere at all");
    const started = performance.now();
    for (let round = 0; round < 100; round++) {
      const text = long[randomInteger(random, 40)]!.text;
      const start = randomInteger(random, text.length - 200);
      const slipped = text.slice(start, start + 150).replace(/ /, " oddly ");
      expect(big.find(slipped)).not.toBeNull();
    }
    expect((performance.now() - started) / 100).toBeLessThan(100);
  });
});

describe("similarity", () => {
  it("counts edits against the most similar part of the window", () => {
    expect(editSimilarity("abc", "xxabcxx")).toEqual({ similarity: 1, start: 2, end: 5 });
    expect(editSimilarity("abcd", "xxabxdxx").similarity).toBe(0.75);
    expect(editSimilarity("abc", "").similarity).toBe(0);
  });
});

describe("names in a remark", () => {
  const check = new NameCheck({ title: "The Salt Ledger", author: "A. Nonymous", premise: null, genres: [], chapters });

  it("are flagged when they stand nowhere in the book", () => {
    expect(check.absentFrom("The rivalry between Ines and Count Olaf drives it.")).toEqual(["Count Olaf"]);
    expect(
      check.absentFrom("Ines's doubt about Merrow rings true; Dickensian fog, Gothic nights, on Thursday."),
    ).toEqual([]);
    expect(check.absentFrom("Pacing sags. Tension returns late.")).toEqual([]);
    expect(check.absentFrom('She says "Harry Potter" once.')).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputs } from "../../../test/support/inputs.ts";
import { assetPath } from "../../core/assets.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { Chapter } from "../../text/book.ts";
import { readBook } from "../../text/read-book.ts";
import { NameCheck, RemarkCheck } from "./check-remarks.ts";
import { BitPattern, editSimilarity, foldText, QuotationIndex, similarityOf } from "./quotation-index.ts";

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
  it("finds it letter by letter, looking first in the chapter that was named", () => {
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

  it("looks nowhere for what a plan puts in the place of a reply", () => {
    const index = new QuotationIndex([chapter(1, "Placeholder 7: the river kept its own counsel. The lamp went out.")]);
    expect(index.find("The lamp went out.")?.match).toBe("exact");
    expect(index.find("Placeholder 7: the river kept its own counsel.")).toBeNull();
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

  it("finds a real passage that was misquoted, wherever most of its letters and some of its words are left", async () => {
    const { chapters: story } = await readBook(assetPath("examples/the-inspector-of-weights.md"));
    const search = new QuotationIndex(story);
    fc.assert(
      fc.property(
        fc.nat({ max: story.length - 1 }),
        fc.nat(),
        fc.integer({ min: 8, max: 60 }),
        fc.array(fc.record({ at: fc.nat(), slip: fc.constantFrom(...SLIPS) }), { minLength: 1, maxLength: 6 }),
        (position, from, length, slips) => {
          const words = story[position]!.text.split(/\s+/);
          const start = from % Math.max(1, words.length - length);
          const passage = words.slice(start, start + length);
          const misquoted = [...passage];
          for (const { at, slip } of slips.slice(0, Math.max(1, Math.floor(length / 8)))) {
            const place = at % misquoted.length;
            misquoted[place] = slip(misquoted[place]!);
          }
          const quote = misquoted.join(" ");
          const truth = editSimilarity(foldText(quote).text.trim(), foldText(passage.join(" ")).text).similarity;
          fc.pre(truth >= 0.8);
          const found = search.find(quote, story[position]!.index);
          expect(found?.similarity ?? 0).toBeGreaterThanOrEqual(truth - 1e-9);
        },
      ),
      { numRuns: inputs(400) },
    );
  });
});

/** Typical changes that models make to the words they quote. */
const SLIPS: readonly ((word: string) => string)[] = [
  () => "",
  (word) => `${word} quite`,
  () => "nevertheless",
  (word) => word.slice(1),
  (word) => word.toUpperCase(),
  (word) => `${word}—`,
  (word) => [...word].reverse().join(""),
];

describe("similarity", () => {
  it("counts edits against the most similar part of the window", () => {
    expect(editSimilarity("abc", "xxabcxx")).toEqual({ similarity: 1, start: 2, end: 5 });
    expect(editSimilarity("abcd", "xxabxdxx").similarity).toBe(0.75);
    expect(editSimilarity("abc", "").similarity).toBe(0);
  });

  it("is told by counting bits as by filling the table, whatever the lengths", () => {
    const few = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 150 });
    fc.assert(
      fc.property(few, few, (wanted, window) => {
        const edits = new BitPattern(wanted).leastEdits(`xx${window}yy`, 2, 2 + window.length);
        expect(similarityOf(edits, wanted.length)).toBeCloseTo(editSimilarity(wanted, window).similarity, 12);
      }),
      { numRuns: inputs(1000) },
    );
    const pattern = new BitPattern("the same pattern serves many windows one after the other");
    expect([pattern.leastEdits("the same", 0, 8), pattern.leastEdits("the same", 0, 8)]).toEqual([48, 48]);
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

  it("are not flagged when they are the aspects the judge was asked about", async () => {
    const { criteria } = await loadRubric("long-story");
    const book = await readBook(assetPath("examples/the-inspector-of-weights.md"));
    const remark = { point: "I liked the Plot, the Characters and the World-Building, unlike Count Olaf.", quotes: [] };
    expect(new RemarkCheck(book, criteria).check(remark).absentNames).toEqual(["Count Olaf"]);
  });
});

import { createColors } from "picocolors";
import { describe, expect, it } from "vitest";
import type { BookSummary } from "../text/book-summary.ts";
import { bookListing } from "./book-listing.ts";

const colours = createColors(false);
const book: BookSummary = {
  file: "rain.epub",
  title: "Rain\u001b[2J",
  author: "A.\nWriter",
  language: "en",
  genres: [],
  premise: null,
  words: 1200,
  tokens: 1500,
  chapters: [
    { index: 1, kind: "part", title: "Book I", part: "Volume I", words: 0, tokens: 0 },
    {
      index: 2,
      kind: "chapter",
      title: "Morn\u001b]0;x\u0007ing",
      part: "Volume I · Book I",
      includes: ["Prologue"],
      words: 600,
      tokens: 700,
    },
    { index: 3, kind: "chapter", title: null, part: "Volume II", words: 600, tokens: 800 },
  ],
  removed: [{ rule: "motto", where: "p1.xhtml", text: `\u001b[31m${"long ".repeat(100)}` }],
  warnings: ["Chapter 4 is missing."],
  format: "epub",
  encoding: "UTF-8",
  bytes: 1,
  sha256: "0",
};

describe("the listing of a book", () => {
  it("shows parts as headings, what a chapter includes, and counts pages apart from chapters", () => {
    expect(bookListing(book, {}, colours).split("\n")).toEqual([
      "Rain[2J by A. Writer",
      "1,200 words, about 1,500 tokens in 2 chapters and 1 title page of parts · language en · epub, UTF-8",
      "! Chapter 4 is missing.",
      "  Volume I",
      "  1  Book I",
      "  2       600  Morn]0;xing (with Prologue)",
      "  Volume II",
      "  3       600  (no title)",
      "",
    ]);
  });

  it("says where the chapters are a guess", () => {
    const guessed = { ...book, recognised: { by: "titles in capitals", certainty: "guess" } } as const;
    expect(bookListing(guessed, {}, colours)).toContain("of parts (guessed from titles in capitals: check them) ·");
    const sure = { ...book, recognised: { by: "numbered chapter headings", certainty: "certain" } } as const;
    expect(bookListing(sure, {}, colours)).toBe(bookListing(book, {}, colours));
  });

  it("lets no control character of a manuscript reach the terminal", () => {
    expect(bookListing(book, { showRemoved: true }, colours).replaceAll("\n", "")).not.toMatch(/\p{Cc}/u);
  });

  it("tells on request which ways to read the chapters were considered", () => {
    const shown = bookListing(
      {
        ...book,
        recognised: { by: "the file's navigation", certainty: "certain" },
        considered: [
          { by: "numbered chapter headings", certainty: "certain", chapters: null },
          {
            ...{ by: "the file's navigation", certainty: "certain", chapters: 12 },
            ...{ coverage: 0.98, counting: null, inNavigation: 1, score: 1.21 },
          },
        ],
      },
      { why: true },
      colours,
    );
    expect(shown).toContain("  numbered chapter headings: none found");
    expect(shown).toContain(
      "→ the file's navigation (certain): 12 chapters, 98 % of the words, 100 % in the file's navigation; score 1.21",
    );
  });
});

import { describe, expect, it } from "vitest";
import { readBookFromBytes } from "../read-book.ts";

const PROSE =
  "The rain had stopped before anyone thought to close the windows, and the\nhouse smelled of wet stone. He went down to the river and counted the boats\nuntil the light was gone, and then he came home again by the old road.";
const body = (count = 6) => Array.from({ length: count }, (_, index) => `${PROSE} ${index}`).join("\n\n");
const ROMAN = ["I", "II", "III", "IV", "V", "VI"];
const TITLES = ["The Sisters", "An Encounter", "The Lamp", "Eveline", "After the Race", "Two Gallants"];
const chapters = (heading: (number: number) => string, count = 6) =>
  Array.from({ length: count }, (_, number) => `${heading(number)}\n\n${body()}`).join("\n\n\n");

const HEADER =
  "The Project Gutenberg EBook of Rain, by A. Writer\n\nTitle: Rain\n\nAuthor: A. Writer\n\n*** START OF THE PROJECT GUTENBERG EBOOK RAIN ***\n\n\nProduced by Nobody\n\n\nRAIN\n\nby\n\nA. WRITER\n\n\n";
const FOOTER =
  "\n\n\nEnd of the Project Gutenberg EBook of Rain\n\n*** END OF THE PROJECT GUTENBERG EBOOK RAIN ***\n\nlegal\n";
const OLD_HEADER =
  "**The Project Gutenberg Etext of Rain, by A. Writer**\n\nLaws are changing.\n\n*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*\n\n\nRAIN\n\nby A. Writer\n\n\n";

/** Ways in which plain-text editions of novels set their headings, each with the first title expected. */
const LAYOUTS: Readonly<Record<string, readonly [string, string]>> = {
  "titles in capitals after a list": [
    `CONTENTS\n\n${TITLES.join("\n")}\n\n\n${chapters((number) => TITLES[number]!.toUpperCase())}`,
    "THE SISTERS",
  ],
  "titles in small letters after a list": [
    `Contents\n\n ${TITLES.join("\n ")}\n\n\n${chapters((number) => TITLES[number]!)}`,
    "The Sisters",
  ],
  "numbered stories with numbered sections": [
    chapters((number) => `${ROMAN[number]}. ${TITLES[number]!.toUpperCase()}\n\nI.\n\n${body(2)}\n\nII.`),
    "I. THE SISTERS",
  ],
  "titles that begin with the pronoun": [
    chapters((number) => `CHAPTER ${ROMAN[number]}\n\nI SET OFF UPON MY JOURNEY`),
    "CHAPTER I: I SET OFF UPON MY JOURNEY",
  ],
  "bare numbers over titles": [
    `PART ONE--The Old Captain\n\n${chapters((number) => `${number + 1}\n\nI Go to Bristol`)}`,
    "1: I Go to Bristol",
  ],
  "first words in capitals": [
    chapters(
      (number) =>
        `CHAPTER ${ROMAN[number]}.\n\n\nYOU don't know about me without you have read a book by the\nname of another.`,
    ),
    "CHAPTER I.",
  ],
  "books over chapters": [
    `BOOK ONE\n\nTHE COMING\n\n\n${chapters((number) => `CHAPTER ${["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX"][number]}\n\nTHE EVE OF THE WAR`)}\n\nTHE END`,
    "CHAPTER ONE: THE EVE OF THE WAR",
  ],
  "headings glued to the text": [
    Array.from({ length: 6 }, (_, number) => `CHAPTER ${ROMAN[number]}\n${body()}`).join("\n\n"),
    "CHAPTER I",
  ],
  "numbers in words": [chapters((number) => ["ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX"][number]!), "ONE"],
  "a list that sums every chapter up": [
    `CONTENTS.\n\n${ROMAN.map((sign) => `CHAPTER ${sign}.\n\nThe birth of the hero, with some account of his parents, who were honest people of the county, and of the\nstorm in which he came into the world`).join("\n\n")}\n\n\n${chapters((number) => `CHAPTER ${ROMAN[number]}.`)}`,
    "CHAPTER I.",
  ],
};

describe("layouts of plain text", () => {
  it.each(Object.keys(LAYOUTS))("%s", async (name) => {
    const [text, first] = LAYOUTS[name]!;
    const book = await readBookFromBytes(new TextEncoder().encode(HEADER + text + FOOTER), "rain.txt");
    expect(book.chapters).toHaveLength(6);
    expect(book.chapters[0]?.title).toBe(first);
    expect(book.chapters.at(-1)?.text).not.toMatch(/Gutenberg|legal|THE END/);
  });

  it("with the small print of the first years", async () => {
    const file = `${OLD_HEADER}${chapters((number) => `Chapter ${ROMAN[number]}`)}\n\nEnd of The Project Gutenberg Etext of Rain\n`;
    const book = await readBookFromBytes(new TextEncoder().encode(file), "rain.txt");
    expect(book.chapters).toHaveLength(6);
    expect(book.removed.map(({ rule }) => rule)).toContain("Project Gutenberg header");
  });
});

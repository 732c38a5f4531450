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

/** Ways in which plain-text editions of novels format their headings, each with the first title expected. */
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

  const read = (text: string) => readBookFromBytes(new TextEncoder().encode(text), "rain.txt");

  it("with titles in capitals under their labels, however they end", async () => {
    const titles = [
      "COME AWAY, COME AWAY!",
      "THE LETTER SIGNED “BELLA”",
      "“TIGER! TIGER!”",
      "WHY?",
      "THE END",
      "CONCLUSION",
    ];
    const book = await read(
      titles.map((title, at) => `CHAPTER ${ROMAN[at]}\n\n${title}\n\n\n${body()}`).join("\n\n\n"),
    );
    expect(book.chapters.map(({ title }) => title)).toEqual(
      titles.map((title, at) => `CHAPTER ${ROMAN[at]}: ${title}`),
    );
  });

  it("with a long title right under its label", async () => {
    const title =
      "In Which the Keeper of the Seals Looks More Than Once\nfor the Bell, in Order to Ring It, as He Did Before";
    const book = await read(ROMAN.map((sign) => `Chapter ${sign}\n${title}\n\n${body()}`).join("\n\n\n"));
    expect(book.chapters).toHaveLength(ROMAN.length);
    expect(book.chapters[0]?.title).toMatch(/^Chapter I: In Which .* as He Did Before$/);
  });

  it("with stanzas, a spoken list and a speaker called I between bare numerals", async () => {
    const song = "I\n\nA stanza of the song.\n\nII\n\nAnother stanza.";
    const list = ["“1. His height was six feet.”", "“2. He was forty.", "“3. He was pale.", "“4. He was dead.”"].join(
      "\n\n",
    );
    const play = "I. Pardon me, my Lord.\n\nKing. What?\n\nI. Nothing, my Lord.";
    const between = [song, list, play];
    const book = await read(
      ROMAN.slice(0, 6)
        .map((sign, at) => `${sign}\n\n${body()}\n\n${between[at % 3]}\n\n${body()}`)
        .join("\n\n\n"),
    );
    expect(book.chapters.map(({ title }) => title)).toEqual(ROMAN.slice(0, 6));
    expect(book.chapters[1]?.text).toContain("His height was six feet");
    expect(book.removed).toEqual([]);
  });

  it("with words broken at line ends, whose hyphens are removed unless the text has them elsewhere", async () => {
    const line =
      "The well-known house on the hill had been empty for an inter-\nesting number of years, and its well-\nknown windows were dark--\nall but one.";
    const file = Array.from({ length: 40 }, () => line).join("\n\n");
    const book = await readBookFromBytes(new TextEncoder().encode(file), "rain.txt");
    expect(book.chapters[0]?.text.split("\n\n")[0]).toBe(
      "The well-known house on the hill had been empty for an interesting number of years, and its well-known windows were dark--all but one.",
    );
  });

  it("in one endless line without headings", async () => {
    const sentence = "The rain had stopped before anyone thought to close the windows. ";
    const book = await readBookFromBytes(new TextEncoder().encode(sentence.repeat(2000)), "rain.txt");
    expect(book.chapters.length).toBeGreaterThan(4);
    expect(book.words).toBe(22_000);
    expect(book.warnings[0]).toMatch(/^No chapter headings were found/);
    for (const { text } of book.chapters) expect(text).toMatch(/^The rain.*windows\.$/s);
  });

  it("with the small print of the first years", async () => {
    const file = `${OLD_HEADER}${chapters((number) => `Chapter ${ROMAN[number]}`)}\n\nEnd of The Project Gutenberg Etext of Rain\n`;
    const book = await readBookFromBytes(new TextEncoder().encode(file), "rain.txt");
    expect(book.chapters).toHaveLength(6);
    expect(book.removed.map(({ rule }) => rule)).toContain("Project Gutenberg header");
  });
});

async function textOf(content: string): Promise<string> {
  const { chapters } = await readBookFromBytes(new TextEncoder().encode(content), "text.txt");
  return chapters.map(({ text }) => text).join("\n\n");
}

describe("a plain text set in lines", () => {
  it("keeps the lines of verse that fills the whole file", async () => {
    const stanza =
      "The lamp went out before the tide came in\nAnd no one on the harbour wall could say\nWhose boat it was that lay beside the quay,\nNor why the bell had rung at break of day;";
    const poem = Array.from({ length: 8 }, () => stanza).join("\n\n");
    expect(await textOf(poem)).toBe(poem);
  });

  it("still joins prose that is wrapped in narrow lines", async () => {
    const prose = Array.from(
      { length: 12 },
      () =>
        "He went down to the harbour to see\nMary and her brother, who had come\nwith the boat from Hull that morning\nand would not stay for long.",
    ).join("\n\n");
    expect(await textOf(prose)).toBe(prose.replace(/([^\n])\n(?!\n)/g, "$1 "));
  });
});

describe("a plain text with soft hyphens", () => {
  it("is read without them, and a word broken at the end of a line is whole", async () => {
    const text = "He lit the lan\u00adtern and went down to the har\u00ad\n  bour, where the others\u200b were.";
    const plain = "He lit the lantern and went down to the harbour, where the others were.";
    expect(await textOf(`${text}\n\n${text}`)).toBe(`${plain}\n\n${plain}`);
  });
});

import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { epubOf, PROSE } from "../../../test/support/small-files.ts";
import { readBook, readBookFromBytes } from "../read-book.ts";
import { chapterCorrectionsSchema, correctChapters } from "./chapter-corrections.ts";

const TEXT = ["Chapter 1", PROSE, "The Lamp", PROSE, "Chapter 2", PROSE, "Chapter 3", `${PROSE} End.`].join("\n\n");
const read = () => readBookFromBytes(new TextEncoder().encode(TEXT), "rain.txt");
const MARKED = "headings that the file marks";
const titles = ({ chapters }: Awaited<ReturnType<typeof read>>) => chapters.map(({ title }) => title);

describe("chapters corrected by hand", () => {
  it("are merged, split at a line, renamed and set aside, each named by the number it was found under", async () => {
    const book = await read();
    const corrected = correctChapters(book, [
      { split: 1, at: "The Lamp", title: "The Lamp" },
      { rename: 2, title: "The Ferry" },
      { merge: 3 },
    ]);
    expect(titles(corrected)).toEqual(["Chapter 1", "The Lamp", "The Ferry"]);
    expect(corrected.chapters.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(corrected.chapters[2]?.text).toContain("Chapter 3");
    expect(corrected.chapters[1]?.text.startsWith("The Lamp")).toBe(true);
    const front = correctChapters(book, [{ "front-matter": 1 }]);
    expect(titles(front)).toEqual(["Chapter 2", "Chapter 3"]);
    expect(front.removed.at(-1)).toMatchObject({ rule: "front matter, by hand", where: "Chapter 1" });
    expect(front.words).toBe(book.words - book.chapters[0]!.words);
  });

  it("find their chapter by its title or its first words when a new draft has moved it", async () => {
    const book = await read();
    const corrected = correctChapters(book, [{ rename: 1, title: "The Ferry", of: "Chapter 2" }]);
    expect(titles(corrected)).toEqual(["Chapter 1", "The Ferry", "Chapter 3"]);
    expect(() => correctChapters(book, [{ rename: 1, title: "The Ferry", of: "Chapter 9" }])).toThrow(
      "No chapter is called “Chapter 9” or begins with it: correct the chapters of this draft again.",
    );
  });

  it("may be those of another strategy, which is chosen by its name", async () => {
    const page = ["One", "Two", "Three"]
      .map((title) => `<h2>Chapter ${title}</h2><h3>Morning</h3><p>${PROSE}</p><h3>Evening</h3><p>${PROSE}</p>`)
      .join("");
    const bytes = new TextEncoder().encode(`<html><body>${page}</body></html>`);
    const book = await readBookFromBytes(bytes, "rain.html");
    expect(book.chapters).toHaveLength(3);
    expect(book.finding?.considered?.map(({ by, chapters }) => [by, chapters])).toContainEqual([MARKED, 6]);
    const corrections = [{ strategy: MARKED }, { rename: 2, title: "Dusk" }];
    const other = await readBookFromBytes(bytes, "rain.html", { corrections });
    expect([other.chapters.length, titles(other)[1]]).toEqual([6, "Dusk"]);
    const none = readBookFromBytes(bytes, "rain.html", { corrections: [{ strategy: "tea leaves" }] });
    await expect(none).rejects.toThrow("The chapters of rain.html cannot be read by “tea leaves”: choose one of: ");
  });

  it("that name a missing chapter or line are refused in one clear sentence", async () => {
    const book = await read();
    expect(() => correctChapters(book, [{ rename: 9, title: "x" }])).toThrow(/no chapter 9 to correct/);
    expect(() => correctChapters(book, [{ split: 1, at: "Nowhere" }])).toThrow(/no line that begins with “Nowhere”/);
    expect(() => correctChapters(book, [{ merge: 1 }])).toThrow(/is the first/);
    expect(chapterCorrectionsSchema.safeParse([{ merge: 0 }]).success).toBe(false);
  });

  it("are checked again: a warning disappears with its cause, and new ones appear", async () => {
    const text = [
      "Chapter 1",
      PROSE,
      "Chapter 2",
      `Then. ${PROSE}`,
      "The Third",
      `${PROSE} So.`,
      "Chapter 4",
      `${PROSE} End.`,
    ];
    const book = await readBookFromBytes(new TextEncoder().encode(text.join("\n\n")), "rain.txt");
    expect(book.warnings.join()).toContain("jumps: 2 to 4");
    expect(correctChapters(book, [{ split: 2, at: "The Third", title: "Chapter 3" }]).warnings).toEqual([]);
    expect(correctChapters(book, [{ rename: 1, title: "Chapter 9" }]).warnings.join()).toContain("jumps: 9 to 2");
  });

  it("are checked again against the file's own table of contents", async () => {
    const contents = ["CONTENTS", ...[1, 2, 3, 4, 5].map((number) => `CHAPTER ${number}`)].join("\n");
    const chapter = (number: number) => {
      // Nothing marks the fourth heading as one.
      const heading = number === 4 ? "and then the frost" : `CHAPTER ${number}`;
      return `${heading}\n\n${`${PROSE} `.repeat(12)}It was day ${number}.`;
    };
    const text = [contents, ...[1, 2, 3, 4, 5].map(chapter)].join("\n\n\n");
    const book = await readBookFromBytes(new TextEncoder().encode(text), "rain.txt");
    expect(book.warnings.join()).toContain("lists chapters that were not found: 4");
    expect(correctChapters(book, [{ rename: 1, title: "CHAPTER 1. Rain" }]).warnings.join()).toContain("not found: 4");
    const split = { split: 3, at: "and then the frost", title: "CHAPTER 4" };
    expect(correctChapters(book, [split]).warnings).toEqual([]);
  });

  it("of one number are two chapters in a row until one is renamed", async () => {
    const numbers = [1, 2, 2, 3];
    const text = numbers.map(
      (number, at) => `Chapter ${number}. Day ${at}\n\n${`${PROSE} `.repeat(12)}It was day ${at}.`,
    );
    const book = await readBookFromBytes(new TextEncoder().encode(text.join("\n\n")), "rain.txt");
    expect(book.warnings.join()).toContain("same number: 2");
    const renamed = correctChapters(book, [{ rename: 3, title: "Interlude" }]);
    expect(renamed.warnings).toEqual([]);
  });

  it("of a text without headings are no longer called pieces once they have names", async () => {
    const days = [0, 1, 2, 3].map((day) => `the ${day}th day\n\n${`${PROSE} `.repeat(200)}It was day ${day}.`);
    const book = await readBookFromBytes(new TextEncoder().encode(days.join("\n\n")), "rain.txt");
    expect(book.warnings.join()).toContain("was cut into");
    const named = correctChapters(book, [{ rename: 1, title: "The First Days" }]);
    expect(named.warnings.join()).not.toContain("was cut into");
  });

  it("keep the title pages of parts between the same chapters", async () => {
    const page = (type: string, title: string, text = "") =>
      `<html><body><section epub:type="${type}"><h2>${title}</h2>${text}</section></body></html>`;
    const chapter = (title: string) => page("chapter", title, `<p>${`${PROSE} `.repeat(12)}It was ${title}.</p>`);
    const bytes = epubOf({
      "1.xhtml": page("part", "Part I"),
      "2.xhtml": chapter("Rain"),
      "3.xhtml": chapter("Wind"),
      "4.xhtml": page("part", "Part II"),
      "5.xhtml": chapter("Snow"),
    });
    const book = await readBookFromBytes(bytes, "rain.epub");
    expect(book.parts?.map(({ index }) => index)).toEqual([1, 4]);
    const corrected = correctChapters(book, [{ merge: 3 }]);
    expect(corrected.parts?.map(({ index }) => index)).toEqual([1, 3]);
    expect(corrected.chapters.map(({ index }) => index)).toEqual([2, 4]);
    expect(corrected.warnings).toEqual([]);
  });

  it("are read from book.yaml", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-corrections-"));
    await writeFile(join(folder, "rain.txt"), TEXT);
    await writeFile(join(folder, "book.yaml"), "chapters:\n  - merge: 2\n  - rename: 3\n    title: Last\n");
    expect(titles(await readBook(join(folder, "rain.txt")))).toEqual(["Chapter 1", "Last"]);
    await writeFile(join(folder, "book.yaml"), "titel: Rain\n");
    await expect(readBook(join(folder, "rain.txt"))).rejects.toThrow(/book\.yaml is not understood at titel/);
  });
});

import { mkdtemp, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { beforeAll, describe, expect, it } from "vitest";
import { readBook, readBookFromBytes } from "./read-book.ts";

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-read-"));
});

const PROSE = "The rain had stopped before anyone thought to close the windows, and the house smelled of wet stone.";
const paragraphs = (count: number) => Array.from({ length: count }, () => PROSE).join("\n\n");
const bytes = (text: string) => new TextEncoder().encode(text);

const epub = (pages: Record<string, string>) =>
  zipSync({
    mimetype: strToU8("application/epub+zip"),
    "META-INF/container.xml": strToU8(
      '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>',
    ),
    "OPS/book.opf": strToU8(
      `<package><metadata><dc:title>Rain</dc:title><dc:creator>A. Writer</dc:creator></metadata><manifest>${Object.keys(
        pages,
      )
        .map((name, index) => `<item id="p${index}" href="${name}" media-type="application/xhtml+xml"/>`)
        .join("")}</manifest><spine>${Object.keys(pages)
        .map((_name, index) => `<itemref idref="p${index}"/>`)
        .join("")}</spine></package>`,
    ),
    ...Object.fromEntries(Object.entries(pages).map(([name, page]) => [`OPS/${name}`, strToU8(page)])),
  });

const page = (type: string, title: string, count = 3) =>
  `<html xmlns:epub="x"><body><section epub:type="${type}"><h2>${title}</h2>${`<p>${PROSE}</p>`.repeat(count)}</section></body></html>`;

describe("a plain text", () => {
  it("gives its chapters with hard-wrapped lines joined", async () => {
    const wrapped = PROSE.replace("thought ", "thought\n");
    const book = await readBookFromBytes(
      bytes(`CHAPTER I\n\n${wrapped}\n\n${PROSE}\n\nCHAPTER II\nThe Window\n\n${paragraphs(2)}\n`),
      "rain.txt",
    );
    expect(book.chapters.map(({ title }) => title)).toEqual(["CHAPTER I", "CHAPTER II: The Window"]);
    expect(book.chapters[0]?.text).toBe(`${PROSE}\n\n${PROSE}`);
    expect(book).toMatchObject({ title: "rain", language: "en", source: { format: "text", encoding: "UTF-8" } });
  });

  it("is cut into pieces, with a warning, if it has no headings", async () => {
    const book = await readBookFromBytes(bytes(paragraphs(600)), "rain.txt");
    expect(book.chapters.length).toBeGreaterThan(1);
    expect(book.warnings.join()).toMatch(/No chapter headings/);
  });

  it("counts bytes that do not decode, and goes on", async () => {
    const text = bytes(`Chapter 1\n\n${"Café naïve. ".repeat(40)}${PROSE}\n\nChapter 2\n\n${PROSE}`);
    const broken = new Uint8Array([...text, 0xff, 0xfe, 0x20]);
    const book = await readBookFromBytes(broken, "rain.txt");
    expect(book.chapters).toHaveLength(2);
    expect(book.warnings).toEqual(["2 bytes do not decode as UTF-8 and became the replacement character."]);
  });
});

describe("a title page that nothing sets apart", () => {
  const chapters = [1, 2, 3].map((number) => `Chapter ${number}\n\n${paragraphs(12)}`).join("\n\n");
  const read = (page: string) => readBookFromBytes(bytes(`${page}\n\n${chapters}`), "entwurf 7.txt");

  it.each([
    ["a title alone", "The Storm", "The Storm", null],
    ["“by” on its own line", "THE STORM\n\nA Novel\n\nby\n\nJane Doe", "THE STORM", "Jane Doe"],
    [
      "a page for submissions",
      "Jane Doe\n12 Harbour Street\nWhitby\n\nApprox. 90,000 words\n\nThe Storm\n\nby Jane Doe",
      "The Storm",
      "Jane Doe",
    ],
    [
      "a name without an address over the title",
      "Jane Doe\n\nTHE STORM\n\nA novel, written by Jane Doe\n\nAll rights reserved",
      "THE STORM",
      "Jane Doe",
    ],
    ["a title under a number of words", "Approx. 90,000 words\n\nThe Storm", "The Storm", null],
  ])("names the book: %s", async (_, page, title, author) => {
    const book = await read(page);
    expect(book).toMatchObject({ title, author });
    expect(book.chapters.map((chapter) => chapter.title)).toEqual(["Chapter 1", "Chapter 2", "Chapter 3"]);
  });

  it.each([
    ["a dedication", "For Anna"],
    ["a motto", "Rain falls on everybody."],
    ["two names of which none is a title for sure", "Anna Laide\n\nJane Doe"],
    ["a list", "Contents\n\nThe Rain\n\nThe Storm\n\nThe Calm"],
    ["a name in capitals over a title", "JANE DOE\n\nThe Storm"],
    ["a title in capitals over a name", "THE STORM\n\nSecond draft\n\nJane Doe"],
    ["a title over a place", "THE STORM\n\nNew York"],
    ["the holder of the rights", "THE STORM\n\nJane Doe\n\nCopyright © 2020 by Jane Doe\n\nAll rights reserved"],
    ["a translator", "THE IDIOT\n\nFyodor Dostoevsky\n\nTranslated by Constance Garnett"],
    ["a translator alone", "THE IDIOT\n\nTranslated by Constance Garnett"],
    ["who drew the cover", "The Storm\n\nJane Doe\n\nCover art by John Smith"],
    ["a subtitle", "The Storm\n\nA Tale of Two Towns\n\nby Jane Doe"],
    ["the end of a long title", "THE STORM\nAND THE CALM\nby\nJane Doe"],
    ["a subtitle under a name and a title", "Jane Doe\nThe Storm\n\nA Tale of Two Towns\n\nby Jane Doe"],
    ["a byline over a title", "By Jane Doe\n\nTHE STORM"],
    ["a byline alone", "By Jane Doe"],
    ["a title and its writer in one line", "The Storm by Jane Doe"],
    ["prose", "She Waited\nand was Found by Anna\nHe said nothing."],
    ["an address under “by”", "THE STORM\nby\n12 Harbour Street"],
  ])("is not made of %s", async (_, page) => {
    expect(await read(page)).toMatchObject({ title: "entwurf 7", author: null });
  });

  it.each([
    ...["Jane Doe\n90,000 words", "Jane Doe", "DRAFT", "Confidential", "All Rights Reserved", "Content Warning", "Map"],
    ...["In Loving Memory of Anna", "Meiner Mutter", "LONDON", "THE HAGUE, 1943", "Monday", "Anna", "A Map of Whitby"],
    ...["A Note on Spelling", "A Short Story"],
  ])("is not made of a line that may be something else: %j", async (page) => {
    expect(await read(page)).toMatchObject({ title: "entwurf 7", author: null });
  });
});

describe("Markdown", () => {
  it("has chapters from its marked headings, metadata from its front matter, and no marks of emphasis", async () => {
    const source = `---\ntitle: Rain\nauthor: A. Writer\n---\n# Rain\n\n## Morning\n\nIt *was* **raining**.\n\n${PROSE}\n\n## Evening\n\n${PROSE}\n`;
    const book = await readBookFromBytes(bytes(source), "rain.md");
    expect(book).toMatchObject({ title: "Rain", author: "A. Writer" });
    expect(book.chapters.map(({ title }) => title)).toEqual(["Morning", "Evening"]);
    expect(book.chapters[0]?.text).toBe(`It was raining.\n\n${PROSE}`);
  });
});

describe("an EPUB", () => {
  it("gives the chapters of its spine with their parts, and leaves out what is not story", async () => {
    const file = epub({
      "title.xhtml": page("titlepage", "Rain"),
      "part1.xhtml": page("part", "Part I", 0),
      "one.xhtml": page("chapter", "One"),
      "two.xhtml": page("chapter", "Two"),
      "colophon.xhtml": page("colophon", "Colophon"),
    });
    const book = await readBookFromBytes(file, "rain.epub");
    expect(book.chapters.map(({ title, part }) => [part, title])).toEqual([
      ["Part I", "One"],
      ["Part I", "Two"],
    ]);
    expect(book.removed.map(({ where }) => where)).toEqual(["OPS/title.xhtml", "OPS/colophon.xhtml"]);
  });
});

describe("bad input ends in one clear sentence", () => {
  const refused = async (name: string, content: Uint8Array | string) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return readBook(path);
  };

  it("a missing file", () => expect(readBook(join(folder, "absent.txt"))).rejects.toThrow(/There is no file/));
  it("an empty file", () => expect(refused("empty.txt", "")).rejects.toThrow(/empty/));
  it("a binary file", () =>
    expect(refused("picture.txt", new Uint8Array([137, 80, 78, 71, 0, 0, 1, 2]))).rejects.toThrow(/is a picture/));
  it("a file of spaces", () => expect(refused("spaces.txt", " \n \n")).rejects.toThrow(/no readable text/));
  it("a file over the limit, without reading it", async () => {
    const path = join(folder, "huge.txt");
    await writeFile(path, "x");
    await truncate(path, 200_000_000);
    await expect(readBook(path)).rejects.toThrow(/200 MB, more than the 100 MB/);
  });
  it("a zip that is not an EPUB", () =>
    expect(refused("other.epub", zipSync({ "a.txt": strToU8("x") }))).rejects.toThrow(
      /is a broken EPUB: the archive has no META-INF/,
    ));
  it("a damaged archive", () =>
    expect(refused("cut.epub", epub({ "one.xhtml": page("chapter", "One") }).subarray(0, 300))).rejects.toThrow(
      /damaged archive/,
    ));
  it("a path out of the archive", () =>
    expect(refused("out.epub", zipSync({ "../../evil.xhtml": strToU8("x") }))).rejects.toThrow(
      /leads out of the archive/,
    ));
  it("a decompression bomb", () =>
    expect(refused("bomb.epub", zipSync({ "a.xhtml": new Uint8Array(8_000_000) }))).rejects.toThrow(
      /more than a book can be/,
    ));
});

describe("standard input", () => {
  async function* input(text: string) {
    yield text;
  }

  it("is read as Markdown or HTML if it is written like that", async () => {
    const markdown = await readBook("-", { stdin: input(`# Rain\n\n${PROSE} *Wet.*\n\n# Wind\n\n${PROSE}`) });
    expect(markdown.chapters.map(({ title }) => title)).toEqual(["Rain", "Wind"]);
    expect(markdown.chapters[0]!.text).toBe(`${PROSE} Wet.`);
    const html = await readBook("-", { stdin: input(`<html><body><p>${PROSE}</p></body></html>`) });
    expect(html.source.format).toBe("html");
  });
});

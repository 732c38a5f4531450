import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { paragraphs } from "../../../test/layouts/layout-case.ts";
import { docx, fb2, mobi, odt, rtf, type Written } from "../../../test/support/manuscripts.ts";
import { readBookFromBytes } from "../read-book.ts";

const TITLES = ["Fog", "Wind", "Snow", "Sun", "Hail", "Ice"];
const prose = (seed: number, count = 4): Written[] => paragraphs(count, seed).map((text) => ({ text }));
const CHAPTERS: Written[] = TITLES.flatMap((text, at) => [{ text, level: 1 }, ...prose(at)]);
const PARTS: Written[] = [
  { text: "The Harbour", level: 1 },
  ...TITLES.slice(0, 3).flatMap((text, at) => [{ text, level: 2 }, ...prose(at)]),
  { text: "The Sea", level: 1 },
  ...TITLES.slice(3).flatMap((text, at) => [{ text, level: 2 }, ...prose(at + 3)]),
];
const FORMATS = { docx, odt, rtf, fb2, mobi } as const;
const WORD_PROCESSORS = { docx, odt, rtf } as const;
const titlesOf = (book: Awaited<ReturnType<typeof readBookFromBytes>>) => book.chapters.map(({ title }) => title);

describe.each(Object.entries(FORMATS))("a novel as %s", (extension, write) => {
  it("gives its chapters and its whole text", async () => {
    const book = await readBookFromBytes(write(CHAPTERS), `novel.${extension}`);
    expect(book.source.format).toBe(extension);
    expect(titlesOf(book)).toEqual(TITLES);
    expect(book.chapters[1]?.text).toBe(paragraphs(4, 1).join("\n\n"));
    expect(book.warnings).toEqual([]);
  });

  it("gives the chapters of its parts", async () => {
    const book = await readBookFromBytes(write(PARTS), `novel.${extension}`);
    expect(titlesOf(book)).toEqual(TITLES);
    expect(book.chapters.map(({ part }) => part)).toEqual([
      ...Array(3).fill("The Harbour"),
      ...Array(3).fill("The Sea"),
    ]);
  });

  it("is recognised without its name", async () => {
    const book = await readBookFromBytes(write(CHAPTERS), "standard input");
    expect(book.source.format).toBe(extension);
  });
});

describe.each(Object.entries(WORD_PROCESSORS))("a manuscript written as %s", (extension, write) => {
  const read = (written: readonly Written[]) => readBookFromBytes(write(written), `novel.${extension}`);

  it("has a chapter for each centred name, as in novels with several narrators", async () => {
    const voices = ["Anna", "Karl", "Anna", "Marta", "Karl", "Anna", "Karl", "Marta", "Anna", "Karl"];
    const book = await read(voices.flatMap((text, at) => [{ text, isCentred: true }, ...prose(at)]));
    expect(titlesOf(book)).toEqual(voices);
  });

  it("has a chapter for each new page if there are no headings", async () => {
    const book = await read(
      TITLES.flatMap((_title, at) =>
        prose(at, 5).map((paragraph, index) => ({ ...paragraph, startsPage: at > 0 && index === 0 })),
      ),
    );
    expect(book.chapters).toHaveLength(TITLES.length);
    expect(book.finding?.recognised).toEqual({ by: "page breaks", certainty: "guess" });
  });

  it("has a chapter for each new page if only the last pages have a heading", async () => {
    const pages = TITLES.flatMap((_title, at) =>
      prose(at, 5).map((paragraph, index) => ({ ...paragraph, startsPage: at > 0 && index === 0 })),
    );
    const book = await read([...pages, { text: "Chapter Seven", isCentred: true, startsPage: true }, ...prose(7, 5)]);
    expect(titlesOf(book)).toEqual([...TITLES.map(() => null), "Chapter Seven"]);
    expect(book.finding?.recognised).toEqual({ by: "page breaks", certainty: "guess" });
    expect(book.finding?.considered?.filter(({ chapters }) => chapters !== null)).toMatchObject([
      { by: "a single chapter heading", score: expect.any(Number) },
      { by: "page breaks", chapters: TITLES.length + 1, score: expect.any(Number) },
    ]);
  });

  it("does not read the pages of the paper as chapters", async () => {
    const pages = paragraphs(60).flatMap((text, at): Written[] => {
      if (at % 5 !== 4) return [{ text }];
      const middle = text.indexOf(" ", text.length / 2);
      return [{ text: text.slice(0, middle) }, { text: text.slice(middle), startsPage: true }];
    });
    const book = await read(pages);
    expect(book.finding?.recognised).toBeUndefined();
    expect(book.warnings.join()).toContain("No chapter headings were found");
  });

  it("has its title and writer on a title page for submissions", async () => {
    const page: Written[] = [
      { text: "Jane Doe" },
      { text: "12 Harbour Street, Whitby" },
      { text: "about 90,000 words" },
      { text: "The Lamp", isCentred: true },
      { text: "by Jane Doe", isCentred: true },
    ];
    const book = await read([...page, ...CHAPTERS]);
    expect(book).toMatchObject({ title: "The Lamp", author: "Jane Doe" });
    expect(titlesOf(book)).toEqual(TITLES);
    expect(book.removed.map(({ rule }) => rule)).toEqual(["title page"]);
  });

  it.each<[string, readonly Written[]]>([
    ["above “by …”", [{ text: "The Lamp" }, { text: "A Novel" }, { text: "by Jane Doe" }]],
    ["above a name", [{ text: "The Lamp" }, { text: "A Romance in Three Parts" }, { text: "Jane Doe" }]],
    [
      "above “by” on its own line",
      [{ text: "The Lamp" }, { text: "Second draft" }, { text: "by" }, { text: "Jane Doe" }],
    ],
    ["under a title by its style", [{ text: "The Lamp", style: "Title" }, { text: "a novel" }, { text: "Jane Doe" }]],
  ])("takes what the book is, %s, for neither its title nor its writer", async (_, page) => {
    const book = await read([...page.map((line) => ({ ...line, isCentred: true })), ...CHAPTERS]);
    expect(book).toMatchObject({ title: "The Lamp", author: "Jane Doe" });
    expect(titlesOf(book)).toEqual(TITLES);
  });

  it("reads neither a dedication nor a part's title as the writer's name", async () => {
    for (const text of ["For Anna Maria", "Part One"]) {
      const page: Written[] = [
        { text: "The Lamp", style: "Title" },
        { text, isCentred: true },
      ];
      expect((await read([...page, ...CHAPTERS])).author).toBeNull();
    }
  });

  it("has both in the styles Title and Author", async () => {
    const book = await read([{ text: "The Lamp", style: "Title" }, { text: "Jane Doe", style: "Author" }, ...CHAPTERS]);
    expect(book).toMatchObject({ title: "The Lamp", author: "Jane Doe" });
    expect(titlesOf(book)).toEqual(TITLES);
  });
});

describe("RTF", () => {
  const read = (body: string) => readBookFromBytes(strToU8(`{\\rtf1\\ansi\\ansicpg1252 ${body}}`, true), "a.rtf");

  it("reads letters of every alphabet and leaves out what is hidden, deleted or in the margins", async () => {
    const book = await read(
      "{\\fonttbl{\\f1\\fcharset204 Arial;}}{\\footer foot}{\\*\\unknown x}\\pard na\\'efve \\ldblquote caf\\u233?\\rdblquote\\emdash {\\f1 \\'cc\\'e8\\'f0}{\\v hidden}{\\deleted gone}{\\field{\\*\\fldinst PAGE}{\\fldrslt shown}} \\{brace\\}\\par",
    );
    expect(book.chapters[0]?.text).toBe("naïve “café”—Мирshown {brace}");
  });

  it("puts notes after the text, under their numbers", async () => {
    const book = await read(
      "\\pard He lied{\\super\\chftn}{\\footnote\\pard\\plain {\\super\\chftn} Not for long.}.\\par",
    );
    expect(book.chapters[0]?.text).toBe("He lied[1].\n\n[1] Not for long.");
  });
});

describe("FB2", () => {
  it("keeps verse in lines, takes notes out and reads a zipped book", async () => {
    const source = `<FictionBook><description><title-info><book-title>Rain</book-title></title-info></description><body><section><title><p>One</p></title><p>It rained.</p><poem><stanza><v>Drop</v><v>by drop</v></stanza></poem></section></body><body name="notes"><section><p>A note.</p></section></body></FictionBook>`;
    const book = await readBookFromBytes(zipSync({ "rain.fb2": strToU8(source) }), "rain.fb2.zip");
    expect(book.chapters[0]?.text).toContain("It rained.\n\nDrop\nby drop");
    expect(book.removed).toMatchObject([{ rule: "notes", text: "A note." }]);
  });
});

describe("a file that is not a book", () => {
  const refusals: readonly (readonly [string, string, string])[] = [
    ["script.fountain", "INT. HOUSE - DAY\n\nANNA\nHello.", "a screenplay in Fountain"],
    ["old.doc", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 rest", "save it as DOCX"],
    ["novel.tex", "\\documentclass{book}", "a LaTeX source"],
    ["standard input", "\\documentclass{book}\n\\begin{document}", "a LaTeX source"],
    ["novel.pages", "any", "export it from Pages"],
    ["novel.kfx", "any", "give the EPUB"],
    ["project.scrivx", "<ScrivenerProject/>", "the whole project folder"],
    ["standard input", '<?xml version="1.0"?><TEI><text>Once.</text></TEI>', "neither HTML nor FB2"],
    ["picture.txt", "\x89PNG\r\n\x1a\n", "a picture"],
  ];
  it.each(refusals)("%s is refused, with what to give instead", async (name, text, reason) => {
    await expect(readBookFromBytes(strToU8(text, true), name)).rejects.toThrow(reason);
  });

  it("is refused as what it is if it is an archive", async () => {
    const zip = (names: readonly string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8("x")])));
    await expect(readBookFromBytes(zip(["ch1.md", "ch2.md"]), "a.zip")).rejects.toThrow("unpack it");
    await expect(readBookFromBytes(zip(["xl/workbook.xml"]), "a.xlsx")).rejects.toThrow("a spreadsheet");
    await expect(readBookFromBytes(zip(["N.scriv/N.scrivx"]), "a.zip")).rejects.toThrow("ends in .scriv");
  });

  it("says that a MOBI is copy-protected", async () => {
    const bytes = mobi(CHAPTERS);
    const header = new DataView(bytes.buffer).getUint32(78);
    bytes[header + 13] = 2;
    await expect(readBookFromBytes(bytes, "a.mobi")).rejects.toThrow("copy-protected");
  });
});

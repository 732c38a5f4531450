import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { docxOf, epubOf, PROSE, pdfOf } from "../../../test/support/small-files.ts";
import { readBook, readBookFromBytes } from "../read-book.ts";

const bytes = (text: string) => new TextEncoder().encode(text);
const titlesOf = (book: { chapters: readonly { title: string | null }[] }) => book.chapters.map(({ title }) => title);
const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, index) => `<p>${PROSE} ${index}</p>`).join("\n");

describe("HTML", () => {
  it("gives the chapters of its headings without page numbers, notes and scripts", async () => {
    const html = `<!DOCTYPE html><html><head><title>The Project Gutenberg eBook of Rain, by A. Writer</title><style>p{}</style></head><body>
      <pre>\n*** START OF THE PROJECT GUTENBERG EBOOK RAIN ***\n</pre>
      <h1>RAIN</h1><h2>CONTENTS</h2><table><tr><td>I.</td><td>Morning</td></tr><tr><td>II.</td><td>Evening</td></tr></table>
      <h2>CHAPTER I.<br/>MORNING</h2><p>It was<span class="pagenum">[Pg 3]</span> raining<a class="fnanchor">[1]</a> &mdash; still.</p>${paragraphs(4)}
      <script>alert("no")</script><hr/>
      <h2>CHAPTER II.<br/>EVENING</h2>${paragraphs(4)}
      <pre>\n\nEnd of the Project Gutenberg EBook of Rain\n\nSmall print goes on and on.\n</pre></body></html>`;
    const book = await readBookFromBytes(bytes(html), "rain.html");
    expect(book).toMatchObject({ title: "Rain", author: "A. Writer", language: "en" });
    expect(titlesOf(book)).toEqual(["CHAPTER I. MORNING", "CHAPTER II. EVENING"]);
    expect(book.chapters[0]?.text.split("\n\n")[0]).toBe("It was raining — still.");
    expect(book.chapters.map(({ text }) => text).join()).not.toMatch(/alert|Small print|Pg 3|Project/);
    expect(new Set(book.removed.map(({ rule }) => rule))).toContain("Project Gutenberg footer");
  });

  it("is read in the encoding it declares", async () => {
    const html = '<html><head><meta charset="windows-1251"></head><body><p>?</p></body></html>';
    const russian = [0xc4, 0xee, 0xe6, 0xe4, 0xfc];
    const [before, after] = html.split("?");
    const file = new Uint8Array([...bytes(before!), ...russian, ...bytes(after!)]);
    const book = await readBookFromBytes(file, "дождь.html");
    expect(book.chapters[0]?.text).toBe("Дождь");
    expect(book.source.encoding).toBe("windows-1251");
  });

  it("keeps story text although its element is marked as something else", async () => {
    const html = `<html><body><div class="caption">${paragraphs(20)}</div></body></html>`;
    expect((await readBookFromBytes(bytes(html), "a.html")).words).toBeGreaterThan(300);
  });

  it("gives the same chapters as the plain text of the book", async () => {
    const prose = Array.from({ length: 12 }, (_, index) => `${PROSE} ${index}`);
    const text = `RAIN\n\nCONTENTS\n\n  I. Morning\n  II. Evening\n  III. Night\n\n${["Morning", "Evening", "Night"]
      .map((title, index) => `${["I", "II", "III"][index]}. ${title}\n\n${prose.join("\n\n")}`)
      .join("\n\n\n")}\n\nTHE END\n`;
    const html = `<html><body><h1>RAIN</h1><h2>CONTENTS</h2><ul><li>I. Morning</li><li>II. Evening</li><li>III. Night</li></ul>${[
      "Morning",
      "Evening",
      "Night",
    ]
      .map(
        (title, index) =>
          `<h3>${["I", "II", "III"][index]}. ${title}</h3>${prose.map((line) => `<p>${line}</p>`).join("")}`,
      )
      .join("")}<p>THE END</p></body></html>`;
    const [plain, page] = await Promise.all([
      readBookFromBytes(bytes(text), "a.txt"),
      readBookFromBytes(bytes(html), "a.html"),
    ]);
    expect(titlesOf(plain)).toEqual(["I. Morning", "II. Evening", "III. Night"]);
    expect(plain.chapters).toEqual(page.chapters);
  });
});

describe("EPUB", () => {
  it("takes titles from the NCX for places that a page does not mark", async () => {
    const ncx = `<ncx><navMap>${["One", "Two"]
      .map(
        (title, index) =>
          `<navPoint><navLabel><text>${title}</text></navLabel><content src="${index}.html"/></navPoint>`,
      )
      .join("")}</navMap></ncx>`;
    const page = `<html><body>${paragraphs(8)}</body></html>`;
    const book = await readBookFromBytes(
      epubOf({ "0.html": page, "1.html": page.replaceAll("rain", "snow") }, { "toc.ncx": ncx }),
      "rain.epub",
    );
    expect(titlesOf(book)).toEqual(["One", "Two"]);
  });

  it("reports how many pages of each kind it declares", async () => {
    const page = (type: string) =>
      `<html><body epub:type="bodymatter"><section epub:type="${type}"><h2>${type}</h2>${type === "part" ? "" : paragraphs(2)}</section></body></html>`;
    const book = await readBookFromBytes(
      epubOf({ "a.xhtml": page("part"), "b.xhtml": page("chapter"), "c.xhtml": page("chapter") }),
      "x.epub",
    );
    expect(book.source.pages).toEqual({ part: 1, chapter: 2 });
  });

  const markedPage = (type: string, heading: string, body = "", tag = "h2") =>
    `<html><body epub:type="bodymatter z3998:fiction"><section epub:type="${type}"><${tag}>${heading}</${tag}>${body}</section></body></html>`;
  const pagesOf = (...pages: string[]) => epubOf(Object.fromEntries(pages.map((page, at) => [`p${at}.xhtml`, page])));

  it("numbers title pages of parts with the chapters, and keeps prologues and epilogues as chapters of their own kind", async () => {
    const book = await readBookFromBytes(
      pagesOf(
        markedPage("volume", "Volume I"),
        markedPage("foreword", "Foreword", "<p>Found in a drawer.</p>"),
        markedPage("part", "Part One", "<p>A motto.</p>", "h3"),
        markedPage("prologue", "Prologue", "<p>Before it rained.</p>"),
        markedPage("chapter", "I", paragraphs(2)),
        markedPage("part", "Part Two", "", "h3"),
        markedPage("chapter", "II", paragraphs(2)),
        markedPage("part chapter", "III", "<p>Short.</p>"),
        markedPage("epilogue", "Epilogue", "<h3>I</h3><p>After the rain.</p>"),
      ),
      "x.epub",
    );
    expect(book.parts).toEqual([
      { index: 2, title: "Part One", part: "Volume I" },
      { index: 5, title: "Part Two", part: "Volume I" },
    ]);
    expect(book.chapters).toMatchObject([
      { index: 1, title: "Foreword", kind: "prologue", text: "Found in a drawer." },
      { index: 3, title: "Prologue", kind: "prologue", text: "A motto.\n\nBefore it rained." },
      { index: 4, title: "I", part: "Volume I · Part One" },
      { index: 6, title: "II", part: "Volume I · Part Two" },
      { index: 7, title: "III", text: "Short." },
      { index: 8, title: "Epilogue", kind: "epilogue", text: "I\n\nAfter the rain." },
    ]);
    expect(book.chapters[2]?.kind).toBeUndefined();
    expect(book.removed).toEqual([]);
  });

  it("does not list what only contains other pages: volumes under any mark, an epilogue with chapters of its own", async () => {
    const book = await readBookFromBytes(
      pagesOf(
        markedPage("part", "Volume II"),
        markedPage("chapter", "I", paragraphs(2)),
        markedPage("epilogue part", "Epilogue"),
        markedPage("chapter", "II", paragraphs(2)),
      ),
      "x.epub",
    );
    expect(book.parts).toBeUndefined();
    expect(book.chapters.map(({ index, part }) => [index, part])).toEqual([
      [1, "Volume II"],
      [2, "Epilogue"],
    ]);
  });

  it("reads a part that contains story as a chapter, and keeps prologue and epilogue if nothing has a number", async () => {
    const parts = await readBookFromBytes(
      pagesOf(markedPage("part", "I", paragraphs(12)), markedPage("part", "II", paragraphs(12))),
      "x.epub",
    );
    expect(parts.chapters).toHaveLength(2);
    expect(parts.parts).toBeUndefined();
    const frame = await readBookFromBytes(
      pagesOf(markedPage("prologue", "Prologue", paragraphs(3)), markedPage("epilogue", "Epilogue", paragraphs(3))),
      "x.epub",
    );
    expect(titlesOf(frame)).toEqual(["Prologue", "Epilogue"]);
  });
});

describe("DOCX", () => {
  it("takes heading styles for chapters and the properties for metadata", async () => {
    const file = docxOf([
      { style: "Heading1", text: "Morning" },
      { text: PROSE },
      { text: PROSE },
      { style: "Heading1", text: "Evening" },
      { text: PROSE },
    ]);
    const book = await readBookFromBytes(file, "rain.docx");
    expect(book).toMatchObject({ title: "Rain", author: "A. Writer", source: { format: "docx" } });
    expect(book.chapters.map(({ title, text }) => [title, text])).toEqual([
      ["Morning", `${PROSE}\n\n${PROSE}`],
      ["Evening", PROSE],
    ]);
  });
});

describe("PDF", () => {
  it("joins lines and pages, drops running heads and page numbers, and takes large lines for headings", async () => {
    const body = (from: number) =>
      Array.from({ length: 20 }, (_, line) => ({
        text: `Line ${from + line} goes on with ${"abcdefghijklmnopqrst".slice((from / 100 + line) % 20)} over the edge of the page to-`,
      }));
    const page = (number: number, title: string | null) => [
      { text: "RAIN BY A. WRITER" },
      ...(title ? [{ size: 20, text: title }] : []),
      ...body(number * 100),
      { text: String(number) },
    ];
    const book = await readBookFromBytes(
      pdfOf([page(1, "Chapter 1"), page(2, null), page(3, "Chapter 2"), page(4, null)]),
      "rain.pdf",
    );
    expect(titlesOf(book)).toEqual(["Chapter 1", "Chapter 2"]);
    const text = book.chapters.map((chapter) => chapter.text).join("\n");
    expect(text).not.toMatch(/RAIN BY/);
    expect(text).toContain("Line 100 goes on");
    expect(text).toContain("Line 219 goes on");
  });

  it("keeps a title page out of the first chapter's title, however many lines it takes", async () => {
    const chapter = (title: string) => [
      { size: 16, text: title },
      ...Array.from({ length: 12 }, () => ({ text: PROSE })),
    ];
    const pages = [
      [
        { size: 30, text: "The Rain That Fell on the Old Town" },
        { size: 30, text: "All Year" },
      ],
      chapter("Morning"),
      chapter("Night"),
    ];
    const book = await readBookFromBytes(pdfOf(pages), "rain.pdf");
    expect(titlesOf(book)).toEqual(["Morning", "Night"]);
  });
  it("without a text layer says so", () =>
    expect(readBookFromBytes(pdfOf([[]]), "scan.pdf")).rejects.toThrow(/no text layer/));
});

describe("JSON of LongStoryEval", () => {
  it("gives its chapters as they are", async () => {
    const file = {
      title: "Rain",
      chaps: [
        { title: "Morning", content: [PROSE, ` ${PROSE} `] },
        { title: "", content: [PROSE] },
      ],
    };
    const book = await readBookFromBytes(bytes(JSON.stringify(file)), "rain.json");
    expect(book.chapters.map(({ title, text }) => [title, text])).toEqual([
      ["Morning", `${PROSE}\n\n${PROSE}`],
      [null, PROSE],
    ]);
  });
  it("in another layout is refused, and the message shows the layout it needs", () =>
    expect(readBookFromBytes(bytes('{"chapters":[]}'), "x.json")).rejects.toThrow(/"chaps"/));
});

describe("a folder of chapters", () => {
  it("is one book in the order of its numbers, with the metadata of book.yaml", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-folder-"));
    for (const [name, content] of Object.entries({
      "10-last.md": `# Night\n\n${PROSE}`,
      "2-middle.txt": PROSE,
      "1.md": `# Morning\n\n${PROSE}`,
      "book.yaml": "title: Rain\nauthor: A. Writer\ngenres: [weather]\n",
      "notes.log": "nothing",
    })) {
      await writeFile(join(folder, name), content);
    }
    const book = await readBook(folder);
    expect(book).toMatchObject({ title: "Rain", author: "A. Writer", genres: ["weather"] });
    expect(titlesOf(book)).toEqual(["Morning", "middle", "Night"]);
    expect(titlesOf(await readBook(join(folder, "*.md")))).toEqual(["Morning", "Night"]);
  });

  it("without chapters, or with an invalid book.yaml, is refused in one clear sentence", async () => {
    const folder = await mkdtemp(join(tmpdir(), "fabula-folder-"));
    await expect(readBook(folder)).rejects.toThrow(/folder without chapter files/);
    await writeFile(join(folder, "book.yaml"), "titel: Rain");
    await writeFile(join(folder, "a.txt"), PROSE);
    await expect(readBook(join(folder, "a.txt"))).rejects.toThrow(/book\.yaml is not understood/);
  });
});

describe("standard input", () => {
  it("is read like a file", async () => {
    async function* stdin() {
      yield bytes("Chapter 1\n\n");
      yield bytes(`${PROSE}\n\nChapter 2\n\n${PROSE}`);
    }
    expect(titlesOf(await readBook("-", { stdin: stdin() }))).toEqual(["Chapter 1", "Chapter 2"]);
  });
});

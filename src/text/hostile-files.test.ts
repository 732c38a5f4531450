import { execFileSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { PROSE } from "../../test/support/small-files.ts";
import { findBooks } from "./files/find-books.ts";
import { readBook, readBookFromBytes } from "./read-book.ts";

const NOT_A_FILE = /is a pipe, a device or a socket, not a file: give the book file itself, or - to read/;

describe("a path that is not a regular file", () => {
  it("is refused in one sentence instead of being waited for", async () => {
    const pipe = join(mkdtempSync(join(tmpdir(), "fabula-pipe-")), "book.txt");
    execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
    await expect(readBook(pipe)).rejects.toThrow(NOT_A_FILE);
    await expect(findBooks([pipe])).rejects.toThrow(NOT_A_FILE);
  });

  it("is refused instead of being read for ever", async () => {
    await expect(readBook("/dev/zero")).rejects.toThrow(NOT_A_FILE);
  });
});

function epub(pages: Readonly<Record<string, string>>, spine: readonly string[]): Uint8Array {
  const names = Object.keys(pages);
  const items = names.map((name) => `<item id="${name}" href="${name}" media-type="application/xhtml+xml"/>`);
  const order = spine.map((name) => `<itemref idref="${name}"/>`);
  return zipSync({
    "META-INF/container.xml": strToU8('<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>'),
    "a.opf": strToU8(`<package><manifest>${items.join("")}</manifest><spine>${order.join("")}</spine></package>`),
    ...Object.fromEntries(Object.entries(pages).map(([name, text]) => [name, strToU8(text)])),
  });
}

describe("an EPUB that is larger inside than outside", () => {
  it("is read once where it lists a page a few times, and refused where it does so 20,000 times", async () => {
    const page = `<html><body><p>${`${PROSE} `.repeat(9000)}</p></body></html>`;
    const listing = (times: number) => epub({ "a.html": page }, new Array<string>(times).fill("a.html"));
    const book = await readBookFromBytes(listing(50), "book.epub");
    expect(book.words).toBeLessThan(200_000);
    expect(book.warnings).toContain("The file lists 49 pages a second time: each page was read once.");
    await expect(readBookFromBytes(listing(20_000), "book.epub")).rejects.toThrow(
      "book.epub lists 19,999 pages a second time, which no book does: download it again.",
    );
  });

  it("is refused where its small pages together pack a hundred times better than text", async () => {
    const page = "a ".repeat(2_000_000);
    const pages = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`p${at}.html`, page]));
    await expect(readBookFromBytes(epub(pages, Object.keys(pages)), "bomb.epub")).rejects.toThrow(
      /would unpack to more/,
    );
  });
});

function docx(body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  return zipSync({
    "word/document.xml": strToU8(`<w:document><w:body>${body}</w:body></w:document>`),
    ...Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])),
  });
}

describe("a Word document", () => {
  const paragraph = (text: string, style = "") =>
    `<w:p><w:pPr>${style && `<w:pStyle w:val="${style}"/>`}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;

  it("of 700,000 empty paragraphs costs no more than its text", () => {
    // In a process of its own, whose memory is too small for as many paragraphs.
    const program = `
      import { readFileSync } from "node:fs";
      import { readBookFromBytes } from "./src/text/read-book.ts";
      await readBookFromBytes(readFileSync(0), "empty.docx").catch(({ message }) => console.log(message));`;
    const words = ["--max-old-space-size=48", "--import", "tsx", "--input-type=module", "-e", program];
    const input = docx("<w:p/>".repeat(700_000));
    expect(execFileSync(process.execPath, words, { input, encoding: "utf8" })).toMatch(/no readable text/);
  });

  it("that nests tables without end is refused", async () => {
    await expect(readBookFromBytes(docx("<w:tbl><w:tr><w:tc>".repeat(20_000)), "deep.docx")).rejects.toThrow(
      /nests elements more than 1000 deep/,
    );
  });

  it("is read by its styles' names, without its list of contents, deleted text and fallbacks, with its notes", async () => {
    const styles = `<w:styles>
      <w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
      <w:style w:styleId="Kapitel"><w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/></w:style>
      <w:style w:styleId="Verzeichnis1"><w:name w:val="toc 1"/></w:style></w:styles>`;
    const body = [
      paragraph("Der Regen 3", "Verzeichnis1"),
      paragraph("Der Regen", "berschrift1"),
      `<w:p><w:r><w:t>${PROSE}</w:t><w:footnoteReference w:id="1"/></w:r><w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>`,
      "<w:p><w:moveFrom><w:r><w:t>moved away</w:t></w:r></w:moveFrom><w:r><w:t>Roses</w:t><w:br/><w:t>are red</w:t></w:r></w:p>",
      paragraph("Der Wind", "Kapitel"),
      `<w:p><mc:AlternateContent><mc:Choice><w:t>${PROSE}</w:t></mc:Choice><mc:Fallback><w:t>twice</w:t></mc:Fallback></mc:AlternateContent></w:p>`,
    ].join("");
    const footnotes =
      '<w:footnotes><w:footnote w:type="separator" w:id="0"><w:p><w:r><w:t>line</w:t></w:r></w:p></w:footnote><w:footnote w:id="1"><w:p><w:r><w:t>It was true.</w:t></w:r></w:p></w:footnote></w:footnotes>';
    const parts = { "word/styles.xml": styles, "word/footnotes.xml": footnotes };
    const { chapters, removed } = await readBookFromBytes(docx(body, parts), "book.docx");
    expect(chapters.map(({ title, text }) => [title, text])).toEqual([
      ["Der Regen", `${PROSE}[1]\n\n[1] It was true.\n\nRoses\nare red`],
      ["Der Wind", PROSE],
    ]);
    expect(removed).toEqual([{ rule: "table of contents", where: "book.docx", text: "Der Regen 3" }]);
  });
});

/** Each of these once took minutes or hours, in proportion to the square of its length. A megabyte is read in a second or two. */
describe("a megabyte that no writer wrote is read in a time that grows with its length alone", () => {
  const MEGABYTE = 1_000_000;
  const MOST_SECONDS = 10;
  const filled = (unit: string, before = "", after = "") => `${before}${unit.repeat(MEGABYTE / unit.length)}${after}`;
  const after = "</h2><p>rain</p><h2>a</h2><p>rain</p>";

  it.each([
    ["a heading without end", "html", filled("rain ", "<h2>", after)],
    ["a heading of brackets", "html", filled("a[", "<h2>", after)],
    ["a heading of signs", "html", filled("=", "<h2>a", `b${after}`)],
    ["a heading of dots", "html", filled(".", "<h2>a", `b${after}`)],
    ["a heading of many lines", "html", filled("a<br>", "<h2>", after)],
    ["many ends before the last chapter", "txt", filled("THE END\n", "CHAPTER I\n\na\n\n", "\nCHAPTER II\n\na\n")],
    [
      "notes after a long chapter",
      "txt",
      `CHAPTER I\n\na\n\nCHAPTER II\n\n${filled("rain ")}\n\n${"NOTE\n\na\n\n".repeat(15_000)}`,
    ],
    ["words of any length with a hyphen", "txt", `${filled("a")} -\n${`${"a".repeat(40)}-\n`.repeat(20)}`],
    [
      "headings glued to headings",
      "txt",
      filled(`CHAPTER ONE ${"THE LONG RAIN ".repeat(4)}\n`, "", "\n\na\n".repeat(300)),
    ],
  ])("%s.%s", async (name, ending, text) => {
    const started = process.cpuUsage();
    const book = await readBookFromBytes(strToU8(text), `${name}.${ending}`);
    const { user, system } = process.cpuUsage(started);
    expect(book.words).toBeGreaterThan(0);
    expect((user + system) / 1e6).toBeLessThan(MOST_SECONDS);
  });
});

describe("an EPUB that nests or repeats something without measure", () => {
  const read = (body: string) =>
    readBookFromBytes(epub({ "a.html": `<html><body>${body}</body></html>` }, ["a.html"]), "book.epub");

  it.each([
    ["paragraphs", "<p>rain</p>".repeat(200_000)],
    ["page numbers", `<p>rain</p>${'<i class="pagenum">1</i>'.repeat(200_000)}`],
    ["lines of a title", `<section epub:type="chapter"><h2>${"a<br/>".repeat(200_000)}</h2><p>rain</p></section>`],
    [
      "sections",
      `${'<section epub:type="part">'.repeat(4900)}${'<section epub:type="chapter"><p>rain</p></section>'.repeat(9)}${"</section>".repeat(4900)}`,
    ],
  ])("is read whole: %s", async (_name, body) => {
    const { chapters } = await read(body);
    expect(chapters.at(-1)!.text.endsWith("rain")).toBe(true);
  });

  it("is refused where the name of a file is longer than any path", async () => {
    const name = `${"a/".repeat(30_000)}a.html`;
    await expect(readBookFromBytes(epub({ [name]: "<p>rain</p>" }, [name]), "book.epub")).rejects.toThrow(
      "book.epub holds a file whose name is 60006 characters long: it is not a book.",
    );
  });
});

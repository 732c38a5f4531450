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

describe("what is no regular file", () => {
  it("is refused in one sentence instead of waited for", async () => {
    const pipe = join(mkdtempSync(join(tmpdir(), "fabula-pipe-")), "book.txt");
    execFileSync("sh", ["-c", 'mkfifo "$0"', pipe]);
    await expect(readBook(pipe)).rejects.toThrow(NOT_A_FILE);
    await expect(findBooks([pipe])).rejects.toThrow(NOT_A_FILE);
  });

  it("is refused instead of read for ever", async () => {
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
      "book.epub lists 19,999 pages a second time, which no book does: fetch it again.",
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

  it("of 700,000 empty paragraphs costs no more than its text", async () => {
    const before = process.memoryUsage.rss();
    await expect(readBookFromBytes(docx("<w:p/>".repeat(700_000)), "empty.docx")).rejects.toThrow(/no readable text/);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
  });

  it("that nests tables without end is refused", async () => {
    await expect(readBookFromBytes(docx("<w:tbl><w:tr><w:tc>".repeat(20_000)), "deep.docx")).rejects.toThrow(
      /nests 1000 elements/,
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
      ["Der Regen", `${PROSE}[1]\n\nRoses\nare red`],
      ["Der Wind", `${PROSE}\n\n[1] It was true.`],
    ]);
    expect(removed).toEqual([{ rule: "table of contents", where: "book.docx", text: "Der Regen 3" }]);
  });
});

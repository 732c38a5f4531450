import { strToU8, zipSync } from "fflate";
import type { Kinds } from "./made-text.ts";

function docx(body: string): Uint8Array {
  return zipSync({
    "[Content_Types].xml": strToU8(
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>',
    ),
    "_rels/.rels": strToU8(
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
    ),
    "word/document.xml": strToU8(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
    ),
  });
}

function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

function heading(text: string): string {
  return `<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

export const DOCX: Kinds = {
  "empty paragraphs": () => docx("<w:p/>".repeat(800_000)),
  "empty runs": () => docx("<w:p><w:r/></w:p>".repeat(290_000)),
  "paragraphs of a letter": () => docx("<w:p><w:r><w:t>a</w:t></w:r></w:p>".repeat(140_000)),
  "runs of a letter": () => docx(`<w:p>${"<w:r><w:t>a</w:t></w:r>".repeat(200_000)}</w:p>`),
  "headings of a word": () =>
    docx('<w:p><w:pPr><w:outlineLvl w:val="0"/></w:pPr><w:r><w:t>Rain</w:t></w:r></w:p>'.repeat(60_000)),
  "tables in tables": () => docx("<w:tbl><w:tr><w:tc>".repeat(50_000)),
  "line breaks": () => docx(`<w:p><w:r>${"<w:br/>".repeat(600_000)}</w:r></w:p>`),
  "one long heading": () =>
    docx(`${heading("rain [".repeat(150_000))}${paragraph("rain")}${heading("a")}${paragraph("rain")}`),
  "a heading of equal signs": () =>
    docx(`${heading(`a${"=".repeat(900_000)}b`)}${paragraph("rain")}${heading("a")}${paragraph("rain")}`),
  "chapters of a word": () =>
    docx(Array.from({ length: 25_000 }, (_, at) => `${heading(`Chapter ${at + 1}`)}${paragraph("rain")}`).join("")),
  "bold lines": () =>
    docx(
      Array.from(
        { length: 25_000 },
        (_, at) => `<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>Rain ${at}</w:t></w:r></w:p>${paragraph("rain")}`,
      ).join(""),
    ),
  "footnote signs": () => docx(`<w:p>${'<w:r><w:footnoteReference w:id="1"/></w:r>'.repeat(60_000)}</w:p>`),
};

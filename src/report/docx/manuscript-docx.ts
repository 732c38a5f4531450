import { strToU8, zipSync } from "fflate";
import type { Book } from "../../text/book.ts";
import { escapeXml } from "./comment-parts.ts";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const DOCUMENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** A book as a clean Word document: title, chapters under headings, paragraphs in standard manuscript style. */
export function manuscriptDocx({ title, author, chapters }: Pick<Book, "title" | "author" | "chapters">): Uint8Array {
  const body = [
    paragraph(title, "Title"),
    ...(author ? [paragraph(author, "Subtitle")] : []),
    ...chapters.flatMap(({ title: heading, text }, at) => [
      paragraph(heading ?? `${at + 1}`, "Heading1"),
      ...text.split(/\n\s*\n/).map((block) => paragraph(block.replace(/\n/g, " "))),
    ]),
  ];
  return zipSync({
    "[Content_Types].xml": strToU8(
      `${HEAD}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="${DOCUMENT_TYPE}.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="${DOCUMENT_TYPE}.styles+xml"/></Types>`,
    ),
    "_rels/.rels": strToU8(
      `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="word/document.xml"/></Relationships>`,
    ),
    "word/_rels/document.xml.rels": strToU8(
      `${HEAD}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/styles" Target="styles.xml"/></Relationships>`,
    ),
    "word/styles.xml": strToU8(STYLES),
    "word/document.xml": strToU8(
      `${HEAD}<w:document xmlns:w="${WORD}"><w:body>${body.join("")}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr></w:body></w:document>`,
    ),
  });
}

export function paragraph(text: string, style?: string): string {
  const look = style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${look}<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;
}

const style = (id: string, name: string, look: string, letters: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr>${look}</w:pPr><w:rPr>${letters}</w:rPr></w:style>`;

const STYLES = `${HEAD}<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="SimSun" w:cs="Times New Roman"/><w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:spacing w:after="120" w:line="360" w:lineRule="auto"/></w:pPr></w:style>${style("Title", "Title", '<w:spacing w:before="1200"/><w:jc w:val="center"/>', '<w:b/><w:sz w:val="44"/>')}${style("Subtitle", "Subtitle", '<w:jc w:val="center"/>', '<w:sz w:val="28"/>')}${style("Heading1", "heading 1", '<w:keepNext/><w:spacing w:before="720"/><w:outlineLvl w:val="0"/>', '<w:b/><w:sz w:val="32"/>')}${style("Heading2", "heading 2", '<w:keepNext/><w:spacing w:before="360"/><w:outlineLvl w:val="1"/>', '<w:b/><w:sz w:val="26"/>')}${style("Quote", "Quote", '<w:ind w:left="567" w:right="567"/>', "<w:i/>")}</w:styles>`;

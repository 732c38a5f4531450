import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { LetterView, QuotationView } from "../../judge/letter/parts.ts";
import type { Book } from "../../text/book.ts";
import { LETTER_STYLE } from "../../text/formats/written-text.ts";
import { tenthsInWords } from "../letter/figure-words.ts";
import { letterView, quoteText } from "../letter/letter-view.ts";
import { fill, loadLetterTexts } from "../letter/letter-words.ts";
import { inMarks } from "../wording.ts";
import { type AnnotatedDocx, annotateDocx, escapeXml, type SentenceNote, wantedSentence } from "./annotate-docx.ts";

const WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const DOCUMENT_TYPE = "application/vnd.openxmlformats-officedocument.wordprocessingml";

/** A book as a clean Word document: title, chapters under headings, paragraphs in standard manuscript format. */
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
    "word/styles.xml": strToU8(STYLES.replace("</w:styles>", `${LETTER_STYLES}</w:styles>`)),
    "word/document.xml": strToU8(
      `${HEAD}<w:document xmlns:w="${WORD}"><w:body>${body.join("")}<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" w:left="1440" w:header="720" w:footer="720" w:gutter="0"/></w:sectPr></w:body></w:document>`,
    ),
  });
}

function paragraph(text: string, style?: string): string {
  const look = style === undefined ? "" : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`;
  return `<w:p>${look}<w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;
}

const style = (id: string, name: string, look: string, letters: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/><w:basedOn w:val="Normal"/><w:pPr>${look}</w:pPr><w:rPr>${letters}</w:rPr></w:style>`;

const STYLES = `${HEAD}<w:styles xmlns:w="${WORD}"><w:docDefaults><w:rPrDefault><w:rPr><w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman" w:eastAsia="SimSun" w:cs="Times New Roman"/><w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults><w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:pPr><w:spacing w:after="120" w:line="360" w:lineRule="auto"/></w:pPr></w:style>${style("Title", "Title", '<w:spacing w:before="1200"/><w:jc w:val="center"/>', '<w:b/><w:sz w:val="44"/>')}${style("Subtitle", "Subtitle", '<w:jc w:val="center"/>', '<w:sz w:val="28"/>')}${style("Heading1", "heading 1", '<w:keepNext/><w:spacing w:before="720"/><w:outlineLvl w:val="0"/>', '<w:b/><w:sz w:val="32"/>')}${style("Heading2", "heading 2", '<w:keepNext/><w:spacing w:before="360"/><w:outlineLvl w:val="1"/>', '<w:b/><w:sz w:val="26"/>')}${style("Quote", "Quote", '<w:ind w:left="567" w:right="567"/>', "<w:i/>")}</w:styles>`;

/** The letter's own styles look like the built-in styles they are based on. */
const LETTER_STYLES = ["", "Heading1", "Heading2", "Quote"]
  .map(
    (base) =>
      `<w:style w:type="paragraph" w:customStyle="1" w:styleId="FabulaLetter${base}"><w:name w:val="${`${LETTER_STYLE} ${base}`.trim()}"/><w:basedOn w:val="${base || "Normal"}"/>${base.startsWith("Heading") ? '<w:pPr><w:outlineLvl w:val="9"/></w:pPr>' : ""}</w:style>`,
  )
  .join("");

const DOCUMENT = "word/document.xml";
const NEW_PAGE = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';

/** The letter as lines of plain text, for a comment at the top of a writer's own file, which must not be changed. */
export function letterParagraphs(letter: LetterView): string[] {
  return paragraphsOf(letter).map(({ text }) => text);
}

/** Adds the letter as the first pages of a document made by us, in styles that are not read as a part of the book. */
export function withLetterPages(docx: Uint8Array, letter: LetterView): Uint8Array {
  const pages = [
    ...paragraphsOf(letter).map(({ text, style = "" }) => paragraph(text, `FabulaLetter${style}`)),
    NEW_PAGE,
  ];
  const entries = unzipSync(docx);
  const xml = strFromU8(entries[DOCUMENT]!);
  entries[DOCUMENT] = strToU8(xml.replace("<w:body>", () => `<w:body>${pages.join("")}`));
  return zipSync(entries);
}

interface StyledParagraph {
  readonly text: string;
  /** The style in a document made by us. */
  readonly style?: "Heading1" | "Heading2" | "Quote";
}

function paragraphsOf({ blocks }: LetterView): StyledParagraph[] {
  return blocks.flatMap((block): StyledParagraph[] => {
    switch (block.kind) {
      case "heading":
        return [{ text: block.text, style: "Heading1" }];
      case "text":
        return [{ text: block.text }];
      case "list":
        return block.entries.map((entry, at) => ({ text: block.numbered ? `${at + 1}. ${entry}` : `– ${entry}` }));
      case "quote":
        return [{ text: quoted(block.quote), style: "Quote" }];
      case "item":
        return [
          { text: `${block.number}. ${block.title}`, style: "Heading2" },
          { text: block.text },
          ...block.quotes.map((quote): StyledParagraph => ({ text: quoted(quote), style: "Quote" })),
          { text: block.advice },
        ];
      default:
        return block satisfies never;
    }
  });
}

function quoted(passage: QuotationView): string {
  return `${inMarks(quoteText(passage))} (${passage.where})`;
}

/**
 * The manuscript with its line notes as Word comments at their sentences. In a writer's own Word file, everything
 * else is unchanged and the letter is the first comment; any other input becomes a clean document that begins with
 * the letter.
 */
export function notesDocx(evaluation: BookEvaluation, book: Book, own: Uint8Array | null): AnnotatedDocx {
  const letter = letterView(evaluation);
  const notes = sentenceNotes(evaluation, book);
  if (own) return annotateDocx(own, notes, letter ? letterParagraphs(letter) : []);
  const annotated = annotateDocx(manuscriptDocx(book), notes);
  return { ...annotated, bytes: letter ? withLetterPages(annotated.bytes, letter) : annotated.bytes };
}

/** In reading order, as `annotateDocx` requires. */
function sentenceNotes({ lineNotes, letter }: BookEvaluation, book: Book): SentenceNote[] {
  const language = letter?.words.language ?? "en";
  const { headings, rate } = loadLetterTexts(language);
  const order = new Map(book.chapters.map(({ index, text }, at) => [index, { at, text }]));
  const { shown = [], rates = { shown: 0, any: 0 } } = lineNotes ?? {};
  const sorted = [...shown].sort(
    (left, right) => order.get(left.chapter)!.at - order.get(right.chapter)!.at || left.start - right.start,
  );
  const explained = fill(rate, {
    shown: tenthsInWords(rates.shown, language),
    any: tenthsInWords(rates.any, language),
  });
  return sorted.map(({ chapter, start, end, change }, at) => ({
    wanted: wantedSentence(order.get(chapter)!.text, start, end),
    // The first comment explains the numbers; the others need not repeat this.
    paragraphs: [
      fill(headings.comment!, { tenths: tenthsInWords(change, language) }),
      ...(at === 0 ? [explained] : []),
    ],
  }));
}

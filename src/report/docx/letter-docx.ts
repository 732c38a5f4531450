import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { inMarks, type LetterView, type QuotationView, quoteText } from "../letter/letter-view.ts";
import { paragraph } from "./manuscript-docx.ts";

const DOCUMENT = "word/document.xml";
const NEW_PAGE = '<w:p><w:r><w:br w:type="page"/></w:r></w:p>';

/** The letter as lines of plain text: for a comment at the top of a writer's own file, which must stay as it is. */
export function letterParagraphs(letter: LetterView): string[] {
  return [
    ...letter.opening,
    ...letter.items.flatMap(({ title, finding, passages, better, contrast, advice }, at) => [
      `${at + 1}. ${title}`,
      finding,
      ...passages.map((passage) => quoted(passage)),
      ...(better ? [`${contrast}: ${quoted(better)}`] : []),
      advice,
    ]),
    letter.works.join(" "),
    letter.verdicts.join(" "),
    letter.notJudged,
    ...(letter.reference === null ? [] : [letter.reference]),
  ].filter((line) => line !== "");
}

/** The same as the first pages of a document that we made ourselves. */
export function withLetterPages(docx: Uint8Array, letter: LetterView): Uint8Array {
  const { headings } = letter;
  const pages = [
    paragraph(headings.short!, "Heading1"),
    ...letter.opening.map((sentence) => paragraph(sentence)),
    ...(letter.items.length === 0 ? [] : [paragraph(headings.items!, "Heading1")]),
    ...letter.items.flatMap(({ title, finding, passages, better, contrast, advice }, at) => [
      paragraph(`${at + 1}. ${title}`, "Heading2"),
      paragraph(finding),
      ...passages.map((passage) => paragraph(quoted(passage), "Quote")),
      ...(better ? [paragraph(`${contrast}:`), paragraph(quoted(better), "Quote")] : []),
      paragraph(advice),
    ]),
    ...(letter.works.length > 0 ? [paragraph(headings.works!, "Heading1"), paragraph(letter.works.join(" "))] : []),
    ...letter.strongPassages.map((passage) => paragraph(quoted(passage), "Quote")),
    paragraph(headings.verdicts!, "Heading1"),
    paragraph(letter.verdicts.join(" ")),
    paragraph(letter.notJudged),
    ...(letter.reference === null ? [] : [paragraph(letter.reference)]),
    NEW_PAGE,
  ];
  const entries = unzipSync(docx);
  const xml = strFromU8(entries[DOCUMENT]!);
  entries[DOCUMENT] = strToU8(xml.replace("<w:body>", () => `<w:body>${pages.join("")}`));
  return zipSync(entries);
}

function quoted(passage: QuotationView): string {
  return `${inMarks(quoteText(passage))} (${passage.where})`;
}

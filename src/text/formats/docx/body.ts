import type { Removal } from "../../book.ts";
import { isShortTitle } from "../../chapters/title-case.ts";
import { headingBlock } from "../../clean/heading-block.ts";
import { squeeze } from "../../clean/squeeze.ts";
import type { Block } from "../../manuscript.ts";
import { localName, parseXml } from "../xml.ts";
import { levelOfOutline, type ParagraphStyle } from "./styles.ts";

export interface DocxReading {
  readonly blocks: readonly Block[];
  readonly removed: readonly Removal[];
}

interface OpenParagraph {
  text: string;
  style: ParagraphStyle;
  outline: number | null;
  hasBold: boolean;
  hasPlain: boolean;
}

const BODY_TEXT: ParagraphStyle = { level: 0, isContents: false };
const OFF = new Set(["0", "false", "off"]);
const LINE_BREAK = "\u2028";
/** Moved and deleted text stands a second time where it was; a fallback repeats what newer versions of Word draw. */
const SKIPPED = new Set(["moveFrom", "del", "Fallback"]);

/**
 * The paragraphs of `word/document.xml`, or of its notes, in one pass over the parser's events: no tree is built, so a document
 * costs no more than its text, however many empty paragraphs it holds.
 */
export function readBody(xml: string, styleOf: (id: string) => ParagraphStyle, where: string): DocxReading {
  const blocks: Block[] = [];
  const contents: string[] = [];
  /** A text box stands inside the paragraph that it is anchored to. */
  const open: OpenParagraph[] = [];
  let skipping = 0;
  let inText = false;
  let isBold = false;
  /** Set by a note's element until its first paragraph: the sign under which the text refers to it. */
  let noteSign = "";
  const add = (text: string) => {
    const paragraph = open.at(-1);
    if (!paragraph || skipping > 0) return;
    paragraph.text += text;
    if (isBold) paragraph.hasBold = true;
    else if (text.trim() !== "") paragraph.hasPlain = true;
  };
  const close = ({ text, style, outline, hasBold, hasPlain }: OpenParagraph) => {
    const lines = text.split(LINE_BREAK).map(squeeze).filter(Boolean);
    if (lines.length === 0) return;
    const level = levelOfOutline(outline) ?? style.level;
    if (style.isContents) contents.push(lines.join(" "));
    else if (level > 0) blocks.push(headingBlock(lines, level));
    else if (hasBold && !hasPlain && isShortTitle(lines)) blocks.push({ kind: "heading", lines, level: 0 });
    else blocks.push({ kind: "paragraph", text: lines.join("\n") });
  };
  parseXml(xml, {
    open(element, attributes) {
      const name = localName(element);
      if (SKIPPED.has(name)) skipping++;
      const value = attributes["w:val"] ?? "";
      const paragraph = open.at(-1);
      switch (name) {
        case "p":
          // DrawingML has paragraphs of its own, with the same elements for text.
          open.push({ text: noteSign, style: BODY_TEXT, outline: null, hasBold: false, hasPlain: false });
          noteSign = "";
          break;
        case "pStyle":
          if (paragraph) paragraph.style = styleOf(value);
          break;
        case "outlineLvl":
          if (paragraph) paragraph.outline = Number(value);
          break;
        case "r":
          isBold = false;
          break;
        case "b":
          isBold = !OFF.has(value);
          break;
        case "t":
          inText = true;
          break;
        case "tab":
          // Inside <w:tabs> it sets a position and stands before any text.
          add(" ");
          break;
        case "cr":
          add(LINE_BREAK);
          break;
        case "br":
          add(attributes["w:type"] === "page" || attributes["w:type"] === "column" ? " " : LINE_BREAK);
          break;
        case "noBreakHyphen":
          add("-");
          break;
        case "footnoteReference":
        case "endnoteReference":
          add(`[${attributes["w:id"] ?? ""}]`);
          break;
        case "footnote":
        case "endnote":
          // The lines that part notes from the text come as notes too, with a type.
          if (attributes["w:type"] !== undefined) skipping++;
          else noteSign = `[${attributes["w:id"] ?? ""}] `;
      }
    },
    text(text) {
      if (inText) add(text);
    },
    close(element) {
      const name = localName(element);
      if (name === "t") inText = false;
      else if (name === "p") {
        const paragraph = open.pop();
        if (paragraph) close(paragraph);
      } else if (SKIPPED.has(name)) skipping--;
      else if ((name === "footnote" || name === "endnote") && skipping > 0) skipping--;
    },
  });
  for (const paragraph of open.reverse()) close(paragraph);
  const removed =
    contents.length === 0 ? [] : [{ rule: "table of contents", where, text: contents.join("\n").slice(0, 4000) }];
  return { blocks, removed };
}

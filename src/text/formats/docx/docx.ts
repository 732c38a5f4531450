import { strToU8 } from "fflate";
import { FabulaError } from "../../../core/errors.ts";
import { openArchive } from "../../files/archive.ts";
import type { Manuscript, Metadata } from "../../manuscript.ts";
import { type Format, type FormatInput, statedMetadata } from "../format.ts";
import {
  addWritten,
  LINE_BREAK,
  levelOfOutline,
  styleNamed,
  type WrittenParagraph,
  withNotes,
  writtenBlocks,
} from "../written-text.ts";
import { decodeXml, elementTexts, localName, parseXml } from "../xml.ts";

/** What a paragraph style says about the paragraphs in it. */
type ParagraphStyle = Pick<WrittenParagraph, "level" | "role" | "isCentred" | "startsPage">;

interface StyleFacts {
  name: string;
  parent: string | null;
  outline: number | null;
  isCentred: boolean | null;
  startsPage: boolean | null;
}

/** The styles of `word/styles.xml` by their ids. Word translates a style's id ("berschrift1"), never its name ("heading 1"). */
function readStyles(xml: string): (id: string) => ParagraphStyle {
  const styles = new Map<string, StyleFacts>();
  let current: StyleFacts | null = null;
  parseXml(xml, {
    open(element, attributes) {
      const value = attributes["w:val"] ?? "";
      switch (localName(element)) {
        case "style":
          current = { ...NO_STYLE };
          styles.set(attributes["w:styleId"] ?? "", current);
          break;
        case "name":
          if (current) current.name = value;
          break;
        case "basedOn":
          if (current) current.parent = value;
          break;
        case "outlineLvl":
          if (current) current.outline = Number(value);
          break;
        case "jc":
          if (current) current.isCentred = value === "center";
          break;
        case "pageBreakBefore":
          if (current) current.startsPage = !OFF.has(value);
      }
    },
    close(element) {
      if (localName(element) === "style") current = null;
    },
  });
  return (id) => describe(id, styles);
}

/** A custom style may be based on a heading style over a few steps. */
const MOST_STEPS = 10;

function describe(id: string, styles: ReadonlyMap<string, StyleFacts>): ParagraphStyle {
  let at: string | null = id;
  let said: Pick<WrittenParagraph, "level" | "role"> | null = null;
  let isCentred: boolean | null = null;
  let startsPage: boolean | null = null;
  for (let step = 0; at !== null && step < MOST_STEPS; step++) {
    const facts: StyleFacts = styles.get(at) ?? { ...NO_STYLE, name: at };
    const level = levelOfOutline(facts.outline);
    said ??= styleNamed(facts.name) ?? (level === null ? null : { level, role: null });
    isCentred ??= facts.isCentred;
    startsPage ??= facts.startsPage;
    at = facts.parent;
  }
  return { level: 0, role: null, ...said, isCentred: isCentred ?? false, startsPage: startsPage ?? false };
}

interface OpenParagraph {
  text: string;
  style: ParagraphStyle;
  outline: number | null;
  isCentred: boolean | null;
  startsPage: boolean;
  hasBold: boolean;
  hasPlain: boolean;
}

const NO_STYLE: StyleFacts = { name: "", parent: null, outline: null, isCentred: null, startsPage: null };
const BODY_TEXT: ParagraphStyle = { level: 0, role: null, isCentred: false, startsPage: false };
const OFF = new Set(["0", "false", "off"]);
/** Moved and deleted text also occurs at its old place; a fallback repeats what newer versions of Word draw. */
const SKIPPED = new Set(["moveFrom", "del", "Fallback"]);

/**
 * The paragraphs of `word/document.xml`, or of its notes, in one pass over the parser's events. No tree is built, so
 * a document costs no more than its text, however many empty paragraphs it contains.
 */
function readBody(xml: string, styleOf: (id: string) => ParagraphStyle): WrittenParagraph[] {
  const paragraphs: WrittenParagraph[] = [];
  /** A text box is inside the paragraph to which it is anchored. */
  const open: OpenParagraph[] = [];
  let skipping = 0;
  let inText = false;
  let isBold = false;
  /** The properties of the open paragraph end a section, and the next one begins a page. */
  let isNextPage = false;
  /** Set by a note's element until its first paragraph: the mark by which the text refers to it. */
  let noteSign = "";
  const add = (text: string) => {
    const paragraph = open.at(-1);
    if (!paragraph || skipping > 0) return;
    paragraph.text += text;
    if (isBold) paragraph.hasBold = true;
    else if (text.trim() !== "") paragraph.hasPlain = true;
  };
  /** Set by the end of a section and by a page break at the end of a paragraph. */
  let startsPage = false;
  // Without spreading objects, because a file may contain hundreds of thousands of paragraphs.
  const close = (own: OpenParagraph) => {
    const { style } = own;
    const level = levelOfOutline(own.outline) ?? style.level;
    addWritten(paragraphs, {
      text: own.text,
      level,
      role: level > 0 ? null : style.role,
      isBold: own.hasBold && !own.hasPlain,
      isCentred: own.isCentred ?? style.isCentred,
      startsPage: own.startsPage || style.startsPage,
    });
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
          open.push({
            text: noteSign,
            style: BODY_TEXT,
            outline: null,
            isCentred: null,
            startsPage,
            hasBold: false,
            hasPlain: false,
          });
          noteSign = "";
          startsPage = false;
          break;
        case "pStyle":
          if (paragraph) paragraph.style = styleOf(value);
          break;
        case "outlineLvl":
          if (paragraph) paragraph.outline = Number(value);
          break;
        case "jc":
          if (paragraph) paragraph.isCentred = value === "center";
          break;
        case "pageBreakBefore":
          if (paragraph) paragraph.startsPage = !OFF.has(value);
          break;
        case "sectPr":
          isNextPage = true;
          break;
        case "type":
          if (value === "continuous" || value === "nextColumn") isNextPage = false;
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
          // Inside <w:tabs> it sets a position and precedes any text.
          add(" ");
          break;
        case "cr":
          add(LINE_BREAK);
          break;
        case "br":
          if (attributes["w:type"] === "page") {
            // A break before the paragraph's text makes this paragraph start a page, one after it the next.
            if (paragraph && paragraph.text.trim() === "") paragraph.startsPage = true;
            else startsPage = true;
            add(" ");
          } else add(attributes["w:type"] === "column" ? " " : LINE_BREAK);
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
          // The separator lines above the notes are stored as notes with a type.
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
        startsPage ||= isNextPage && paragraph !== undefined;
        isNextPage = false;
      } else if (SKIPPED.has(name)) skipping--;
      else if ((name === "footnote" || name === "endnote") && skipping > 0) skipping--;
    },
  });
  for (const paragraph of open.reverse()) close(paragraph);
  return paragraphs;
}

/** Word documents: heading styles become headings. Notes follow the paragraph that refers to them by their number. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const archive = openArchive(bytes, name, (entry) => /\.xml$/i.test(entry));
    const document = archive.bytes("word/document.xml");
    if (document === null) {
      throw new FabulaError(
        "E_DOCX",
        `${name} is not a Word document: it has no word/document.xml. Save it as DOCX again.`,
      );
    }
    const text = (entry: string) => decodeXml(archive.bytes(entry) ?? strToU8("<none/>"));
    const styleOf = readStyles(text("word/styles.xml"));
    const body = decodeXml(document);
    if (/<!(?:DOCTYPE|ENTITY)/i.test(body.slice(0, 4096))) {
      throw new FabulaError("E_DOCX", `${name} declares entities, which no Word document does: it was not read.`);
    }
    const notes = [text("word/footnotes.xml"), text("word/endnotes.xml")];
    const paragraphs = withNotes(
      readBody(body, styleOf),
      notes.flatMap((part) => readBody(part, styleOf)),
    );
    const { blocks, removed, metadata } = writtenBlocks(paragraphs, name);
    return {
      blocks,
      metadata: { ...coreProperties(text("docProps/core.xml")), ...metadata },
      encoding: "UTF-8",
      removed,
      warnings: [],
    };
  },
};

function coreProperties(xml: string): Metadata {
  const value = elementTexts(xml);
  const [title, author, language] = [value("title"), value("creator"), value("language")];
  return statedMetadata({ title, author, language, premise: value("description") });
}

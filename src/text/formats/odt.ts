import { FabulaError } from "../../core/errors.ts";
import { openArchive } from "../files/archive.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import { type Format, type FormatInput, statedMetadata } from "./format.ts";
import { addWritten, LINE_BREAK, styleNamed, type WrittenParagraph, withNotes, writtenBlocks } from "./written-text.ts";
import { decodeXml, elementTexts, localName, parseXml } from "./xml.ts";

interface OdtStyle {
  name: string;
  parent: string | null;
  isCentred: boolean | null;
  isBold: boolean | null;
  startsPage: boolean | null;
}

type Setting = Pick<WrittenParagraph, "level" | "role" | "isCentred" | "isBold" | "startsPage">;

/** OpenDocument text, as LibreOffice, OpenOffice and Google Docs write it. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const archive = openArchive(bytes, name, (entry) => /\.xml$/i.test(entry));
    const content = archive.bytes("content.xml");
    if (content === null) {
      throw new FabulaError("E_ODT", `${name} is not an ODT document: it has no content.xml. Save it as ODT again.`);
    }
    const entry = (file: string) => decodeXml(archive.bytes(file) ?? new TextEncoder().encode("<none/>"));
    if (/encryption-data/.test(entry("META-INF/manifest.xml"))) {
      throw new FabulaError("E_ODT", `${name} is protected by a password: save it without one.`);
    }
    const styles = new Map<string, OdtStyle>();
    const xml = decodeXml(content);
    for (const source of [entry("styles.xml"), xml]) readStyles(source, styles);
    const { blocks, removed, metadata } = writtenBlocks(readContent(xml, styles), name);
    return {
      blocks,
      metadata: { ...readMetadata(entry("meta.xml")), ...metadata },
      encoding: "UTF-8",
      removed,
      warnings: [],
    };
  },
};

function readStyles(xml: string, styles: Map<string, OdtStyle>): void {
  let current: OdtStyle | null = null;
  parseXml(xml, {
    open(element, attributes) {
      switch (element) {
        case "style:style": {
          const name = attributes["style:display-name"] ?? decodeName(attributes["style:name"] ?? "");
          const parent = attributes["style:parent-style-name"] ?? null;
          current = { name, parent, isCentred: null, isBold: null, startsPage: null };
          styles.set(attributes["style:name"] ?? "", current);
          if (attributes["style:master-page-name"]) current.startsPage = true;
          break;
        }
        case "style:paragraph-properties":
          if (!current) break;
          if (attributes["fo:text-align"]) current.isCentred = attributes["fo:text-align"] === "center";
          if (attributes["fo:break-before"]) current.startsPage = attributes["fo:break-before"] === "page";
          break;
        case "style:text-properties":
          if (current && attributes["fo:font-weight"])
            current.isBold = /bold|[6-9]00/.test(attributes["fo:font-weight"]);
      }
    },
    close(element) {
      if (element === "style:style") current = null;
    },
  });
}

/** "Heading_20_1": names contain no spaces. */
function decodeName(name: string): string {
  return name.replace(/_([0-9a-f]{2})_/gi, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** A custom style may be based on another over a few steps. */
const MOST_STEPS = 10;

function settingOf(id: string | undefined, styles: ReadonlyMap<string, OdtStyle>): Setting {
  let said: Pick<WrittenParagraph, "level" | "role"> | null = null;
  let isCentred: boolean | null = null;
  let isBold: boolean | null = null;
  let startsPage: boolean | null = null;
  let at: string | null = id ?? null;
  for (let step = 0; at !== null && step < MOST_STEPS; step++) {
    const style: OdtStyle | undefined = styles.get(at);
    said ??= styleNamed(style?.name ?? decodeName(at));
    isCentred ??= style?.isCentred ?? null;
    isBold ??= style?.isBold ?? null;
    startsPage ??= style?.startsPage ?? null;
    at = style?.parent ?? null;
  }
  const facts = { isCentred: isCentred ?? false, isBold: isBold ?? false, startsPage: startsPage ?? false };
  return { level: 0, role: null, ...said, ...facts };
}

/** Elements that are not text of the story: comments, deleted passages, a drawing's name, a ruby's reading, hidden text. */
const SKIPPED = new Set(
  "annotation annotation-end tracked-changes title desc ruby-text hidden-text sequence-decls forms note-citation".split(
    " ",
  ),
);
const CONTENTS = new Set(["table-of-content", "illustration-index", "alphabetical-index", "bibliography"]);

function readContent(xml: string, styles: ReadonlyMap<string, OdtStyle>): readonly WrittenParagraph[] {
  const paragraphs: WrittenParagraph[] = [];
  const notes: WrittenParagraph[] = [];
  const open: { paragraph: WrittenParagraph; allBold: boolean; hasText: boolean }[] = [];
  const bold: boolean[] = [];
  const settings = new Map<string, Setting>();
  let inBody = false;
  let skipping = 0;
  let inContents = 0;
  let inNote = 0;
  let notesSeen = 0;
  let noteSign = "";
  const setting = (id: string | undefined) => {
    const known = settings.get(id ?? "");
    if (known) return known;
    const found = settingOf(id, styles);
    settings.set(id ?? "", found);
    return found;
  };
  const add = (text: string) => {
    const current = open.at(-1);
    if (!current || skipping > 0) return;
    current.paragraph.text += text;
    if (text.trim() === "") return;
    current.hasText = true;
    if (!(bold.at(-1) ?? current.paragraph.isBold)) current.allBold = false;
  };
  parseXml(xml, {
    open(element, attributes) {
      const name = localName(element);
      if (element === "office:text") inBody = true;
      if (!inBody) return;
      if (SKIPPED.has(name)) skipping++;
      if (CONTENTS.has(name)) inContents++;
      switch (element) {
        case "text:h":
        case "text:p": {
          const own = setting(attributes["text:style-name"]);
          const outline = element === "text:h" ? Math.min(6, Number(attributes["text:outline-level"] ?? 1) || 1) : 0;
          const level = own.level || outline;
          open.push({
            paragraph: {
              ...own,
              ...{ text: noteSign, level, role: inContents > 0 ? "contents" : level > 0 ? null : own.role },
            },
            allBold: true,
            hasText: false,
          });
          noteSign = "";
          break;
        }
        case "text:span":
          bold.push(
            setting(attributes["text:style-name"]).isBold || (bold.at(-1) ?? open.at(-1)?.paragraph.isBold ?? false),
          );
          break;
        case "text:line-break":
          add(LINE_BREAK);
          break;
        case "text:tab":
          add(" ");
          break;
        case "text:s":
          add(" ");
          break;
        case "text:note":
          inNote++;
          notesSeen++;
          add(`[${notesSeen}]`);
          noteSign = `[${notesSeen}] `;
      }
    },
    text: add,
    close(element) {
      const name = localName(element);
      if (!inBody) return;
      if (element === "text:p" || element === "text:h") {
        const closed = open.pop();
        if (closed && skipping === 0) {
          const { paragraph, allBold, hasText } = closed;
          addWritten(inNote > 0 ? notes : paragraphs, { ...paragraph, isBold: hasText && allBold });
        }
      } else if (element === "text:span") bold.pop();
      else if (element === "text:note") inNote--;
      if (SKIPPED.has(name)) skipping--;
      if (CONTENTS.has(name)) inContents--;
      if (element === "office:text") inBody = false;
    },
  });
  return withNotes(paragraphs, notes);
}

function readMetadata(xml: string): Metadata {
  const value = elementTexts(xml);
  const author = value("initial-creator") ?? value("creator");
  return statedMetadata({ title: value("title"), author, language: value("language"), premise: value("description") });
}

import { strToU8 } from "fflate";
import { FabulaError } from "../../../core/errors.ts";
import { openArchive } from "../../files/archive.ts";
import type { Manuscript, Metadata } from "../../manuscript.ts";
import type { Format, FormatInput } from "../format.ts";
import { decodeXml, localName, parseXml } from "../xml.ts";
import { readBody } from "./body.ts";
import { readStyles } from "./styles.ts";

/** Word documents: heading styles become headings. Notes stand after the text that refers to them by their number. */
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
    const readings = [body, text("word/footnotes.xml"), text("word/endnotes.xml")].map((part) =>
      readBody(part, styleOf, name),
    );
    return {
      blocks: readings.flatMap(({ blocks }) => blocks),
      metadata: coreProperties(text("docProps/core.xml")),
      encoding: "UTF-8",
      removed: readings.flatMap(({ removed }) => removed),
      warnings: [],
    };
  },
};

function coreProperties(xml: string): Metadata {
  const found = new Map<string, string>();
  let element = "";
  parseXml(xml, {
    open: (tag) => {
      element = localName(tag);
    },
    text: (text) => {
      found.set(element, (found.get(element) ?? "") + text);
    },
    close: () => {
      element = "";
    },
  });
  const value = (name: string) => found.get(name)?.replace(/\s+/g, " ").trim() || undefined;
  const [title, author, premise] = [value("title"), value("creator"), value("description")];
  const language = value("language")?.slice(0, 2).toLowerCase();
  return {
    ...(title && { title }),
    ...(author && { author }),
    ...(language && { language }),
    ...(premise && { premise }),
  };
}

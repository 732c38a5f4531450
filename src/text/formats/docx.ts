import { strFromU8, strToU8, zipSync } from "fflate";
import mammoth from "mammoth";
import { FabulaError } from "../../core/errors.ts";
import { type Archive, openArchive } from "../archive.ts";
import { htmlToBlocks } from "../clean/html-blocks.ts";
import type { Manuscript, Metadata } from "../manuscript.ts";
import type { Format, FormatInput } from "./format.ts";
import { localName, parseXml } from "./xml.ts";

const STYLES = ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"];

/** Word documents, by way of mammoth's HTML: heading styles become headings. */
export const format: Format = {
  async read({ bytes, name }: FormatInput): Promise<Manuscript> {
    const archive = openArchive(bytes, name, (entry) => /\.(xml|rels)$/i.test(entry));
    if (archive.bytes("word/document.xml") === null) {
      throw new FabulaError(
        "E_DOCX",
        `${name} is not a Word document: it has no word/document.xml. Save it as DOCX again.`,
      );
    }
    const { value } = await mammoth
      .convertToHtml(
        { buffer: Buffer.from(checkedCopy(archive, name)) },
        { styleMap: STYLES, convertImage: mammoth.images.imgElement(async () => ({ src: "" })) },
      )
      .catch((cause: unknown) => {
        throw new FabulaError("E_DOCX", `${name} is a damaged Word document: open it and save it again.`, { cause });
      });
    const { blocks, removed } = htmlToBlocks(value, { where: name });
    return { blocks, metadata: coreProperties(archive), encoding: "UTF-8", removed, warnings: [] };
  },
};

/** An archive of what was checked: mammoth unpacks without limits of its own, so it never sees the file itself. */
function checkedCopy(archive: Archive, name: string): Uint8Array {
  const entries: Record<string, Uint8Array> = {};
  for (const entry of archive.names) {
    const bytes = archive.bytes(entry);
    if (bytes === null) continue;
    if (/<!(?:DOCTYPE|ENTITY)/i.test(strFromU8(bytes.subarray(0, 4096), true))) {
      throw new FabulaError("E_DOCX", `${name} declares entities, which no Word document does: it was not read.`);
    }
    entries[entry] = bytes;
  }
  return zipSync(entries, { level: 0 });
}

function coreProperties(archive: Archive): Metadata {
  const properties = archive.bytes("docProps/core.xml") ?? strToU8("<none/>");
  const found = new Map<string, string>();
  let element = "";
  parseXml(strFromU8(properties), {
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

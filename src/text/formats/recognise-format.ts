import { extname } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { isZip, openArchive } from "../files/archive.ts";
import { FORMATS, type FormatEntry } from "./registry.ts";

/** What a file is: by its first bytes where they tell, else by its name, else plain text. */
export function recogniseFormat(bytes: Uint8Array, name: string): string {
  const extension = extname(name).slice(1).toLowerCase();
  if (isZip(bytes)) return zipFormat(bytes, name);
  const start = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  if (start.startsWith("%PDF-")) return "pdf";
  const byName = extension === "" ? undefined : FORMATS.find(({ extensions }) => extensions.includes(extension));
  if (byName) return byName.name;
  // Standard input has no name that tells.
  if (/^[^\w<]*(?:<\?xml|<!doctype html|<html)/i.test(start)) return "html";
  if (isMarkdown(start)) return "markdown";
  return /^[^\w{]*\{[\s\S]*"chaps"\s*:/.test(start) ? "json" : "text";
}

/** Front matter, or headings with hashes: no plain text has them. */
function isMarkdown(start: string): boolean {
  return /^\W{0,3}---\r?\n\w+:/.test(start) || /^#{1,6} +\S.*\r?\n\s*\S/m.test(start);
}

function zipFormat(bytes: Uint8Array, name: string): string {
  const { names } = openArchive(bytes, name, () => false);
  return names.includes("word/document.xml") ? "docx" : "epub";
}

/** Endings of files that may be one chapter of a book kept in a folder. */
export const CHAPTER_EXTENSIONS: readonly string[] = ["txt", "text", "md", "markdown", "html", "htm", "xhtml", "docx"];

export function formatNamed(name: string): FormatEntry {
  const entry = FORMATS.find((format) => format.name === name);
  if (!entry) {
    const names = FORMATS.map((format) => format.name).join(", ");
    throw new FabulaError("E_FORMAT", `There is no format "${name}": choose ${names}.`);
  }
  return entry;
}

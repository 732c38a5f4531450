import { extname } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { isZip, openArchive } from "../files/archive.ts";
import { refuse, refusedArchive, refusedByBytes, refusedByExtension } from "./refused-formats.ts";
import { FORMATS, type FormatEntry } from "./registry.ts";

/**
 * What a file is: by its first bytes where they tell, else by its name, else plain text. What Fabula does not read is refused by its
 * name, with what to give instead: a file read as something it is not would be judged for its codes.
 */
export function recogniseFormat(bytes: Uint8Array, name: string): string {
  const extension = extname(name).slice(1).toLowerCase();
  if (isZip(bytes)) return zipFormat(bytes, name, extension);
  const start = Buffer.from(bytes.subarray(0, 4096)).toString("latin1");
  if (start.startsWith("%PDF-")) return "pdf";
  if (/^(?:\xef\xbb\xbf)?\s*\{\\rtf/.test(start)) return "rtf";
  if (/^(?:BOOK|TEXt)(?:MOBI|REAd)/.test(start.slice(60, 68))) return "mobi";
  if (/<FictionBook[\s>]/.test(start)) return "fb2";
  const refused = refusedByBytes(bytes) ?? refusedByExtension(extension);
  if (refused) throw refuse(refused, name);
  const byName = extension === "" ? undefined : FORMATS.find(({ extensions }) => extensions.includes(extension));
  if (byName) return byName.name;
  // Standard input has no name that tells.
  if (/^[^\w<]*(?:<!doctype html|<html)/i.test(start) || /^[^\w<]*<\?xml[\s\S]*<html[\s>]/i.test(start)) return "html";
  if (/^[^\w<]*<\?xml/.test(start)) throw refuse("xml", name);
  if (/^\s*(?:%.*\n\s*)*\\documentclass/.test(start)) throw refuse("tex", name);
  if (isMarkdown(start)) return "markdown";
  return /^[^\w{]*\{[\s\S]*"chaps"\s*:/.test(start) ? "json" : "text";
}

/** Front matter, or headings with hashes: no plain text has them. */
function isMarkdown(start: string): boolean {
  return /^\W{0,3}---\r?\n\w+:/.test(start) || /^#{1,6} +\S.*\r?\n\s*\S/m.test(start);
}

function zipFormat(bytes: Uint8Array, name: string, extension: string): string {
  const archive = openArchive(bytes, name, (entry) => entry === "mimetype");
  const { names } = archive;
  if (names.includes("word/document.xml")) return "docx";
  if (names.includes("META-INF/container.xml")) return "epub";
  const type = Buffer.from(archive.bytes("mimetype") ?? []).toString("latin1");
  if (names.includes("content.xml")) {
    if (type.includes("opendocument") && !type.includes("opendocument.text")) throw refuse("spreadsheet", name);
    return "odt";
  }
  if (names.some((entry) => /\.fb2$/i.test(entry))) return "fb2";
  // Its own reader says what a broken EPUB lacks.
  if (extension === "epub") return "epub";
  const refused = refusedArchive(names);
  if (refused) throw refuse(refused, name);
  return "epub";
}

/** Endings of files that may be one chapter of a book kept in a folder. */
export const CHAPTER_EXTENSIONS: readonly string[] = [
  "txt",
  "text",
  "md",
  "markdown",
  "html",
  "htm",
  "xhtml",
  "docx",
  "odt",
  "rtf",
];

export function formatNamed(name: string): FormatEntry {
  const entry = FORMATS.find((format) => format.name === name);
  if (!entry) {
    const names = FORMATS.map((format) => format.name).join(", ");
    throw new FabulaError("E_FORMAT", `There is no format "${name}": choose ${names}.`);
  }
  return entry;
}

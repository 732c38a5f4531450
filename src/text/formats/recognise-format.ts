import { extname } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { isZip } from "../archive.ts";
import { FORMATS, type FormatEntry } from "./registry.ts";

/** What a file is: by its first bytes where they tell, else by its name, else plain text. */
export function recogniseFormat(bytes: Uint8Array, name: string): string {
  const extension = extname(name).slice(1).toLowerCase();
  if (isZip(bytes)) return "epub";
  const byName = FORMATS.find(({ extensions }) => extensions.includes(extension));
  if (byName) return byName.name;
  return looksLikeHtml(bytes) ? "html" : "text";
}

function looksLikeHtml(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.subarray(0, 512)).toString("latin1");
  return /^[^\w<]*(?:<\?xml|<!doctype html|<html)/i.test(start);
}

export function formatNamed(name: string): FormatEntry {
  const entry = FORMATS.find((format) => format.name === name);
  if (!entry)
    throw new FabulaError(
      "E_FORMAT",
      `There is no format "${name}": choose ${FORMATS.map((format) => format.name).join(", ")}.`,
    );
  return entry;
}

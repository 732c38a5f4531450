import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import type { QaDocument } from "./document.ts";

/** Finds a document's text; null when the folder has none. */
export type BookFiles = (document: QaDocument) => string | null;

/**
 * The texts in a folder, found by file name: the document's id, or its number at Project Gutenberg in the usual forms
 * (`1342.txt`, `pg1342.html`, `1342-0.txt`, `1342-h.htm`).
 */
export async function bookFilesIn(folder: string): Promise<BookFiles> {
  let names: string[];
  try {
    names = await readdir(folder);
  } catch (cause) {
    throw new FabulaError(
      "E_TEXTS_FOLDER",
      `The folder "${folder}" cannot be read: give the one with the books' texts.`,
      {
        cause,
      },
    );
  }
  const byStem = new Map<string, string>();
  for (const name of names.sort()) {
    const stem = name.replace(/(?:\.[a-z0-9]{2,5})+$/i, "").toLowerCase();
    if (stem !== name.toLowerCase()) byStem.set(stem, join(folder, name));
  }
  return ({ document_id, gutenberg_id }) => {
    const numbered = gutenberg_id ? [gutenberg_id, `pg${gutenberg_id}`, `${gutenberg_id}-0`, `${gutenberg_id}-h`] : [];
    const stem = [document_id.toLowerCase(), ...numbered].find((candidate) => byStem.has(candidate));
    return stem === undefined ? null : byStem.get(stem)!;
  };
}

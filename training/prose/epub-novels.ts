import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Book } from "../../src/text/book.ts";
import { readBook } from "../../src/text/read-book.ts";

/** The EPUBs of a folder, one at a time, by name. */
export async function* epubNovels(folder: string): AsyncGenerator<Book> {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".epub"))
    .sort();
  if (files.length === 0) throw new Error(`No EPUB in ${folder}.`);
  for (const file of files) yield await readBook(join(folder, file));
}

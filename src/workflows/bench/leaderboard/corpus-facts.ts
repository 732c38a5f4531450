import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";

/** Path, size and time of the last change. */
type FileFacts = readonly [string, number, number];

/**
 * What changes when a book of the corpus does. A folder that is one book has the same date when the text of a chapter changes, so
 * its files are looked at.
 */
export async function corpusFacts(books: readonly string[]): Promise<FileFacts[]> {
  return (await Promise.all(books.map(factsOf))).flat();
}

async function factsOf(path: string): Promise<FileFacts[]> {
  const found = await stat(path);
  if (!found.isDirectory()) return [[path, found.size, found.mtimeMs]];
  const names = (await readdir(path)).sort();
  return corpusFacts(names.map((name) => join(path, name)));
}

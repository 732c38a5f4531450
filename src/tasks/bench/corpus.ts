import type { Stats } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { sumBy } from "../../stats/distribution.ts";

const BOOK = /\.(txt|md|markdown|html?|xhtml|epub|docx|pdf|json)$/i;
const CHAPTER = /\.(txt|md|markdown|html?|xhtml|docx)$/i;
/** A folder whose files are longer than this on average holds books, not chapters. */
const CHAPTER_BYTES = 60 * 1024;

/**
 * The books of a corpus: named files, and every possible book in a named folder, at any depth. A folder that holds only
 * short chapter files is one book. Folders are accepted because the files of a large corpus do not fit on a command
 * line.
 */
export async function corpusFiles(operands: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const operand of operands) {
    const kind = await stat(operand).catch(() => null);
    if (!kind) throw new FabulaError("E_NOT_FOUND", `There is no file ${operand}: check the path.`);
    if (!kind.isDirectory()) {
      files.push(operand);
      continue;
    }
    const books = await booksIn(operand);
    if (books.length === 0) {
      throw new FabulaError("E_BENCH_EMPTY", `There is no book in ${operand}: give a folder of EPUBs or texts.`);
    }
    for (const book of books) files.push(book);
  }
  return files;
}

/** `above` holds the parent folders: following a link to one of them would never end. */
async function booksIn(folder: string, above: readonly string[] = []): Promise<string[]> {
  const here = await realpath(folder);
  if (above.includes(here)) return [];
  const books: string[] = [];
  for (const { name, path, kind } of await entriesOf(folder)) {
    if (kind.isFile() && BOOK.test(name)) books.push(path);
    else if (kind.isDirectory()) {
      for (const book of (await isOneBook(path)) ? [path] : await booksIn(path, [...above, here])) books.push(book);
    }
  }
  return books;
}

interface Entry {
  readonly name: string;
  readonly path: string;
  /** For a symbolic link, the stats of its target. */
  readonly kind: Stats;
}

/** The entries of a folder, sorted by name, without hidden files and broken links. */
async function entriesOf(folder: string): Promise<Entry[]> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(".")).sort();
  const entries = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { name, path, kind: await stat(path).catch(() => null) };
    }),
  );
  return entries.flatMap(({ kind, ...entry }) => (kind ? [{ ...entry, kind }] : []));
}

async function isOneBook(folder: string): Promise<boolean> {
  const entries = await entriesOf(folder);
  if (entries.some(({ kind }) => kind.isDirectory())) return false;
  if (entries.some(({ name }) => name === "book.yaml")) return true;
  const files = entries.filter(({ name }) => BOOK.test(name));
  if (files.length < 2 || !files.every(({ name }) => CHAPTER.test(name))) return false;
  return sumBy(files, ({ kind }) => kind.size) / files.length < CHAPTER_BYTES;
}

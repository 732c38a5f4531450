import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";

const BOOK = /\.(txt|md|markdown|html?|xhtml|epub|docx|pdf|json)$/i;
const CHAPTER = /\.(txt|md|markdown|html?|xhtml|docx)$/i;
/** Chapters are shorter than books: a folder of files that are longer than this on average is a folder of books. */
const CHAPTER_BYTES = 60 * 1024;

/**
 * The books of a corpus: files as they are named, and of a folder everything in it that may be one, however deep. A folder
 * that holds nothing but short chapter files is one book. A large corpus does not fit into a command line, its folder does.
 */
export async function corpusFiles(operands: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const operand of operands) {
    const kind = await stat(operand).catch(() => null);
    if (!kind?.isDirectory()) {
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

async function booksIn(folder: string): Promise<string[]> {
  const books: string[] = [];
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.sort((left, right) => (left.name < right.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isFile() && BOOK.test(entry.name)) books.push(path);
    else if (entry.isDirectory()) {
      for (const book of (await isOneBook(path)) ? [path] : await booksIn(path)) books.push(book);
    }
  }
  return books;
}

async function isOneBook(folder: string): Promise<boolean> {
  const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !name.startsWith("."));
  if (entries.some((entry) => entry.isDirectory())) return false;
  if (entries.some(({ name }) => name === "book.yaml")) return true;
  const files = entries.filter(({ name }) => BOOK.test(name));
  if (files.length < 2 || !files.every(({ name }) => CHAPTER.test(name))) return false;
  let bytes = 0;
  for (const { name } of files) bytes += (await stat(join(folder, name))).size;
  return bytes / files.length < CHAPTER_BYTES;
}

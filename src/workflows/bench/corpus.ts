import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";

const BOOK = /\.(txt|md|markdown|html?|xhtml|epub|docx|pdf|json)$/i;

/**
 * The books of a corpus: files as they are named, and of a folder everything in it that may be one. A folder inside it is
 * one book in chapter files. A large corpus does not fit into a command line, its folder does.
 */
export async function corpusFiles(operands: readonly string[]): Promise<string[]> {
  const files: string[] = [];
  for (const operand of operands) {
    const kind = await stat(operand).catch(() => null);
    if (!kind?.isDirectory()) {
      files.push(operand);
      continue;
    }
    const entries = await readdir(operand, { withFileTypes: true });
    const books = entries.filter(
      (entry) => !entry.name.startsWith(".") && (entry.isDirectory() || (entry.isFile() && BOOK.test(entry.name))),
    );
    if (books.length === 0) {
      throw new FabulaError("E_BENCH_EMPTY", `There is no book in ${operand}: give a folder of EPUBs or texts.`);
    }
    files.push(...books.map((entry) => join(operand, entry.name)).sort());
  }
  return files;
}

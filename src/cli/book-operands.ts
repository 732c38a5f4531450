import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../core/errors.ts";
import { makeTemporaryFolder } from "../core/files/temporary-folder.ts";
import { type FoundBooks, findBooks } from "../text/files/find-books.ts";
import { readStream } from "../text/files/read-file.ts";

/** The books that a command's operands stand for, and what removes the copy of standard input when they have been read. */
export interface BookOperands extends FoundBooks {
  close(): Promise<void>;
}

/** Folders become the books in them; `-` becomes a file, so that every way of judging can read it more than once. */
export async function bookOperands(operands: readonly string[]): Promise<BookOperands> {
  const { files, failed } = await findBooks(operands);
  const at = files.indexOf("-");
  if (at < 0) return { files, failed, close: async () => {} };
  const bytes = await readStream(process.stdin, "standard input");
  if (bytes.length === 0) throw new FabulaError("E_EMPTY", "Standard input is empty: there is nothing to read.");
  const folder = await makeTemporaryFolder("stdin");
  const copy = join(folder, "standard input");
  await writeFile(copy, bytes);
  return {
    files: files.map((file, index) => (index === at ? copy : file)),
    failed,
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "./make-folder.ts";
import { writeFailure } from "./write-failure.ts";

/** Writes a file that appears whole or not at all: it is written beside and renamed. */
export async function writeWholeFile(
  path: string,
  content: string | Uint8Array | AsyncIterable<string>,
): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    await makeFolder(dirname(path));
    await writeFile(unfinished, content);
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true }).catch(() => {});
    throw writeFailure(path, cause);
  }
}

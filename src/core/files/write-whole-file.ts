import { rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { FabulaError } from "../errors.ts";
import { makeFolder } from "./make-folder.ts";

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
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    throw new FabulaError("E_FILE_WRITE", `"${path}" could not be written${advice(String(cause.code))}`, { cause });
  }
}

function advice(code: string): string {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return ": the disk is full. Free some space and try again.";
    case "EROFS":
    case "EACCES":
    case "EPERM":
      return ": its folder is read-only for this user. Make it writable, or choose another.";
    default:
      return ` (${code}): check the folder.`;
  }
}

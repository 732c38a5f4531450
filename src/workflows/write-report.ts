import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, extname } from "node:path";
import { FabulaError } from "../core/errors.ts";

/** Writes what the file's ending asks for. The file appears whole or not at all. */
export async function writeReport(path: string, renderers: Readonly<Record<string, () => string>>): Promise<void> {
  const render = renderers[extname(path).toLowerCase()];
  if (!render) {
    const known = Object.keys(renderers).join(", ");
    throw new FabulaError("E_REPORT_FORMAT", `"${path}" has no ending that tells what to write: use ${known}.`);
  }
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, render());
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw new FabulaError("E_FILE_WRITE", `"${path}" could not be written: check the folder and its permissions.`, {
      cause,
    });
  }
}

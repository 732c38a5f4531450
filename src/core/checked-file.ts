import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { FabulaError } from "./errors.ts";
import { sha256 } from "./hash.ts";

/** Writes a file and, beside it, its checksum in the form `sha256sum` writes and checks. */
export async function writeChecked(path: string, content: string | Uint8Array): Promise<string> {
  const checksum = sha256(content);
  await writeFile(path, content);
  await writeFile(`${path}.sha256`, `${checksum}  ${basename(path)}\n`);
  return checksum;
}

/** Reads a file and holds it against its checksum: what was cut short or altered is an error, never a number. */
export async function readChecked(path: string, remedy: string): Promise<{ bytes: Uint8Array; checksum: string }> {
  const [bytes, recorded] = await Promise.all([readPart(path, remedy), readPart(`${path}.sha256`, remedy)]);
  const checksum = sha256(bytes);
  if (checksum !== new TextDecoder().decode(recorded).split(/\s/)[0]) {
    throw new FabulaError(
      "E_WEIGHTS_DAMAGED",
      `"${basename(path)}" is not the file its checksum was taken of: it was cut short or altered. ${remedy}`,
      { evidence: path },
    );
  }
  return { bytes, checksum };
}

async function readPart(path: string, remedy: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (cause) {
    throw new FabulaError("E_WEIGHTS_MISSING", `"${path}" cannot be read. ${remedy}`, { cause });
  }
}

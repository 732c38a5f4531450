import { rename, rm, writeFile } from "node:fs/promises";
import { extname } from "node:path";
import { FabulaError } from "../core/errors.ts";

/** The forms a report can be written in, by the ending of the file's name; each is made only when it is asked for. */
export type ReportForms = Readonly<Record<string, () => string>>;

/** Writes a report in the form its file name asks for. The file appears whole or not at all. */
export async function writeReport(path: string, forms: ReportForms): Promise<void> {
  const ending = extname(path).slice(1).toLowerCase();
  const form = Object.hasOwn(forms, ending) ? forms[ending] : undefined;
  if (!form) {
    const known = Object.keys(forms).map((name) => `.${name}`);
    throw new FabulaError("E_USAGE", `--out ${path}: end the file's name with ${known.join(", ")}.`);
  }
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    await writeFile(unfinished, form());
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    if (!(cause instanceof Error && "code" in cause)) throw cause;
    throw new FabulaError("E_FILE_WRITE", `"${path}" could not be written (${String(cause.code)}): check the folder.`, {
      cause,
    });
  }
}

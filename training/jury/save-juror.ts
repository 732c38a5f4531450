import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Terminal } from "../../src/cli/terminal.ts";
import { FabulaError } from "../../src/core/errors.ts";
import { encodeJuror, type TrainedJuror } from "../../src/jury/juror-file.ts";

/** Writes measured figures between the marks of a section of a model's card; a card without the section gets it at its end. */
export async function updateCard(folder: string, section: string, content: string): Promise<void> {
  const path = join(folder, "CARD.md");
  const card = await readFile(path, "utf8").catch(() => "");
  const [begin, end] = [`<!-- ${section} -->`, `<!-- /${section} -->`];
  const block = `${begin}\n${content.trim()}\n${end}`;
  const from = card.indexOf(begin);
  const to = card.indexOf(end);
  const updated =
    from === -1 || to === -1
      ? `${card.trimEnd()}\n\n${block}\n`
      : card.slice(0, from) + block + card.slice(to + end.length);
  await writeFile(path, updated.trimStart());
}

/** What every command that trains a juror takes. */
export const JUROR_FLAGS = {
  data: { type: "string", value: "FOLDER", help: "where the data sets are" },
  out: { type: "string", value: "FOLDER", help: "folder for weights and card, instead of the one that ships" },
} as const;

export function requireData(data: string | undefined): string {
  if (data === undefined) throw new FabulaError("E_USAGE", "Say where the data sets are: --data FOLDER.");
  return data;
}

export async function saveJuror(
  path: { readonly folder: string; readonly file: string },
  model: string,
  juror: TrainedJuror,
  terminal: Terminal,
): Promise<void> {
  const bytes = encodeJuror(model, juror);
  await mkdir(path.folder, { recursive: true });
  await writeFile(join(path.folder, path.file), bytes);
  const digest = createHash("sha256").update(bytes).digest("hex");
  await updateCard(path.folder, path.file, `SHA-256 of \`${path.file}\`: \`${digest}\``);
  terminal.print(`${join(path.folder, path.file)}: ${bytes.length} bytes, ${juror.hashes.length} n-grams`);
}

import { stat } from "node:fs/promises";
import { FabulaError } from "../../core/errors.ts";
import { badLinesInWords, readFittingLines, readJsonLines } from "../../core/json-lines.ts";
import { documentSchema, type QaDocument } from "./document.ts";

/**
 * Reads books with questions and reference answers: a JSONL file in LiteraryQA's shape (`-` for standard input), or a
 * folder with NarrativeQA's CSVs. With `split`, only that part is kept (`train`, `test`, …). Throws when nothing is
 * left. With `onNote`, lines that are no books are left out and named to it; without it, the first of them is an error.
 *
 * @example
 * ```ts
 * const documents = await readQaDocuments("literary-qa.jsonl", "test");
 * for (const { title, qas } of documents) console.log(title, qas.length);
 * ```
 */
export async function readQaDocuments(
  path: string,
  split?: string,
  onNote?: (note: string) => void,
): Promise<QaDocument[]> {
  const isFolder = path !== "-" && (await stat(path).catch(() => null))?.isDirectory() === true;
  const documents = isFolder ? await readFolder(path, split) : await readFile(path, onNote);
  const chosen = split === undefined ? documents : documents.filter((document) => document.split === split);
  if (chosen.length === 0) {
    throw new FabulaError("E_QA_EMPTY", `"${path}" holds no books${split ? ` of the split "${split}"` : ""}.`);
  }
  return chosen;
}

async function readFile(path: string, onNote: ((note: string) => void) | undefined): Promise<QaDocument[]> {
  if (onNote === undefined) return readJsonLines(path, documentSchema);
  const { rows, bad } = await readFittingLines(path, documentSchema);
  if (bad.length > 0) onNote(badLinesInWords(bad, path));
  return rows;
}

/** The CSV parser is loaded only when needed. */
async function readFolder(path: string, split: string | undefined): Promise<QaDocument[]> {
  const { readNarrativeQa } = await import("./narrative-qa.ts");
  return readNarrativeQa(path, split);
}

import { stat } from "node:fs/promises";
import { FabulaError } from "../../core/errors.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { documentSchema, type QaDocument } from "./document.ts";
import { readNarrativeQa } from "./narrative-qa.ts";

/** Books with questions: a JSONL file in LiteraryQA's shape (`-` for standard input), or a folder with NarrativeQA's CSVs. */
export async function readQaDocuments(path: string, split?: string): Promise<QaDocument[]> {
  const isFolder = path !== "-" && (await stat(path).catch(() => null))?.isDirectory() === true;
  const documents = isFolder ? await readNarrativeQa(path, split) : await readJsonLines(path, documentSchema);
  const chosen = split === undefined ? documents : documents.filter((document) => document.split === split);
  if (chosen.length === 0) {
    throw new FabulaError("E_QA_EMPTY", `"${path}" holds no books${split ? ` of the split "${split}"` : ""}.`);
  }
  return chosen;
}

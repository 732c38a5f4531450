import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { FabulaError } from "../../../core/errors.ts";
import { writeWholeFile } from "../../../core/files.ts";
import type { BookEvaluation } from "../../../judge/evaluation.ts";
import { notesDocx } from "../../../report/docx/notes-docx.ts";
import { type ReadOptions, readBook } from "../../../text/read-book.ts";

export interface WrittenNotes {
  readonly notes: number;
  /** How many of them stand at their sentences. */
  readonly placed: number;
}

/** Writes the manuscript as a Word document with its line notes as comments. A writer's own DOCX keeps its formatting. */
export async function writeNotesDocx(
  evaluation: BookEvaluation,
  path: string,
  options: Pick<ReadOptions, "metadata"> = {},
): Promise<WrittenNotes> {
  const { file } = evaluation.book;
  if (file === "-") {
    throw new FabulaError(
      "E_USAGE",
      "A .docx with notes needs the manuscript as a file: save it and name it instead of -.",
    );
  }
  const book = await readBook(file, options);
  const own = extname(file).toLowerCase() === ".docx" ? await readFile(file) : null;
  const { bytes, placed } = notesDocx(evaluation, book, own);
  await writeWholeFile(path, bytes);
  return { notes: evaluation.lineNotes?.shown.length ?? 0, placed };
}

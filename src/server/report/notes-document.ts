import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { notesDocx } from "../../report/docx/notes-docx.ts";
import { identifiedNotes } from "../../tasks/books/notes/identified-notes.ts";
import type { Book } from "../../text/book.ts";
import { evaluateWithJury } from "../../workflows/books/jury/evaluate-with-jury.ts";
import { originalName } from "../library/book-files.ts";
import { type NoteMarks, readMarks } from "../library/note-marks.ts";
import { bookIn } from "../library/stored-readings.ts";

export interface NotesDocumentInput {
  /** The book's folder in the library. */
  readonly folder: string;
  /** Null when the book was not judged: the jury reads it for its letter and notes. */
  readonly evaluation: BookEvaluation | null;
}

/**
 * The manuscript as a Word document with its line notes as comments; a DOCX stays the writer's own. Notes that are done or
 * ignored are left out.
 */
export async function notesDocument({ folder, evaluation }: NotesDocumentInput): Promise<Uint8Array> {
  const book = await bookIn(folder);
  const judged = evaluation ?? (await evaluateWithJury(book));
  const marks = await readMarks(folder);
  const isOwn = book.source.format === "docx";
  const own = isOwn ? await readFile(join(folder, originalName(book.source.format))) : null;
  return notesDocx(await withoutMarked(judged, book, marks), book, own).bytes;
}

async function withoutMarked(evaluation: BookEvaluation, book: Book, marks: NoteMarks): Promise<BookEvaluation> {
  const { lineNotes } = evaluation;
  if (!lineNotes || Object.keys(marks).length === 0) return evaluation;
  const { notes } = await identifiedNotes(book, "all");
  const settled = new Set(notes.filter(({ id }) => marks[id]).map(({ chapter, start }) => `${chapter}:${start}`));
  const shown = lineNotes.shown.filter(({ chapter, start }) => !settled.has(`${chapter}:${start}`));
  return { ...evaluation, lineNotes: { ...lineNotes, shown } };
}

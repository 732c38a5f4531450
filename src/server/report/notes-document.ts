import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { isStrength } from "../../core/finding.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { lettersOf } from "../../report/docx/document-letters.ts";
import { type FindingComment, findingsDocx, readFindingComments } from "../../report/docx/finding-comments.ts";
import { notesDocx } from "../../report/docx/notes-docx.ts";
import { identifiedNotes } from "../../tasks/books/notes/identified-notes.ts";
import type { Book } from "../../text/book.ts";
import { parseBookBytes } from "../../text/parse-book.ts";
import { evaluateWithJury } from "../../workflows/books/jury/evaluate-with-jury.ts";
import { originalName, readWriterSays } from "../library/book-files.ts";
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
  return notesDocx(await withoutMarked(judged, book, marks), book, await ownDocument(folder, book)).bytes;
}

async function withoutMarked(evaluation: BookEvaluation, book: Book, marks: NoteMarks): Promise<BookEvaluation> {
  const { lineNotes } = evaluation;
  if (!lineNotes || Object.keys(marks).length === 0) return evaluation;
  const { notes } = await identifiedNotes(book, "all");
  const settled = new Set(notes.filter(({ id }) => marks[id]).map(({ chapter, start }) => `${chapter}:${start}`));
  const shown = lineNotes.shown.filter(({ chapter, start }) => !settled.has(`${chapter}:${start}`));
  return { ...evaluation, lineNotes: { ...lineNotes, shown } };
}

export interface LetterDocumentInput {
  /** The book's folder in the library. */
  readonly folder: string;
  readonly evaluation: BookEvaluation;
}

/** The manuscript as a Word document with the open findings of a letter as comments; a DOCX stays the writer's own. */
export async function letterDocument({ folder, evaluation }: LetterDocumentInput): Promise<Uint8Array> {
  const book = await bookIn(folder);
  const { findings } = await readWriterSays(folder);
  const open = (evaluation.letter?.findings ?? []).filter((finding) => {
    const mark = findings[finding.id]?.mark ?? null;
    return !isStrength(finding) && mark !== "done" && mark !== "intended";
  });
  return findingsDocx(evaluation, book, await ownDocument(folder, book), open).bytes;
}

export interface ReadCommentsInput {
  /** The book's folder in the library. */
  readonly folder: string;
  /** The Word file that was edited. */
  readonly path: string;
}

export interface ReadComments {
  readonly comments: readonly FindingComment[];
  /** Whether its text differs from the book's. */
  readonly isChanged: boolean;
}

/** What became of our comments in a Word file that the writer brings back. */
export async function readComments({ folder, path }: ReadCommentsInput): Promise<ReadComments> {
  const bytes = await readFile(path);
  const comments = readFindingComments(bytes);
  if (comments.length === 0) return { comments, isChanged: false };
  const [known, edited] = [await bookIn(folder), await parseBookBytes(bytes, "edited.docx")];
  const letters = ({ chapters }: Pick<Book, "chapters">) => lettersOf(chapters.map(({ text }) => text).join(""));
  // A document of ours opens with the letter, so the book need not be all of it.
  return { comments, isChanged: !letters(edited).includes(letters(known)) };
}

async function ownDocument(folder: string, { source }: Book): Promise<Uint8Array | null> {
  return source.format === "docx" ? readFile(join(folder, originalName(source.format))) : null;
}

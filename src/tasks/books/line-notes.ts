import { readFile } from "node:fs/promises";
import { extname } from "node:path";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files.ts";
import { numberedLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import { loadJury } from "../../jury/jury.ts";
import { applicabilityOfNotes, type LineNote } from "../../jury/notes.ts";
import { notesDocx } from "../../report/docx/notes-docx.ts";
import { notedChapter } from "../../report/letter/choose-notes.ts";
import { type ReadOptions, readBook } from "../../text/read-book.ts";
import type { BookInput } from "../define/shared-fields.ts";
import { openBook } from "./open-book.ts";

/** A note with its position in a book; offsets point into the chapter's text. */
export interface BookNote extends LineNote {
  readonly chapter: number;
  readonly sentence: string;
}

export interface NotesOfBook {
  readonly title: string;
  readonly sentences: number;
  /** One per sentence, except headings, stage directions, names of speakers and fragments. */
  readonly notes: readonly BookNote[];
  /** Why there are no notes, or null. */
  readonly unscored: string | null;
  /**
   * What must be said beside the notes, such as that the text is unlike the training data; null when there is nothing
   * to add.
   */
  readonly caveat: string | null;
}

/** Every sentence of a book, in order, with the probability that a professional would change it. */
export async function notesOfBook(
  source: BookInput,
  { onProgress, ...options }: ReadOptions & { readonly onProgress?: ProgressListener } = {},
): Promise<NotesOfBook> {
  onProgress?.({ stage: "Reading", done: 0, total: 1 });
  const book = await openBook(source, options);
  const jury = await loadJury();
  const total = book.chapters.length;
  const chapters = book.chapters.map(({ index, text }, done) => {
    onProgress?.({ stage: "Preparing chapters", done, total });
    return { index, prepared: jury.prepare(text) };
  });
  const { unscored, caveat } = applicabilityOfNotes(
    jury.domain,
    chapters.map(({ prepared }) => prepared),
  );
  if (unscored !== null) return { title: book.title, sentences: 0, notes: [], unscored, caveat };
  const notes = chapters.flatMap(({ index, prepared }, done) => {
    onProgress?.({ stage: "Line notes", done, total });
    return notedChapter(index, prepared, jury.notes.read(prepared)).notes.map(
      ({ start, end, change, why }): BookNote => ({
        chapter: index,
        start,
        end,
        change,
        why,
        sentence: prepared.text.slice(start, end),
      }),
    );
  });
  return {
    title: book.title,
    sentences: notes.length,
    notes,
    unscored,
    caveat,
  };
}

export interface NotesRequest {
  /** A JSONL file of `{"id","text"}`; `-` is standard input. */
  readonly input: string;
  readonly output: string;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

export interface NotesSummary {
  readonly items: number;
  readonly unscored: number;
  readonly unreadableLines: readonly number[];
}

const itemSchema = z.object({ id: z.union([z.string(), z.number()]), text: z.string() });

/**
 * Line notes on texts, one line at a time. A text that cannot be read gets no sentences and the reason; one unlike
 * the training data, a caveat.
 */
export async function notesOfItems({ input, output, signal, onProgress }: NotesRequest): Promise<NotesSummary> {
  const jury = await loadJury();
  const unreadableLines: number[] = [];
  let items = 0;
  let unscored = 0;
  async function* rows() {
    for await (const { number, line } of numberedLines(input)) {
      signal.throwIfAborted();
      const item = itemSchema.safeParse(parsed(line));
      if (!item.success) {
        unreadableLines.push(number);
        continue;
      }
      const { id, text } = item.data;
      const prepared = jury.prepare(text);
      const standing = applicabilityOfNotes(jury.domain, [prepared]);
      items++;
      if (standing.unscored !== null) unscored++;
      onProgress({ stage: "Line notes", done: items, total: null });
      yield standing.unscored === null
        ? { id, sentences: jury.notes.read(prepared), ...(standing.caveat !== null && { caveat: standing.caveat }) }
        : { id, sentences: [], unscored: standing.unscored };
    }
  }
  await writeJsonLines(output, rows());
  return { items, unscored, unreadableLines };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

export interface WrittenNotes {
  readonly notes: number;
  /** How many notes could be attached to their sentences. */
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

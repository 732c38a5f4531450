import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { FabulaError } from "../../core/errors.ts";
import { type Finding, isStrength } from "../../core/finding.ts";
import type { BookEvaluation } from "../../judge/evaluation.ts";
import type { LetterView } from "../../judge/letter/parts.ts";
import {
  type AnnotatedDocx,
  annotateDocx,
  type SentenceNote,
  wantedSentence,
} from "../../report/docx/annotate-docx.ts";
import { lettersOf } from "../../report/docx/document-letters.ts";
import { letterParagraphs, manuscriptDocx, notesDocx, withLetterPages } from "../../report/docx/notes-docx.ts";
import { letterView } from "../../report/letter/letter-view.ts";
import { besideOffer } from "../../report/letter/letter-words.ts";
import { isSettled, markedLetter } from "../../report/letter/marked-letter.ts";
import { evaluateWithJury } from "../../tasks/books/evaluate-book.ts";
import { identifiedNotes } from "../../tasks/books/letter.ts";
import type { Book } from "../../text/book.ts";
import { parseBookBytes } from "../../text/parse-book.ts";
import { originalName, readWriterSays } from "../library/book-files.ts";
import { type NoteMarks, readMarks } from "../library/note-marks.ts";
import { bookIn } from "../library/stored-books.ts";

export interface NotesDocumentInput {
  /** The book's folder in the library. */
  readonly folder: string;
  /** Null when the book was not judged: the jury reads it for its letter and notes. */
  readonly evaluation: BookEvaluation | null;
}

/** The manuscript, or the writer's own DOCX, with its line notes as Word comments, without those that are done or ignored. */
export async function notesDocument({ folder, evaluation }: NotesDocumentInput): Promise<Uint8Array> {
  const book = await bookIn(folder);
  const judged = evaluation ?? besideOffer(await evaluateWithJury(book));
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
  const open = (evaluation.letter?.findings ?? []).filter(
    (finding) => !isStrength(finding) && !isSettled(findings[finding.id]?.mark),
  );
  const view = letterView(evaluation);
  const marks = new Map(Object.entries(findings).map(([id, { mark }]) => [id, mark]));
  const letter = view && markedLetter(view, marks);
  return findingsDocx(letter, book, await ownDocument(folder, book), open).bytes;
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

/** The state of our comments in a Word file that the writer brings back. */
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

/**
 * The manuscript with the findings of its letter as Word comments at their passages. A writer's own Word file keeps everything
 * else as it is, and the letter is the first comment. Each finding is named in its comment, so that it is recognised when the
 * file comes back.
 */
function findingsDocx(
  letter: LetterView | null,
  book: Book,
  own: Uint8Array | null,
  findings: readonly Finding[],
): AnnotatedDocx {
  const notes = findingNotes(findings, book);
  if (own) return annotateDocx(own, notes, letter ? letterParagraphs(letter) : []);
  const annotated = annotateDocx(manuscriptDocx(book), notes);
  return { ...annotated, bytes: letter ? withLetterPages(annotated.bytes, letter) : annotated.bytes };
}

/** In reading order, as `annotateDocx` requires. The first passage of a finding has the whole comment, the others refer to it. */
function findingNotes(findings: readonly Finding[], book: Book): SentenceNote[] {
  const order = new Map(book.chapters.map(({ index, text }, at) => [index, { at, text }]));
  return findings
    .flatMap(({ id, title, claim, advice, passages }) =>
      passages
        .filter(({ chapter }) => order.has(chapter))
        .map(({ chapter, start, end }, at) => ({
          place: { ...order.get(chapter)!, start, end },
          paragraphs:
            at === 0
              ? [/[.!?…]$/u.test(title) ? title : `${title}.`, claim, advice, `${NAMED}${id}`].filter(
                  (line) => line !== "",
                )
              : [`${title}: ${at + 1} / ${passages.length}`],
        })),
    )
    .sort((left, right) => left.place.at - right.place.at || left.place.start - right.place.start)
    .map(({ place: { text, start, end }, paragraphs }) => ({ wanted: wantedSentence(text, start, end), paragraphs }));
}

/** The text before the id of a finding in its comment. */
const NAMED = "Fabula · ";
const NAME = /Fabula\s*·\s*([0-9a-f]{12})/u;

interface FindingComment {
  /** The finding's id. */
  readonly id: string;
  /** Whether it was resolved in Word or LibreOffice. */
  readonly isResolved: boolean;
}

/**
 * Reads the state of our comments in an edited Word file. Both Word and LibreOffice note in `commentsExtended.xml` which are
 * resolved, by the id of a comment's last paragraph; the ids of the comments themselves change whenever the file is saved.
 */
function readFindingComments(file: Uint8Array): FindingComment[] {
  const entries = openZip(file);
  const part = (name: string) => {
    const bytes = entries[name];
    return bytes ? strFromU8(bytes) : "";
  };
  const resolved = new Set(
    [...part("word/commentsExtended.xml").matchAll(/<w15:commentEx\b[^>]*>/g)].flatMap(([element]) => {
      const isDone = /w15:done="(?:1|true)"/.test(element);
      const paragraph = /w15:paraId="([^"]+)"/.exec(element)?.[1];
      return isDone && paragraph !== undefined ? [paragraph.toUpperCase()] : [];
    }),
  );
  return [...part("word/comments.xml").matchAll(/<w:comment\b[^>]*>([\s\S]*?)<\/w:comment>/g)].flatMap(
    ([, inside = ""]) => {
      const text = [...inside.matchAll(/<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>/g)].map(([, piece]) => piece).join("");
      const id = NAME.exec(text)?.[1];
      const paragraphs = [...inside.matchAll(/w14:paraId="([^"]+)"/g)].map(([, paragraph]) => paragraph!.toUpperCase());
      return id === undefined ? [] : [{ id, isResolved: paragraphs.some((paragraph) => resolved.has(paragraph)) }];
    },
  );
}

function openZip(file: Uint8Array): Record<string, Uint8Array> {
  try {
    return unzipSync(file, { filter: ({ name }) => name.startsWith("word/comments") });
  } catch (cause) {
    throw new FabulaError("E_REQUEST", "This is not a Word file: save the manuscript as .docx and bring it back.", {
      cause,
    });
  }
}

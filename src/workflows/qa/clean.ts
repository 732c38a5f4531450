import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder, writeWholeFile } from "../../core/files.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { bookFilesIn } from "../../qa/dataset/book-files.ts";
import type { QaDocument } from "../../qa/dataset/document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { readSteps, writeSteps } from "../../qa/dataset/steps.ts";
import { repairEncoding } from "../../qa/refinement.ts";
import { sum } from "../../stats/distribution.ts";
import type { Book } from "../../text/book.ts";
import { readBook } from "../../text/read-book.ts";
import { countWords } from "../../text/words.ts";

export interface CleanRequest {
  readonly input: string;
  readonly split?: string;
  /** Folder with the texts as they were downloaded. */
  readonly texts: string;
  /** Folder for the clean texts, one per book, named by document id. */
  readonly cleanTexts: string;
  /** Where to write the books with repaired summaries. */
  readonly output?: string;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
}

export interface CleanedBook {
  readonly document_id: string;
  readonly title: string;
  readonly words: number;
  readonly wordsRemoved: number;
  /** Words taken away, by rule. */
  readonly rules: Readonly<Record<string, number>>;
  /** What looks misread in it. */
  readonly warnings: readonly string[];
}

export interface CleanReport {
  readonly books: readonly CleanedBook[];
  readonly failed: readonly { readonly document_id: string; readonly title: string; readonly reason: string }[];
  readonly summariesMended: number;
  readonly meanWordsRemoved: number | null;
}

/** Downloaded texts → clean ones, with what each rule removed; summaries with broken letters repaired. */
export async function cleanTexts(request: CleanRequest): Promise<CleanReport> {
  const documents = await readQaDocuments(request.input, request.split);
  const files = await bookFilesIn(request.texts);
  await makeFolder(request.cleanTexts);
  const books: CleanedBook[] = [];
  const failed: { document_id: string; title: string; reason: string }[] = [];
  for (const [index, document] of documents.entries()) {
    request.signal.throwIfAborted();
    request.onProgress({ stage: "cleaning", done: index, total: documents.length, note: document.title });
    const { document_id, title } = document;
    const file = files(document);
    let book: Book;
    try {
      if (file === null) throw new FabulaError("E_TEXT_MISSING", "the folder of texts has no file for this book");
      book = await readBook(file);
    } catch (error) {
      if (!(error instanceof FabulaError)) throw error;
      failed.push({ document_id, title, reason: error.message });
      continue;
    }
    await writeWholeFile(join(request.cleanTexts, `${safeName(document_id)}.txt`), plainText(book));
    books.push(describeCleaning(document, book));
  }
  const repaired = documents.map((document) => ({ document, ...repairEncoding(document.summary) }));
  if (request.output) {
    await writeJsonLines(
      request.output,
      repaired.map(({ document, text }) => ({ ...document, summary: text })),
    );
    await writeSteps(request.output, await readSteps(request.input));
  }
  const removed = sum(books.map(({ wordsRemoved }) => wordsRemoved));
  return {
    books,
    failed,
    summariesMended: repaired.filter(({ changes }) => changes.length > 0).length,
    meanWordsRemoved: books.length > 0 ? removed / books.length : null,
  };
}

/** An id comes from a file: it names a file of ours, not a path of its own. */
function safeName(documentId: string): string {
  return documentId.replace(/[^\p{L}\p{N}_-]/gu, "_");
}

function plainText({ chapters }: Book): string {
  return `${chapters.map(({ title, text }) => (title ? `${title}\n\n${text}` : text)).join("\n\n\n")}\n`;
}

function describeCleaning({ document_id, title }: QaDocument, book: Book): CleanedBook {
  const rules: Record<string, number> = {};
  for (const { rule, text, words } of book.removed) rules[rule] = (rules[rule] ?? 0) + (words ?? countWords(text));
  const wordsRemoved = sum(Object.values(rules));
  return { document_id, title, words: book.words, wordsRemoved, rules, warnings: book.warnings };
}

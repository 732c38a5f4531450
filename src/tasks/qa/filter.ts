import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder, writeWholeFile } from "../../core/files.ts";
import { checkJsonLinesName, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type BookFiles, bookFilesIn } from "../../qa/dataset/book-files.ts";
import { countQuestions, type QaDocument } from "../../qa/dataset/document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { readSteps, type Step, stepsAfter, writeSteps } from "../../qa/dataset/steps.ts";
import {
  type DocumentRemoval,
  removal,
  removalByRecord,
  removalByText,
  removalSchema,
} from "../../qa/filtering/filter-document.ts";
import { judgeDocument } from "../../qa/filtering/judge-document.ts";
import { type Duplicate, duplicateSchema, removeDuplicates, repairEncoding } from "../../qa/refinement.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { type FinishedRun, inRun, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { sum } from "../../stats/distribution.ts";
import type { Book } from "../../text/book.ts";
import { readBook } from "../../text/read-book.ts";
import { countWords } from "../../text/words.ts";

export interface FilterRequest {
  readonly input: string;
  /** Called with the invalid lines of the data, which are left out; without it, the first of them is an error. */
  readonly onNote?: (note: string) => void;
  readonly split?: string;
  /** Folder with the books' texts; without it only the data set's metadata is used. */
  readonly texts?: string;
  /** A model that checks the documents that the rules keep. */
  readonly judge?: string | ChatModel;
  readonly decisions?: string;
  readonly output?: string;
  readonly review?: string;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
}

export interface FilterReport {
  readonly documents: number;
  readonly questions: number;
  readonly removed: readonly DocumentRemoval[];
  /** Documents kept without a check, because there was no text or no usable reply. */
  readonly unjudged: readonly { readonly document_id: string; readonly reason: string }[];
}

interface Opinion {
  readonly removal: DocumentRemoval | null;
  readonly unjudged: string | null;
}

/** Keeps the documents that are narratives with a summary of their own; lists the rest with evidence. */
export async function filterDocuments(
  request: FilterRequest,
): Promise<{ result: FilterReport; run: FinishedRun | null; plan: Plan | null }> {
  for (const path of [request.output, request.review]) if (path) checkJsonLinesName(path);
  const input = await readQaDocuments(request.input, request.split, request.onNote);
  const files = request.texts === undefined ? null : await bookFilesIn(request.texts);
  if (request.judge !== undefined && files === null) {
    throw new FabulaError("E_USAGE", "A judge has to see how the books open: give their folder with --texts.");
  }
  if (request.judge === undefined) {
    const opinions = await opinionsOn(input, files, null, 1, request);
    return { result: await finish(request, input, opinions, false), run: null, plan: null };
  }
  const judge = request.judge;
  return inRun(request.settings, request.services, async (run) => {
    const opinions = await opinionsOn(input, files, await run.model(judge), run.concurrency, request);
    request.services.signal.throwIfAborted();
    return finish(request, input, opinions, run.dryRun);
  });
}

async function opinionsOn(
  input: readonly QaDocument[],
  files: BookFiles | null,
  model: ChatModel | null,
  concurrency: number,
  { services, onProgress }: FilterRequest,
): Promise<Opinion[]> {
  let done = 0;
  return mapBounded(input, concurrency, async (document) => {
    const opinion = await opinionOn(document, files, model, services.signal);
    onProgress({ stage: "filtering", done: ++done, total: input.length, note: document.title });
    return opinion;
  });
}

async function opinionOn(
  document: QaDocument,
  files: BookFiles | null,
  model: ChatModel | null,
  signal: AbortSignal,
): Promise<Opinion> {
  const byRecord = removalByRecord(document);
  if (byRecord || files === null) return { removal: byRecord, unjudged: null };
  const file = files(document);
  if (file === null) return { removal: null, unjudged: "the folder of texts has no file for this book" };
  let book: Book;
  try {
    book = await readBook(file);
  } catch (error) {
    if (error instanceof FabulaError) return { removal: null, unjudged: error.message };
    throw error;
  }
  const byText = removalByText(document, book);
  if (byText || model === null) return { removal: byText, unjudged: null };
  const { title, summary } = document;
  const opinion = await judgeDocument(model, { title, summary, opening: openingOf(book) }, signal);
  switch (opinion.kind) {
    case "keep":
      return { removal: null, unjudged: null };
    case "remove":
      return { removal: removal(document, opinion.reason, opinion.evidence, model.id), unjudged: null };
    case "unjudged":
      return { removal: null, unjudged: opinion.reason };
    default:
      return opinion satisfies never;
  }
}

const OPENING_CHARACTERS = 6000;

function openingOf({ chapters }: Book): string {
  const text = chapters
    .slice(0, 5)
    .map((chapter) => chapter.text)
    .join("\n\n");
  return text.slice(0, OPENING_CHARACTERS);
}

async function finish(
  request: FilterRequest,
  input: readonly QaDocument[],
  opinions: readonly Opinion[],
  dryRun: boolean,
): Promise<FilterReport> {
  const decisions = request.decisions ? await readJsonLines(request.decisions, removalSchema) : [];
  const decided = new Map(decisions.map((row) => [row.document_id, row]));
  const proposed = input.map(({ document_id }, index) => decided.get(document_id) ?? opinions[index]!.removal);
  const removed = proposed.filter((row) => row !== null);
  const output = input.filter((_, index) => proposed[index]?.decision !== "remove");
  if (!dryRun) {
    if (request.review) await writeJsonLines(request.review, removed);
    if (request.output) {
      const losses = removed
        .filter(({ decision }) => decision === "remove")
        .map(({ reason, questions }) => ({ reason, documents: 1, questions }));
      await writeJsonLines(request.output, output);
      await writeSteps(request.output, stepsAfter(await readSteps(request.input), "filtered", input, losses, output));
    }
  }
  return {
    documents: output.length,
    questions: countQuestions(output),
    removed,
    unjudged: input.flatMap(({ document_id }, index) => {
      const reason = opinions[index]!.unjudged;
      return reason === null || decided.has(document_id) ? [] : [{ document_id, reason }];
    }),
  };
}

export interface DedupeRequest {
  readonly input: string;
  /** Called with the invalid lines of the data, which are left out; without it, the first of them is an error. */
  readonly onNote?: (note: string) => void;
  readonly split?: string;
  readonly threshold: number;
  /** A list that an earlier run wrote and a person went through. */
  readonly decisions?: string;
  readonly output?: string;
  /** Where the pairs are written for review. */
  readonly review?: string;
}

export interface DedupeReport {
  readonly documents: number;
  readonly questions: number;
  readonly removed: number;
  /** Similar questions whose answers disagree; kept unless a reviewer decides otherwise. */
  readonly doubtful: number;
  readonly duplicates: readonly Duplicate[];
}

/** Removes near-identical questions, and lists the pairs for a person to check. */
export async function dedupeQuestions(request: DedupeRequest): Promise<DedupeReport> {
  const input = await readQaDocuments(request.input, request.split, request.onNote);
  const decisions = request.decisions ? await readJsonLines(request.decisions, duplicateSchema) : [];
  const { documents, duplicates, removed } = removeDuplicates(input, { threshold: request.threshold, decisions });
  if (request.review) await writeJsonLines(request.review, duplicates);
  if (request.output) {
    const losses = removed > 0 ? [{ reason: "duplicate questions", documents: 0, questions: removed }] : [];
    await writeJsonLines(request.output, documents);
    await writeSteps(
      request.output,
      stepsAfter(await readSteps(request.input), "deduplicated", input, losses, documents),
    );
  }
  return {
    documents: documents.length,
    questions: countQuestions(documents),
    removed,
    doubtful: duplicates.length - removed,
    duplicates,
  };
}

export interface CleanRequest {
  readonly input: string;
  readonly split?: string;
  /** Folder with the texts as downloaded. */
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
  /** Words removed, by rule. */
  readonly rules: Readonly<Record<string, number>>;
  /** What was probably read wrongly. */
  readonly warnings: readonly string[];
}

export interface CleanReport {
  readonly books: readonly CleanedBook[];
  readonly failed: readonly { readonly document_id: string; readonly title: string; readonly reason: string }[];
  readonly summariesMended: number;
  readonly meanWordsRemoved: number | null;
}

/** Cleans downloaded texts, says what each rule removed, and repairs broken letters in summaries. */
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

/** An id comes from a file, so it is accepted only as a plain file name, never as a path. */
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

/** What every processing step behind a file removed, and why. */
export async function reportSteps(file: string): Promise<Step[]> {
  const steps = await readSteps(file);
  if (steps.length > 0) return steps;
  throw new FabulaError(
    "E_QA_STEPS",
    `No steps are known for "${file}": \`fabula qa filter\`, \`dedupe\` and \`refine\` write them beside what they write with --out.`,
  );
}

import { FabulaError } from "../../core/errors.ts";
import { checkJsonLinesName, readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type BookFiles, bookFilesIn } from "../../qa/dataset/book-files.ts";
import { countQuestions, type QaDocument } from "../../qa/dataset/document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { readSteps, stepsAfter, writeSteps } from "../../qa/dataset/steps.ts";
import {
  type DocumentRemoval,
  removal,
  removalByRecord,
  removalByText,
  removalSchema,
} from "../../qa/filtering/filter-document.ts";
import { judgeDocument } from "../../qa/filtering/judge-document.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { type FinishedRun, inRun, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import type { Book } from "../../text/book.ts";
import { readBook } from "../../text/read-book.ts";

export interface FilterRequest {
  readonly input: string;
  /** Takes which lines of the data are left out, and why; without it, the first of them is an error. */
  readonly onNote?: (note: string) => void;
  readonly split?: string;
  /** Folder with the books' texts; without it only what the data set says of itself is used. */
  readonly texts?: string;
  /** A model that is asked about what the rules keep. */
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
  /** Kept without a check: no text, or no usable reply. */
  readonly unjudged: readonly { readonly document_id: string; readonly reason: string }[];
}

interface Opinion {
  readonly removal: DocumentRemoval | null;
  readonly unjudged: string | null;
}

/** Books with questions → the narratives among them whose summaries are their own; the rest listed with evidence. */
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

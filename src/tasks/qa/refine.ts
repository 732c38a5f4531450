import { checkJsonLinesName, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { countQuestions, type QaDocument } from "../../qa/dataset/document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { readSteps, stepsAfter, writeSteps } from "../../qa/dataset/steps.ts";
import { changesToReview, type Refinement, refineQuestion } from "../../qa/refinement.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { inRun, type RunOutcome, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import { sum } from "../../stats/distribution.ts";

export interface RefineRequest {
  readonly input: string;
  /** Called with the invalid lines of the data, which are left out; without it, the first of them is an error. */
  readonly onNote?: (note: string) => void;
  readonly split?: string;
  readonly judge: string | ChatModel;
  readonly output: string;
  /** Where to write the changes for a person to accept or reject. */
  readonly review?: string;
  /** Where to write the dropped samples, with the changes proposed for them. */
  readonly dropped?: string;
  readonly settings: RunSettings;
  readonly services: RunServices;
  readonly onProgress: ProgressListener;
  /** Called with the outcomes, in the order of the questions. */
  readonly onRefined?: (refinements: readonly Refinement[]) => void;
  /**
   * Looks up the refinement that workers have already made of a question, by the positions of document and question;
   * null if there is none.
   */
  readonly refined?: ((document: number, question: number) => Promise<Refinement | null>) | undefined;
}

export interface RefineReport {
  readonly questions: number;
  readonly kept: number;
  readonly corrected: number;
  readonly dropped: number;
  readonly changes: { readonly questions: number; readonly answers: number; readonly meanEditDistance: number | null };
  readonly unchecked: readonly { readonly target: string; readonly reason: string }[];
}

/** Corrects questions and answers, lists the changes, and drops samples in which both changed. */
export async function refineQuestions(request: RefineRequest): Promise<RunOutcome<RefineReport>> {
  for (const path of [request.output, request.review, request.dropped]) if (path) checkJsonLinesName(path);
  const input = await readQaDocuments(request.input, request.split, request.onNote);
  return inRun(request.settings, request.services, async (run) => {
    const model = await run.model(request.judge);
    const places = input.flatMap((document, at) => document.qas.map((_, position) => ({ document, at, position })));
    let done = 0;
    const refinements = await mapBounded(places, run.concurrency, async ({ document, at, position }) => {
      const refinement =
        (await request.refined?.(at, position)) ??
        (await refineQuestion(document, position, model, request.services.signal));
      request.onProgress({ stage: "refining", done: ++done, total: places.length });
      return refinement;
    });
    // After an interruption the remaining questions are unchecked, so the result is incomplete and is not written.
    request.services.signal.throwIfAborted();
    request.onRefined?.(refinements);
    const rows = places.map(({ document }, index) => ({ document, refinement: refinements[index]! }));
    const output = keptDocuments(input, rows);
    if (!run.dryRun) await write(request, input, rows, output);
    return report(refinements, output);
  });
}

interface Row {
  readonly document: QaDocument;
  readonly refinement: Refinement;
}

function keptDocuments(input: readonly QaDocument[], rows: readonly Row[]): QaDocument[] {
  let next = 0;
  return input.map((document) => {
    const own = rows.slice(next, next + document.qas.length);
    next += document.qas.length;
    const kept = own.filter(({ refinement }) => refinement.outcome !== "dropped");
    return { ...document, qas: kept.map(({ refinement }) => refinement.question) };
  });
}

async function write(
  request: RefineRequest,
  input: readonly QaDocument[],
  rows: readonly Row[],
  output: readonly QaDocument[],
): Promise<void> {
  const dropped = rows.filter(({ refinement }) => refinement.outcome === "dropped");
  const losses = dropped.length > 0 ? [{ reason: "double corrections", documents: 0, questions: dropped.length }] : [];
  await writeJsonLines(request.output, output);
  await writeSteps(request.output, stepsAfter(await readSteps(request.input), "refined", input, losses, output));
  const left = dropped.map(({ document, refinement }) => ({
    document_id: document.document_id,
    title: document.title,
    ...refinement.question,
  }));
  if (request.review) await writeJsonLines(request.review, changesToReview(output, left));
  if (request.dropped) await writeJsonLines(request.dropped, left);
}

function report(refinements: readonly Refinement[], output: readonly QaDocument[]): RefineReport {
  const changes = refinements
    .filter(({ outcome }) => outcome === "corrected")
    .flatMap((refinement) => refinement.changes);
  const count = (outcome: Refinement["outcome"]) =>
    refinements.filter((refinement) => refinement.outcome === outcome).length;
  const distance = sum(changes.map((change) => change.edit_distance));
  return {
    questions: refinements.length,
    kept: countQuestions(output),
    corrected: count("corrected"),
    dropped: count("dropped"),
    changes: {
      questions: changes.filter(({ target }) => target === "question").length,
      answers: changes.filter(({ target }) => target === "answer").length,
      meanEditDistance: changes.length > 0 ? distance / changes.length : null,
    },
    unchecked: refinements.flatMap((refinement) => refinement.unchecked),
  };
}

import { readJsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { countQuestions } from "../../qa/dataset/document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { readSteps, stepsAfter, writeSteps } from "../../qa/dataset/steps.ts";
import { type Duplicate, duplicateSchema, removeDuplicates } from "../../qa/refinement.ts";

export interface DedupeRequest {
  readonly input: string;
  /** Takes which lines of the data are left out, and why; without it, the first of them is an error. */
  readonly onNote?: (note: string) => void;
  readonly split?: string;
  readonly threshold: number;
  /** A list that an earlier run wrote and a person went through. */
  readonly decisions?: string;
  readonly output?: string;
  /** Where the pairs go for review. */
  readonly review?: string;
}

export interface DedupeReport {
  readonly documents: number;
  readonly questions: number;
  readonly removed: number;
  /** Alike in words, but with answers that disagree: kept unless a reviewer says otherwise. */
  readonly doubtful: number;
  readonly duplicates: readonly Duplicate[];
}

/** Books with questions → the same without near-identical questions, and the pairs for a person to look at. */
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

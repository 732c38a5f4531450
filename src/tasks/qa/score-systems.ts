import { basename } from "node:path";
import { writeJsonLines } from "../../core/json-lines.ts";
import { documentFinder } from "../../qa/dataset/find-document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { type AnswerSheet, answerSheet, type BookFinder, type ScoredFile } from "../../qa/scoring/answer-sheet.ts";
import { compareSystems, type SystemComparison } from "../../qa/scoring/compare-systems.ts";
import type { Prediction } from "../../qa/scoring/prediction.ts";
import { type ScoreAnswersReport, type ScoringOptions, scoreFile } from "./score.ts";

export interface ScoreSystemsRequest extends ScoringOptions {
  /** Files of answers, of one system or several each, or the answers themselves. */
  readonly inputs: readonly (string | readonly Prediction[])[];
  /** Books with their questions, if the answers do not name their book. */
  readonly data?: string;
  readonly resamples?: number;
  readonly seed: number;
  /** The name of a file's system if its rows do not say; the file's name by default. */
  readonly nameOf?: (input: string) => string;
  /** Where to write all answers with their scores, one line each. */
  readonly output?: string;
}

export interface ScoreSystemsReport {
  readonly files: readonly (ScoreAnswersReport & { readonly file: string })[];
  /** Null for a dry run. */
  readonly comparison: SystemComparison | null;
  readonly sheet: AnswerSheet | null;
}

/** Compares many systems' answers to the same questions: one table with intervals, and every pair of systems. */
export async function scoreSystems(request: ScoreSystemsRequest): Promise<ScoreSystemsReport> {
  const { inputs, data, resamples, seed, output, nameOf, ...options } = request;
  const scored: ScoredFile[] = [];
  const files: (ScoreAnswersReport & { file: string })[] = [];
  const rows: object[] = [];
  // Every file has its own run, and the cost limit applies to all of them together.
  let budget = options.grading?.settings.maximumCost;
  for (const input of inputs) {
    const grading = options.grading && {
      ...options.grading,
      settings: { ...options.grading.settings, ...(budget !== undefined && { maximumCost: budget }) },
    };
    const {
      predictions,
      items,
      report,
      rows: asWritten,
    } = await scoreFile({
      ...options,
      ...(grading && { grading }),
      input,
    });
    if (budget !== undefined) budget = Math.max(0, budget - (report.run?.summary.cost ?? 0));
    const file = typeof input === "string" ? input : "answers";
    const name = systemName(nameOf?.(file) ?? file);
    scored.push({ name, predictions, items });
    files.push({ file, ...report });
    if (output !== undefined) for (const row of asWritten()) rows.push(isNamed(row) ? row : { system: name, ...row });
    options.signal.throwIfAborted();
  }
  if (files.some(({ plan }) => plan !== undefined)) return { files, comparison: null, sheet: null };
  if (output !== undefined) await writeJsonLines(output, rows);
  request.onProgress({ stage: "comparing systems", done: 0, total: null });
  const sheet = answerSheet(scored, await bookFinder(data));
  const comparison = compareSystems(sheet, { seed, ...(resamples !== undefined && { resamples }) });
  return { files, comparison, sheet };
}

/** `predictions-gemini.jsonl.gz` belongs to the system gemini. */
function systemName(file: string): string {
  return basename(file)
    .replace(/(?:\.jsonl?)?(?:\.gz)?$/i, "")
    .replace(/^predictions[-_.]/, "");
}

function isNamed(row: object): boolean {
  return "system" in row || "model" in row;
}

/**
 * Finds the book that an answer is about: the answer itself names it, or the file of books with their questions does.
 */
export async function bookFinder(data: string | undefined): Promise<BookFinder> {
  if (data === undefined) return ({ title, document_id }) => title ?? document_id ?? null;
  const documentOf = documentFinder(await readQaDocuments(data));
  return (prediction) => {
    const { title, document_id } = documentOf(prediction) ?? prediction;
    return (title?.trim() || document_id) ?? null;
  };
}

import type { Cost } from "../core/cost.ts";
import type { Verdict } from "../core/verdict.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import type { LetterView } from "../judge/letter/letter-blocks.ts";

export type { Cost } from "../core/cost.ts";
export type { Verdict } from "../core/verdict.ts";
export type { Change, DraftChanges } from "../judge/drafts/change-schema.ts";
export type { AspectResult, BookEvaluation, Evidence, Panel, Remark } from "../judge/evaluation.ts";
export type { JurorResult, JuryPart } from "../judge/jury-part.ts";
export type { LetterBlock, LetterView, QuotationView } from "../judge/letter/letter-blocks.ts";

/**
 * GET /api/evaluations?book=&after=&limit= → Paged<EvaluationSummary>. GET /api/evaluations/judges → string[]: everybody who judged,
 * by when they first did.
 */
export interface EvaluationSummary extends Cost {
  readonly id: string;
  readonly bookId: string;
  readonly title: string;
  readonly judge: string;
  readonly method: string;
  readonly runs: number;
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly overall: Verdict;
  readonly createdAt: string;
}

/**
 * GET /api/evaluations/:id?language=en|zh → EvaluationDetails, its letter worded in that language. DELETE /api/evaluations/:id.
 * GET /api/evaluations/:id/export?format=html|markdown|json|pdf|docx → a file; html is self-contained, to be shared;
 * docx is the manuscript with its line notes as comments.
 */
export interface EvaluationDetails extends EvaluationSummary {
  readonly evaluation: BookEvaluation;
  /** The letter, ready to be laid out; null where none was written. */
  readonly letter: LetterView | null;
}

import type { Cost } from "../core/cost.ts";
import type { Scale, Verdict } from "../core/verdict.ts";
import type { Evidence, Remark } from "../judge/evaluation.ts";
import type { EvaluationSettings } from "../judge/settings.ts";
import type { GridCell, GridColumn } from "./grid.ts";
import type { CallFields, PromptMessage } from "./runs.ts";

/**
 * GET /api/cells/:evaluation/:member/:aspect → CellDetails: the stored data behind one score of the grid. Values that
 * were not stored are null, and the web app says so.
 */
export interface CellDetails extends Cost {
  readonly evaluationId: string;
  readonly member: number;
  readonly aspect: GridColumn;
  readonly bookId: string;
  readonly title: string;
  readonly language: string | null;
  readonly chapters: readonly { readonly index: number; readonly title: string | null }[];
  readonly judge: string;
  readonly method: string;
  readonly createdAt: string;
  /** The scale of `verdict` and `scores`, which is the grid's; and the scale the judge used. */
  readonly scale: Scale;
  readonly verdict: Verdict;
  readonly given: { readonly verdict: Verdict; readonly scale: Scale };
  readonly support: GridCell["support"];
  readonly runs: number;
  /** The score of every run; null if these were not stored. */
  readonly scores: readonly number[] | null;
  readonly percentile: { readonly value: number; readonly size: number; readonly description: string } | null;
  /** Remarks on the aspect; null for the overall score, which has none of its own. */
  readonly remarks: CellRemarks | null;
  readonly settings: EvaluationSettings | null;
  /** Of the whole evaluation. */
  readonly calls: number;
  readonly runId: string | null;
}

export interface CellRemarks {
  /** Whether they belong to all judges of a panel together, because it was not stored which of them made them. */
  readonly isOfPanel: boolean;
  readonly strengths: readonly Remark[];
  readonly weaknesses: readonly Remark[];
  readonly evidence: readonly Evidence[];
}

/**
 * GET /api/cells/:evaluation/:member/:aspect/calls → CellCalls. Everything is read from the store; no model is asked.
 */
export interface CellCalls {
  /**
   * `listed`: these are the calls. `none`: an embedded judge makes none. `not-stored`: the run is not in this store.
   * `shared`: the run judged other books too, and it was not stored which calls belong to this one.
   */
  readonly kind: "listed" | "none" | "not-stored" | "shared";
  readonly calls: readonly CellCall[];
  /** The total number, if not all are listed. */
  readonly total: number;
}

export interface CellCall extends CallFields {
  readonly answer: {
    readonly sample: number;
    readonly latencyMilliseconds: number;
    readonly attempts: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly cachedInputTokens: number;
    readonly reasoningTokens: number;
    readonly stop: string;
    readonly servedBy: string;
  } | null;
  /** The score read from the reply, on the judge's scale; null if the call did not ask for scores. */
  readonly read: Verdict | null;
}

/** GET /api/cells/:evaluation/:member/:aspect/calls/:position → one call with every word of it. */
export interface CellCallDetails extends CellCall {
  /** As sent; null if it was not stored. */
  readonly prompt: readonly PromptMessage[] | null;
  /** The parameters of the request: temperature, seed, longest reply, schema of the reply. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly reply: string | null;
  readonly reasoning: string | null;
  readonly parsed: ParsedReply | null;
}

/** A reply read again by the same reader; quotations are looked up in the current text of the book. */
export type ParsedReply =
  | {
      readonly kind: "read";
      readonly as: "json" | "review";
      readonly score: number | null;
      readonly strengths: readonly ParsedRemark[];
      readonly weaknesses: readonly ParsedRemark[];
    }
  | { readonly kind: "unreadable"; readonly reason: string };

export interface ParsedRemark {
  readonly text: string;
  readonly quotations: readonly Evidence[];
}

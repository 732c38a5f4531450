import type { Cost } from "../core/cost.ts";
import type { Scale, Verdict } from "../core/verdict.ts";
import type { Evidence, Remark } from "../judge/evaluation.ts";
import type { EvaluationSettings } from "../judge/settings.ts";
import type { GridCell, GridColumn } from "./grid.ts";
import type { CallFields, PromptMessage } from "./runs.ts";

/**
 * GET /api/cells/:evaluation/:member/:aspect → CellDetails: what is behind one score of the grid, as it was stored. What was
 * not stored is null, and the web app says so.
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
  /** The scale of `verdict` and `scores`, which is the grid's; and what the judge was asked for. */
  readonly scale: Scale;
  readonly verdict: Verdict;
  readonly given: { readonly verdict: Verdict; readonly scale: Scale };
  readonly support: GridCell["support"];
  readonly runs: number;
  /** The score of every run; null where they were not stored. */
  readonly scores: readonly number[] | null;
  readonly percentile: { readonly value: number; readonly size: number; readonly description: string } | null;
  /** What was said of the aspect; null for the overall score, which has no remarks of its own. */
  readonly remarks: CellRemarks | null;
  readonly settings: EvaluationSettings | null;
  /** Of the whole evaluation. */
  readonly calls: number;
  readonly runId: string | null;
}

export interface CellRemarks {
  /** Of all judges of a panel together: which of them said it was not stored. */
  readonly isOfPanel: boolean;
  readonly strengths: readonly Remark[];
  readonly weaknesses: readonly Remark[];
  readonly evidence: readonly Evidence[];
}

/** GET /api/cells/:evaluation/:member/:aspect/calls → CellCalls. No model is asked: all of it is read from the store. */
export interface CellCalls {
  /**
   * `listed`: these are the calls. `none`: an embedded judge makes none. `not-stored`: the run is not in this store.
   * `shared`: the run judged other books too, and which of its calls belong to this one was not stored.
   */
  readonly kind: "listed" | "none" | "not-stored" | "shared";
  readonly calls: readonly CellCall[];
  /** Of how many, when there are more than are listed. */
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
  /** The score that was read from the reply, on the judge's scale; null where the call was not asked for scores. */
  readonly read: Verdict | null;
}

/** GET /api/cells/:evaluation/:member/:aspect/calls/:position → one call with every word of it. */
export interface CellCallDetails extends CellCall {
  /** As sent; null when it was not stored. */
  readonly prompt: readonly PromptMessage[] | null;
  /** How it was sent: temperature, seed, longest reply, shape of the reply. */
  readonly parameters: Readonly<Record<string, string | number>>;
  readonly reply: string | null;
  readonly reasoning: string | null;
  readonly parsed: ParsedReply | null;
}

/** How a reply was read, by the same reader as when it came; quotations are looked up in the book as it is now. */
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

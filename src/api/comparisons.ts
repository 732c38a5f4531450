import type { Verdict } from "../core/verdict.ts";
import type { EvaluationSummary } from "./evaluations.ts";

/** GET /api/comparisons?left=EVALUATION&right=EVALUATION → two books, drafts, judges or methods side by side. */
export interface ComparisonView {
  readonly left: EvaluationSummary;
  readonly right: EvaluationSummary;
  readonly isSameBook: boolean;
  readonly isSameScale: boolean;
  /**
   * The scale of every score, difference and interval in `rows`: the shared one, or 0 to 100 if the two scales
   * differ.
   */
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly rows: readonly ComparisonRow[];
  /** Settings that differ, with both values: "temperature (0, 0.7)"; null when none do. */
  readonly otherSettings: string | null;
  readonly notes: readonly ComparisonNote[];
}

/** Reasons to be careful with a difference; the page has the texts. */
export type ComparisonNote =
  | "other-scales"
  | "other-judges-and-books"
  | "other-methods-and-books"
  | "other-judges"
  | "other-methods"
  | "chance"
  | "independent";

export interface ComparisonRow {
  /** `overall` or an aspect's id. */
  readonly id: string;
  readonly name: string;
  readonly left: Verdict;
  readonly right: Verdict;
  /** Right minus left, in points of the view's scale; null if either is unscored. */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  /** Whether the interval excludes zero; null if there is no interval or the two scales differ. */
  readonly isClear: boolean | null;
}

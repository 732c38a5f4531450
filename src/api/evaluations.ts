import type { Cost } from "../core/cost.ts";
import type { Verdict } from "../core/verdict.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";
import type { LetterView, QuotationView } from "../judge/letter/parts.ts";

export type { Cost } from "../core/cost.ts";
export type { Verdict } from "../core/verdict.ts";
export type { Change, DraftChanges } from "../judge/drafts/change-schema.ts";
export type {
  AspectResult,
  BookEvaluation,
  Evidence,
  JurorResult,
  JuryPart,
  Panel,
  Remark,
} from "../judge/evaluation.ts";
export type { LetterBlock, LetterView, QuotationView } from "../judge/letter/parts.ts";

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

/** What the file of a report shows: an evaluation, and beside it what is worded the same in every kind of report. */
export interface ReportFile {
  readonly part: "report" | "letter";
  readonly evaluation: BookEvaluation;
  readonly byline: string;
  readonly judged: string;
  readonly sureness: string;
  readonly letter: LetterView | null;
  /** What stands before the letter: warnings, and what became of the earlier draft. */
  readonly opening: readonly ReportSection[];
  /** The manuscript map and the line notes. */
  readonly counted: readonly ReportSection[];
  /** What one reader would say. */
  readonly personal: ReportSection | null;
  /** How far a panel agrees, in sentences. */
  readonly agreement: readonly string[];
  /** What was read, and what keeps a number from being taken for more than it is. */
  readonly closing: ReportSection;
}

export interface ReportSection {
  readonly heading: string | null;
  readonly parts: readonly ReportPart[];
}

export type ReportPart =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly text: string; readonly strong?: true }
  | { readonly kind: "list"; readonly entries: readonly string[] }
  | { readonly kind: "quotes"; readonly quotes: readonly QuotationView[]; readonly folded?: string }
  | ReportTable
  | ReportStrips;

export interface ReportTable {
  readonly kind: "table";
  readonly columns: readonly string[];
  readonly rows: readonly { readonly cells: readonly ReportCell[]; readonly isMarked?: boolean }[];
  /** The sentence it is folded under. */
  readonly folded?: string;
}

/** Text, or text that opens on what is behind it. */
export type ReportCell =
  | string
  | { readonly text: string; readonly lines?: readonly string[]; readonly quotes?: readonly QuotationView[] };

/** One row per figure and one column per chapter, all aligned. */
export interface ReportStrips {
  readonly kind: "strips";
  readonly chapters: readonly string[];
  readonly rows: readonly StripRow[];
  readonly caption: string;
}

/** One row of the map: a value per chapter, and how it is said. */
export interface StripRow {
  readonly label: string;
  readonly kind: "bar" | "shade" | "letters";
  readonly cells: readonly StripCell[];
  /** The middle 90 % of published novels, in the units of the values. */
  readonly band: { readonly low: number; readonly high: number } | null;
}

export interface StripCell {
  /** Null where the chapter has none. */
  readonly value: number | null;
  readonly said: string;
  readonly letters?: string;
}

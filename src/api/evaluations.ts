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

/** A report of sentences, tables and plots: its terminal, Markdown and HTML forms are made from this. */
export interface SectionedReport {
  readonly title: string;
  readonly sections: readonly ReportSection[];
}

export interface ReportSection {
  readonly heading: string | null;
  readonly parts: readonly ReportPart[];
}

export type ReportPart =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly text: string; readonly strong?: true }
  | { readonly kind: "list"; readonly entries: readonly string[] }
  | { readonly kind: "quotes"; readonly quotes: readonly QuotationView[] }
  /** What is opened by its summary. */
  | { readonly kind: "folded"; readonly summary: string; readonly parts: readonly ReportPart[] }
  | ReportTable
  | ReportStrips
  | ReportPlot;

export interface ReportTable {
  readonly kind: "table";
  readonly headings: readonly string[];
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly ReportCell[])[];
  readonly note?: string | undefined;
}

/** A table of text under a title. */
export interface TitledTable {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly note?: string | undefined;
}

/** Text, or text with what is behind it, which it opens on; `shade`, from 0 to 1, colours it. */
export type ReportCell =
  | string
  | {
      readonly text: string;
      readonly lines?: readonly string[];
      readonly quotes?: readonly QuotationView[];
      readonly isMarked?: boolean;
      readonly shade?: number;
    };

/**
 * `intervals` has its rows one under the other, `orders` the same things in two orders; of `lines` the first has a band of
 * uncertainty.
 */
export type ReportPlot = { readonly kind: "plot"; readonly caption: string } & (
  | {
      readonly shape: "scatter";
      readonly axes: { readonly x: string; readonly y: string };
      readonly points: readonly { readonly x: number; readonly y: number; readonly label: string }[];
      /** Names stand beside the points, not only under the pointer. */
      readonly areNamed: boolean;
    }
  | {
      readonly shape: "orders";
      readonly left: string;
      readonly right: string;
      readonly things: readonly { readonly name: string; readonly left: number; readonly right: number }[];
    }
  | { readonly shape: "intervals"; readonly axis: string; readonly rows: readonly IntervalRow[] }
  | {
      readonly shape: "lines";
      readonly axes: { readonly x: string; readonly y: string };
      readonly lines: readonly {
        readonly name: string;
        readonly points: readonly {
          readonly x: number;
          readonly value: number | null;
          readonly interval: readonly [number, number] | null;
        }[];
      }[];
    }
);

export interface IntervalRow {
  readonly name: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

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

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
 * GET /api/evaluations?book=&after=&limit= → Paged<EvaluationSummary>. GET /api/evaluations/judges → string[]: all
 * judges, in the order of their first evaluation.
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
  /** The letter, ready to be laid out; null if none was written. */
  readonly letter: LetterView | null;
}

/** The data of a report file: an evaluation, and the texts that are the same in every kind of report. */
export interface ReportFile {
  readonly part: "report" | "letter";
  readonly evaluation: BookEvaluation;
  readonly byline: string;
  readonly judged: string;
  readonly sureness: string;
  readonly letter: LetterView | null;
  /** Shown before the letter: warnings, and what became of the earlier draft. */
  readonly opening: readonly ReportSection[];
  /** The manuscript map and the line notes. */
  readonly counted: readonly ReportSection[];
  /** The personal verdict for one reader. */
  readonly personal: ReportSection | null;
  /** How far a panel agrees, in sentences. */
  readonly agreement: readonly string[];
  /** What was read, and reasons to be careful with the numbers. */
  readonly closing: ReportSection;
}

/** A report of sentences, tables and plots, from which its terminal, Markdown and HTML forms are made. */
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
  /** Parts that open when the summary is clicked. */
  | { readonly kind: "folded"; readonly summary: string; readonly parts: readonly ReportPart[] }
  | ReportTable
  | ReportStrips
  | ReportPlot;

export interface ReportTable {
  readonly kind: "table";
  readonly headings: readonly string[];
  /** The first cell of a row is its name. */
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

/** Text, or text that opens to show details; `shade`, from 0 to 1, colours it. */
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
 * `intervals` shows its rows one below the other, `orders` the same items in two orders; the first of `lines` has a
 * band of uncertainty.
 */
export type ReportPlot = { readonly kind: "plot"; readonly caption: string } & (
  | {
      readonly shape: "scatter";
      readonly axes: { readonly x: string; readonly y: string };
      readonly points: readonly { readonly x: number; readonly y: number; readonly label: string }[];
      /** Names are shown beside the points, not only under the pointer. */
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

/** One row of the map: a value per chapter, with its text. */
export interface StripRow {
  readonly label: string;
  readonly kind: "bar" | "shade" | "letters";
  readonly cells: readonly StripCell[];
  /** The middle 90 % of published novels, in the units of the values. */
  readonly band: { readonly low: number; readonly high: number } | null;
}

export interface StripCell {
  /** Null if the chapter has no value. */
  readonly value: number | null;
  readonly said: string;
  readonly letters?: string;
}

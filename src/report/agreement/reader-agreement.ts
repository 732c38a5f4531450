import type { SectionedReport, TitledTable } from "../../api/evaluations.ts";
import type { JudgeAgreement } from "../../api/votes.ts";
import { countOf } from "../../core/wording.ts";
import type { Estimate } from "../../stats/meta-evaluation/agreement.ts";
import type { MetricComparison } from "../../stats/meta-evaluation/compare-metrics.ts";
import { tableSection, textSection } from "../report-forms.ts";
import { comparisonTable, decimal } from "./agreement-report.ts";

export interface ReaderFigure {
  readonly n: number;
  /** Books without a score for this. */
  readonly missing: number;
  readonly kendall: Estimate;
}

/** One judge with one method: a row of LongStoryEval's second table. */
export interface ReaderAgreementRow {
  readonly judge: string;
  readonly method: string;
  /**
   * The settings that distinguish it from other rows of the same judge and method, such as "temperature 0"; null if
   * none do.
   */
  readonly apart: string | null;
  readonly books: number;
  readonly overall: ReaderFigure;
  readonly aspects: readonly ({
    readonly id: string;
    readonly name: string;
    readonly abbreviation: string;
  } & ReaderFigure)[];
}

export interface ReaderAgreementReport {
  readonly ratings: string;
  readonly human: string;
  readonly resamples: number;
  readonly seed: number;
  /** Evaluated books that the table of ratings does not name. */
  readonly unmatched: readonly string[];
  readonly rows: readonly ReaderAgreementRow[];
  readonly comparisons: readonly MetricComparison[];
}

export function readerTables({ rows, comparisons }: ReaderAgreementReport): TitledTable[] {
  const columns = [
    ...new Map(rows.flatMap(({ aspects }) => aspects.map(({ id, abbreviation }) => [id, abbreviation]))),
  ];
  const cell = (figure: ReaderFigure | undefined) => (figure ? hundredths(figure.kendall) : "–");
  return [
    {
      title: "Kendall τ × 100 with reader ratings",
      headings: ["method", "judge", "books", ...columns.map(([, abbreviation]) => abbreviation), "Overall"],
      rows: rows.map(({ method, judge, apart, books, aspects, overall }) => [
        apart === null ? method : `${method}, ${apart}`,
        judge,
        String(books),
        ...columns.map(([id]) => cell(aspects.find((aspect) => aspect.id === id))),
        cell(overall),
      ]),
      note: "In brackets: 95% bootstrap intervals over books. A dash: this judge gives no score there, or one score to all.",
    },
    ...(comparisons.length > 0 ? [comparisonTable(comparisons)] : []),
  ];
}

function readerNotes({ rows, unmatched, human, ratings }: ReaderAgreementReport): string[] {
  const shown = unmatched.slice(0, 5).join(", ") + (unmatched.length > 5 ? ", …" : "");
  return [
    `"${human}" in ${ratings} against evaluations of the same books.`,
    ...(unmatched.length > 0 ? [`${unmatched.length} evaluated books are not in the table of ratings: ${shown}.`] : []),
    ...(rows.some(({ apart }) => apart !== null)
      ? ["The evaluations were made with different settings: each has a row of its own, and none are pooled."]
      : []),
    ...rows.flatMap(({ judge, method, overall, aspects }) => {
      const gaps = [{ name: "overall", ...overall }, ...aspects].filter(({ missing }) => missing > 0);
      return gaps.length === 0
        ? []
        : [
            `${judge}, ${method}: unscored on some books: ${gaps.map(({ name, missing }) => `${name} ${missing}`).join(", ")}.`,
          ];
    }),
  ];
}

export function sectionedReaderAgreement(report: ReaderAgreementReport): SectionedReport {
  return {
    title: "Agreement with readers",
    sections: [textSection(null, readerNotes(report)), ...readerTables(report).map(tableSection)],
  };
}

function hundredths(estimate: Estimate): string {
  if (estimate.value === null) return "–";
  const figure = (value: number) => (value * 100).toFixed(1).replace("-", "−");
  if (estimate.interval === null) return figure(estimate.value);
  return `${figure(estimate.value)} (${figure(estimate.interval[0])} to ${figure(estimate.interval[1])})`;
}

/** How often people sided with each judge in blind votes. */
export interface VoteAgreementReport {
  readonly source: string;
  readonly votes: number;
  readonly voters: number;
  readonly books: number;
  readonly judges: readonly JudgeAgreement[];
}

function voteAgreementNotes({ source, votes, voters, books }: VoteAgreementReport): string[] {
  return [
    `${countOf(votes, "blind vote")} by ${countOf(voters, "person", "people")} on ${countOf(books, "book")}, from ${source}.`,
    "Votes are on verdicts that two judges dispute: half is chance. Wilson intervals, 95 %; votes on one book are not quite independent, so the true intervals are somewhat wider.",
  ];
}

function voteAgreementTable({ judges }: VoteAgreementReport): TitledTable {
  return {
    title: "Whom people side with",
    headings: ["judge", "share", "95 % interval", "votes", "won", "tied", "books", "from own scores"],
    rows: judges.map(({ name, share, interval, votes, won, tied, books, distance }) => [
      ...[name, decimal(share), `${decimal(interval[0])} to ${decimal(interval[1])}`],
      ...[String(votes), String(won), String(tied), String(books)],
      distance === null ? "–" : `${distance.value.toFixed(1)} points (${distance.n})`,
    ]),
  };
}

export function sectionedVotes(report: VoteAgreementReport): SectionedReport {
  return {
    title: "Blind votes",
    sections: [textSection(null, voteAgreementNotes(report)), tableSection(voteAgreementTable(report))],
  };
}

import type { JudgeAgreement } from "../../api/votes.ts";
import { countOf } from "../../core/wording.ts";
import { htmlPage } from "../html-page.ts";
import { escapeHtml, escapeMarkdown } from "../markup.ts";
import { decimal } from "./agreement-report.ts";
import { htmlSection, markdownTable, type ReportTable } from "./report-table.ts";

/** How often people sided with each judge in blind votes. */
export interface VoteAgreementReport {
  readonly source: string;
  readonly votes: number;
  readonly voters: number;
  readonly books: number;
  readonly judges: readonly JudgeAgreement[];
}

export function voteAgreementNotes({ source, votes, voters, books }: VoteAgreementReport): string[] {
  return [
    `${countOf(votes, "blind vote")} by ${countOf(voters, "person", "people")} on ${countOf(books, "book")}, from ${source}.`,
    "Votes are on verdicts that two judges dispute: half is chance. Wilson intervals, 95 %; votes on one book are not quite independent, so the true intervals are somewhat wider.",
  ];
}

export function voteAgreementTable({ judges }: VoteAgreementReport): ReportTable {
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

export function voteAgreementMarkdown(report: VoteAgreementReport): string {
  return [
    ...["# Blind votes", ""],
    ...voteAgreementNotes(report).flatMap((note) => [escapeMarkdown(note), ""]),
    ...markdownTable(voteAgreementTable(report)),
  ].join("\n");
}

export function voteAgreementHtml(report: VoteAgreementReport): string {
  const notes = voteAgreementNotes(report).map((note) => `<p>${escapeHtml(note)}</p>`);
  return htmlPage(
    "Blind votes",
    `<h1>Blind votes</h1>\n${notes.join("\n")}\n${htmlSection(voteAgreementTable(report))}`,
  );
}

import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { readTable } from "../../core/table/read-table.ts";
import { hasColumn, nameColumn, numberColumn, type Table } from "../../core/table/table.ts";
import type { AgreementReport } from "../../report/agreement/agreement-report.ts";
import type { VoteAgreementReport } from "../../report/agreement/reader-agreement.ts";
import { mean } from "../../stats/distribution.ts";
import { type StudyOptions, studyAgreement } from "../../stats/meta-evaluation/agreement-study.ts";
import { agreementWithVotes, readVotes } from "./votes/vote.ts";

export interface AgreeRequest {
  readonly table: string | Table;
  /** One column, or several raters separated by commas; a text's rating is then the mean of those who rated it. */
  readonly human: string;
  /** One column, or several separated by commas. */
  readonly metric: string;
  readonly system?: string;
  readonly item?: string;
  readonly group?: string;
  readonly options: Omit<StudyOptions, "onProgress">;
  readonly onProgress: ProgressListener;
}

/** Measures how well scores agree with human ratings in the same table, at every level the table allows. */
export async function agree(request: AgreeRequest): Promise<AgreementReport> {
  if (request.options.interval === "bca" && request.system && request.options.over !== "systems") {
    throw new FabulaError("E_USAGE", "A BCa interval at system level draws systems: add --over systems.");
  }
  request.onProgress({ stage: "reading", done: 0, total: null });
  const table = typeof request.table === "string" ? await readTable(request.table) : request.table;
  const names = (column: string | undefined) => (column === undefined ? null : nameColumn(table, column));
  const study = studyAgreement(
    {
      human: ratingsOf(table, request.human),
      metrics: columnsNamed(table, request.metric).map((name) => ({ name, scores: numberColumn(table, name) })),
      system: names(request.system),
      item: names(request.item),
      group: names(request.group),
    },
    { ...request.options, onProgress: (stage, done, total) => request.onProgress({ stage, done, total }) },
  );
  return {
    table: table.source,
    human: request.human,
    system: request.system ?? null,
    item: request.item ?? null,
    group: request.group ?? null,
    study,
  };
}

/** A column's name may contain a comma, so a list that is itself a column's name is not split. */
export function columnsNamed(table: Table, list: string): string[] {
  if (hasColumn(table, list)) return [list];
  return list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

/** The mean of the raters who rated each text; NaN if nobody did. */
function ratingsOf(table: Table, human: string): Float64Array {
  const raters = columnsNamed(table, human).map((name) => numberColumn(table, name));
  return Float64Array.from(table.rows, (_, row) => {
    const given = raters.map((ratings) => ratings[row]!).filter((rating) => !Number.isNaN(rating));
    return given.length === 0 ? Number.NaN : mean(given);
  });
}

/** Measures how often people sided with each judge in a file of blind votes. */
export async function agreeWithVotes({ votes: path }: { readonly votes: string }): Promise<VoteAgreementReport> {
  const votes = await readVotes(path);
  return {
    source: path,
    votes: votes.length,
    voters: new Set(votes.map(({ voter }) => voter)).size,
    books: new Set(votes.map(({ bookId }) => bookId)).size,
    judges: agreementWithVotes(votes),
  };
}

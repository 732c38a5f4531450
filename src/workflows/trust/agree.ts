import { FabulaError } from "../../core/errors.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { readTable } from "../../core/table/read-table.ts";
import { hasColumn, nameColumn, numberColumn, type Table } from "../../core/table/table.ts";
import type { AgreementReport } from "../../report/agreement/agreement-report.ts";
import { type StudyOptions, studyAgreement } from "../../stats/meta-evaluation/agreement-study.ts";

export interface AgreeRequest {
  readonly table: string | Table;
  readonly human: string;
  /** One column, or several with commas between them. */
  readonly metric: string;
  readonly system?: string;
  readonly item?: string;
  readonly group?: string;
  readonly options: Omit<StudyOptions, "onProgress">;
  readonly onProgress: ProgressListener;
}

/** A table of scores beside human ratings → how well they agree, at every level the table allows. */
export async function agree(request: AgreeRequest): Promise<AgreementReport> {
  if (request.options.interval === "bca" && request.system && request.options.over !== "systems") {
    throw new FabulaError("E_USAGE", "A BCa interval at system level draws systems: add --over systems.");
  }
  request.onProgress({ stage: "reading", done: 0, total: null });
  const table = typeof request.table === "string" ? await readTable(request.table) : request.table;
  const names = (column: string | undefined) => (column === undefined ? null : nameColumn(table, column));
  const study = studyAgreement(
    {
      human: numberColumn(table, request.human),
      metrics: metricColumns(table, request.metric).map((name) => ({ name, scores: numberColumn(table, name) })),
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

/** A name that is itself a column wins over a list, since a heading may hold a comma. */
function metricColumns(table: Table, metric: string): string[] {
  if (hasColumn(table, metric)) return [metric];
  return metric
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

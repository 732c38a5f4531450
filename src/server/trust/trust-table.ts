import type { TrustAnswer } from "../../api/trust.ts";
import type { ProgressEvent } from "../../core/progress.ts";
import { trustAnswer, trustNotes, trustTables, trustWarnings } from "../../report/agreement/trust-report.ts";
import { checkInput } from "../../tasks/define/check.ts";
import { AS_DECLARED } from "../../tasks/define/wire.ts";
import { trustTask } from "../../tasks/trust/trust.ts";
import { trustJudges } from "../../tasks/trust/trust-judges.ts";

export interface TrustTableInput {
  readonly path: string;
  /** As its sender named it. */
  readonly name: string;
  /** What the form said: columns by their names, several with commas. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What the form asks; where results are written is not for a browser to say. */
const LISTS = ["human", "judge"] as const;
const COLUMNS = ["id", "rater", "adjudicated", "system", "item", "kind", "words"] as const;
export type TrustColumn = (typeof LISTS | typeof COLUMNS)[number];

/** A table that was sent, answered as `fabula trust` answers it. */
export async function trustTable(
  { path, name, fields }: TrustTableInput,
  { emit }: { readonly emit: (event: ProgressEvent) => void },
): Promise<TrustAnswer> {
  const given = (field: string) => fields[field]?.trim() ?? "";
  const lists = LISTS.filter((field) => given(field) !== "").map((field) => [
    field,
    given(field)
      .split(",")
      .map((column) => column.trim()),
  ]);
  const columns = COLUMNS.filter((field) => given(field) !== "").map((field) => [field, given(field)]);
  const input = checkInput(
    trustTask,
    { table: path, ...Object.fromEntries([...lists, ...columns]) },
    { name: trustTask.name, spell: AS_DECLARED },
  );
  const report = { ...(await trustJudges(input, emit)), table: name };
  const { study } = report;
  return {
    answer: trustAnswer(report),
    notes: trustNotes(report),
    tables: trustTables(report),
    warnings: trustWarnings(report),
    people: study.ceiling.spearman,
    judges: study.judges.map(({ judge, besidePeople, spearman }) => ({ judge, spearman, besidePeople })),
  };
}

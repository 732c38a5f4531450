import type { TrustAnswer } from "../../api/trust.ts";
import type { ProgressEvent } from "../../core/progress.ts";
import { METHOD_NAMES } from "../../judge/methods/method.ts";
import { trustAnswer, trustNotes, trustTables, trustWarnings } from "../../report/agreement/trust-report.ts";
import type { RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { compareTask } from "../../tasks/books/judge.ts";
import { checkInput } from "../../tasks/define/check.ts";
import { AS_DECLARED } from "../../tasks/define/wire.ts";
import { probeTask, stressTask, trustTask } from "../../tasks/trust/judges.ts";
import { trustJudges } from "../../tasks/trust/trust-judges.ts";

/** Checks that a command measures: the server plans them, and whoever wants them runs the command. */
export type CommandCheck = "position-bias" | "contamination" | "stress";

export interface PlanCommandInput {
  readonly check: CommandCheck;
  readonly files: readonly string[];
  readonly judge: string;
  readonly method: string;
  readonly settings: RunSettings;
}

/** What the command with `--dry-run` would print: nothing is sent. */
export async function planCommand(input: PlanCommandInput, { signal }: { signal: AbortSignal }): Promise<Plan | null> {
  const { check, files: books, judge, settings: host } = input;
  const services = { signal, onProgress: () => {}, onEvent: () => {}, host };
  const asked = { judge, dryRun: true };
  switch (check) {
    case "position-bias":
      return (await (await compareTask.load())(compareTask.input.parse({ ...asked, books }), services)).plan;
    case "contamination":
      return (await (await probeTask.load())(probeTask.input.parse({ ...asked, book: books[0] }), services)).plan;
    case "stress": {
      const method = METHOD_NAMES.find((name) => name === input.method) ?? "summary";
      return (await (await stressTask.load())(stressTask.input.parse({ ...asked, books, method }), services)).plan;
    }
    default:
      return check satisfies never;
  }
}

export interface TrustTableInput {
  readonly path: string;
  /** As its sender named it. */
  readonly name: string;
  /** The form's fields: column names, several separated by commas. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The options that the form may set; a browser may not choose where results are written. */
const LISTS = ["human", "judge"] as const;
const COLUMNS = ["id", "rater", "adjudicated", "system", "item", "kind", "words"] as const;
export type TrustColumn = (typeof LISTS | typeof COLUMNS)[number];

/** Checks an uploaded table as `fabula trust` does. */
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
  const report = { ...(await trustJudges(input, { onProgress: emit })), table: name };
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

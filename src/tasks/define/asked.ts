import { costFields } from "../../core/cost.ts";
import type { FinishedRun, RunOutcome } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";

/** The result of a task that may ask models, with the run, or with the plan of a dry run. */
export interface Asked<Result> {
  /** In a dry run it consists of placeholders: show the plan instead. */
  readonly result: Result;
  readonly plan: Plan | null;
  /** For a dry run of a judge that ships with Fabula: what it would do. */
  readonly plannedWork: string | null;
  /** Null if no model was asked. */
  readonly run: FinishedRun | null;
}

export function fromModels<Result>(outcome: RunOutcome<Result>): Asked<Result> {
  return { ...outcome, plannedWork: null };
}

export function withoutModels<Result>(result: Result): Asked<Result> {
  return { result, plan: null, plannedWork: null, run: null };
}

/** The outcome of a dry run of a judge that ships with Fabula. */
export async function planWithoutModels<Result>(work: string): Promise<Asked<Result>> {
  const { Planner } = await import("../../runner/planning.ts");
  return { result: null as never, plan: new Planner(false).plan(), plannedWork: work, run: null };
}

/** The JSON document of a result, with the run and what it cost. */
export function askedBody<Result extends object>({ result, run }: Asked<Result>): object {
  return { ...result, ...(run && { run: run.id, ...costFields(run.summary) }) };
}

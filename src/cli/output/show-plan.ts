import { type Plan, Planner } from "../../runner/planning.ts";
import type { Asked } from "../../tasks/define/asked.ts";
import type { ExitCode } from "../command.ts";
import type { PresentationContext } from "../task-command.ts";
import type { Terminal } from "../terminal.ts";
import { planInWords, runInWords } from "./run-wording.ts";
import { jsonDocument } from "./write-report.ts";

/**
 * Ends a dry run: prints the plan, in words or as JSON, and returns the exit code: 3 if something would be unscored.
 */
export function showPlan(plan: Plan, json: boolean, terminal: Terminal): 0 | 3 {
  terminal.endProgress();
  terminal.print(json ? jsonDocument("plan", { plan }) : planInWords(plan));
  return plan.obstacles.length > 0 ? 3 : 0;
}

/** Ends a dry run of an embedded judge: nothing is judged, and `work` says what would be. */
export function showFreePlan(
  work: string,
  { json, terminal }: { readonly json: boolean; readonly terminal: Terminal },
): 0 {
  terminal.endProgress();
  const sentence = `Nothing was judged. The embedded judge would ${work}, on this machine: no calls to a model, no cost.`;
  terminal.print(json ? jsonDocument("plan", { plan: new Planner(false).plan(), work: sentence }) : sentence);
  return 0;
}

/** How a command shows a result. */
interface View {
  readonly lines: Iterable<string>;
  /** Whether the result is complete. */
  readonly isWhole: boolean;
}

/**
 * Ends a command that may ask models: prints the plan of a dry run or the result, in words or as JSON, and the cost.
 */
export async function showAsked<Result>(
  { result, plan, plannedWork, run }: Asked<Result>,
  {
    flags: { json },
    terminal,
    show,
  }: Pick<PresentationContext, "terminal" | "show"> & { readonly flags: { readonly json: boolean } },
  view: (result: Result) => View,
): Promise<ExitCode> {
  if (plannedWork !== null) return showFreePlan(plannedWork, { json, terminal });
  if (plan) return showPlan(plan, json, terminal);
  const { lines, isWhole } = view(result);
  await show(() => [...lines].join("\n"));
  if (run) terminal.note(runInWords(run));
  return isWhole ? 0 : 3;
}

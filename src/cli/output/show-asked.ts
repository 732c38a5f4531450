import type { Asked } from "../../tasks/define/asked.ts";
import type { ExitCode } from "../command.ts";
import type { Showing } from "../task-command.ts";
import { runInWords } from "./run-wording.ts";
import { showFreePlan, showPlan } from "./show-plan.ts";

/** How a command shows a result. */
interface View {
  readonly lines: Iterable<string>;
  /** Whether everything that was asked for is there. */
  readonly isWhole: boolean;
}

/** Ends a command that may ask models: prints the plan of a dry run, or the result, in words or as JSON, and what it cost. */
export async function showAsked<Result>(
  { result, plan, wouldDo, run }: Asked<Result>,
  {
    flags: { json },
    terminal,
    show,
  }: Pick<Showing, "terminal" | "show"> & { readonly flags: { readonly json: boolean } },
  view: (result: Result) => View,
): Promise<ExitCode> {
  if (wouldDo !== null) return showFreePlan(wouldDo, { json, terminal });
  if (plan) return showPlan(plan, json, terminal);
  const { lines, isWhole } = view(result);
  await show(() => [...lines].join("\n"));
  if (run) terminal.note(runInWords(run));
  return isWhole ? 0 : 3;
}

import { type Plan, Planner } from "../../runner/planning.ts";
import type { Terminal } from "../terminal.ts";
import { jsonDocument } from "./json-document.ts";
import { planInWords } from "./run-wording.ts";

/** Ends a dry run: prints what it found, in words or as JSON, and gives the exit code: 3 when something would be unscored. */
export function showPlan(plan: Plan, json: boolean, terminal: Terminal): 0 | 3 {
  terminal.endProgress();
  terminal.print(json ? jsonDocument("plan", { plan }) : planInWords(plan));
  return plan.obstacles.length > 0 ? 3 : 0;
}

/** Ends a dry run of a judge that ships inside: nothing is judged, and `work` says what would be. */
export function showFreePlan(
  work: string,
  { json, terminal }: { readonly json: boolean; readonly terminal: Terminal },
): 0 {
  terminal.endProgress();
  const sentence = `Nothing was judged. The embedded judge would ${work}, on this machine: no calls to a model, no cost.`;
  terminal.print(json ? jsonDocument("plan", { plan: new Planner(false).plan(), work: sentence }) : sentence);
  return 0;
}

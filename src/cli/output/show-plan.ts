import type { Plan } from "../../runner/planning.ts";
import type { Terminal } from "../terminal.ts";
import { jsonDocument } from "./json-document.ts";
import { planInWords } from "./run-wording.ts";

/** Ends a dry run: prints what it found, in words or as JSON, and gives the exit code: 3 when something would be unscored. */
export function showPlan(plan: Plan, json: boolean, terminal: Terminal): 0 | 3 {
  terminal.endProgress();
  terminal.print(json ? jsonDocument("plan", { plan }) : planInWords(plan));
  return plan.obstacles.length > 0 ? 3 : 0;
}

import { costFields } from "../../core/cost.ts";
import type { DocumentKind } from "../../report/documents.ts";
import type { RunOutcome } from "../../workflows/runs/in-run.ts";
import type { ExitCode } from "../command.ts";
import type { Terminal } from "../terminal.ts";
import { jsonDocument } from "./json-document.ts";
import { runInWords } from "./run-wording.ts";
import { showPlan } from "./show-plan.ts";

/** How a command shows the outcome of its run. */
export interface OutcomeView {
  /** What the document is called in its `schema`. */
  readonly kind: DocumentKind;
  /** For `--json`; the run and its cost are added. */
  readonly document: object;
  readonly lines: Iterable<string>;
  /** Whether everything that was asked for is there. */
  readonly isWhole: boolean;
}

/** Ends a command that asked models: prints the plan of a dry run, or the result, in words or as JSON, and what it cost. */
export function showOutcome<Result>(
  { result, plan, run }: RunOutcome<Result>,
  json: boolean,
  terminal: Terminal,
  show: (result: Result) => OutcomeView,
): ExitCode {
  terminal.endProgress();
  if (plan) return showPlan(plan, json, terminal);
  const { kind, document, lines, isWhole } = show(result);
  if (json) terminal.print(jsonDocument(kind, { ...document, run: run.id, ...costFields(run.summary) }));
  else for (const line of lines) terminal.print(line);
  terminal.note(runInWords(run));
  return isWhole ? 0 : 3;
}

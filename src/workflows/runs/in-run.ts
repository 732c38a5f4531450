import { FabulaError } from "../../core/errors.ts";
import { countOf } from "../../core/wording.ts";
import { type FinishedRun, openRun, type Run, type RunServices, type RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";

/** The result of the work and of its run. For a dry run the result is made of placeholders: show the plan. */
export interface RunOutcome<Result> {
  readonly result: Result;
  readonly plan: Plan | null;
  readonly run: FinishedRun;
}

/** Opens a run, does the work and finishes the run, also after an error: answers paid for are kept. */
export async function inRun<Result>(
  settings: RunSettings,
  services: RunServices,
  work: (run: Run) => Promise<Result>,
): Promise<RunOutcome<Result>> {
  const run = await openRun(settings, services);
  try {
    const result = await work(run);
    services.signal.throwIfAborted();
    return { result, plan: run.plan(), run: await run.finish() };
  } catch (error) {
    const { id, status, summary } = await run.finish(error);
    if (status !== "interrupted" || id === null) throw error;
    throw new FabulaError(
      "E_INTERRUPTED",
      `Interrupted with ${countOf(summary.asked, "call")} answered; nothing paid for is lost. Resume it with \`fabula runs resume ${id}\`.`,
      { cause: error },
    );
  }
}

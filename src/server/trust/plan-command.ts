import { METHOD_NAMES } from "../../judge/methods/method.ts";
import type { RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { COMPARE_RUNS, compareBooks } from "../../workflows/books/compare-books.ts";
import { PROBE_RUNS, probeContamination } from "../../workflows/trust/probe-contamination.ts";
import { STRESS_DEFAULTS, stressWithModels } from "../../workflows/trust/stress-with-models.ts";

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
export async function planCommand(input: PlanCommandInput, context: { signal: AbortSignal }): Promise<Plan | null> {
  const { check, files, judge, settings } = input;
  const run = { judge, settings: { ...settings, dryRun: true }, services: { signal: context.signal } };
  switch (check) {
    case "position-bias":
      return (await compareBooks(files, { ...run, runs: COMPARE_RUNS })).plan;
    case "contamination":
      return (await probeContamination(files[0]!, { ...run, runs: PROBE_RUNS })).plan;
    case "stress": {
      const method = METHOD_NAMES.find((name) => name === input.method) ?? STRESS_DEFAULTS.method;
      return (await stressWithModels({ ...STRESS_DEFAULTS, ...run, files, method, onProgress: () => {} })).plan;
    }
    default:
      return check satisfies never;
  }
}

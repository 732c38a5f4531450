import { METHOD_NAMES } from "../../judge/methods/method.ts";
import type { RunSettings } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { compareTask } from "../../tasks/books/compare.ts";
import { probeTask } from "../../tasks/trust/probe.ts";
import { stressTask } from "../../tasks/trust/stress.ts";

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
      return (await compareTask.run(compareTask.input.parse({ ...asked, books }), services)).plan;
    case "contamination":
      return (await probeTask.run(probeTask.input.parse({ ...asked, book: books[0] }), services)).plan;
    case "stress": {
      const method = METHOD_NAMES.find((name) => name === input.method) ?? "summary";
      return (await stressTask.run(stressTask.input.parse({ ...asked, books, method }), services)).plan;
    }
    default:
      return check satisfies never;
  }
}

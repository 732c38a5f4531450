import { join } from "node:path";
import type { EvaluationRequest } from "../../api/jobs.ts";
import type { RunSettings } from "../../runner/open-run.ts";
import type { Host } from "../../tasks/define/task.ts";
import { type BookCard, originalName } from "../library/book-files.ts";
import type { ServerSettings } from "../settings.ts";

interface RunPlace {
  readonly settings: ServerSettings;
  /** The book's folder in the library. */
  readonly folder: string;
  readonly card: BookCard;
}

/** The run of a job, with the equivalent command line: `fabula runs resume` can resume what the web app started. */
export function runSettingsFor(
  request: EvaluationRequest,
  runId: string | null,
  { settings, folder, card }: RunPlace,
): RunSettings {
  const { judges, method, aspects, runs, maximumCost, depth } = request;
  return {
    store: settings.store,
    command: [
      "evaluate",
      join(folder, originalName(card.format)),
      ...(judges.length === 1 ? ["--judge", judges[0]!] : ["--panel", judges.join(",")]),
      "--method",
      method,
      "--runs",
      String(runs),
      ...(depth === undefined ? [] : ["--depth", depth]),
      ...(aspects.length > 0 ? ["--aspects", aspects.join(",")] : []),
      ...(maximumCost === null ? [] : ["--max-cost", String(maximumCost)]),
    ],
    folder,
    connections: settings.connections,
    ...(settings.prices !== undefined && { prices: settings.prices }),
    ...(maximumCost !== null && { maximumCost }),
    ...(runId !== null && { resume: runId }),
  };
}

/** Where a task that the web app asks for finds keys, prices and the store. */
export function taskHost({ store, connections, prices }: ServerSettings): Host {
  return { store, connections, ...(prices !== undefined && { prices }) };
}

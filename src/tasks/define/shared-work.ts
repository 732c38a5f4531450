import { FabulaError } from "../../core/errors.ts";
import type { SharedJob, SharedResult } from "../../queue/share-work.ts";
import type { RunSettings } from "../../runner/open-run.ts";
import { isPostgres } from "../../store/postgres/address.ts";
import { defined } from "./shared-fields.ts";
import type { TaskServices } from "./task.ts";

/** The settings of a run that calls no model: workers are used only when a shared store is named. */
export function settingsWithoutModels(
  { store, resume }: { readonly store?: string | undefined; readonly resume?: string | undefined },
  { host }: Pick<TaskServices, "host">,
): RunSettings {
  return {
    // A run that is resumed gets its store from who runs it.
    store: store ?? (resume === undefined ? "" : host.store),
    connections: {},
    ...defined({ command: host.command, folder: host.folder, resume }),
  };
}

type Sharing = Pick<TaskServices, "signal" | "onProgress" | "workers">;

/** Whether workers of a shared store do the work. A dry run calls no model, and a batch is processed by the provider. */
export function sharesWork(settings: RunSettings, { workers }: Pick<Sharing, "workers">): boolean {
  return workers !== undefined && isPostgres(settings.store) && !settings.dryRun && !settings.batch;
}

/**
 * Does the work in this process, or lets the workers of a shared store do it and combines their results; null when it was
 * only queued.
 */
export async function runHereOrShared<Result>(
  settings: RunSettings,
  services: Sharing,
  job: () => SharedJob | Promise<SharedJob>,
  work: (settings: RunSettings, shared: SharedResult | null) => Promise<Result>,
): Promise<Result | null> {
  const { workers, signal, onProgress } = services;
  if (!workers || !sharesWork(settings, services)) {
    if (!workers?.detach) return work(settings, null);
    throw new FabulaError(
      "E_USAGE",
      "--detach leaves work to the workers of a shared store: give one with --store postgres://….",
    );
  }
  const { shareWork } = await import("../../queue/share-work.ts");
  const options = { settings, signal, onProgress, ...workers };
  return shareWork(await job(), options, (shared) => work(shared.settings, shared));
}

/** Standard input can be read only once, and shared work is read twice: to split it up and to combine the results. */
export function refuseStandardInput(input: string, settings: RunSettings, services: Pick<Sharing, "workers">): string {
  if (input === "-" && isPostgres(settings.store) && services.workers) {
    throw new FabulaError(
      "E_USAGE",
      "Work for a shared store is read from a file, not from standard input: give a file, or add --local.",
    );
  }
  return input;
}

import { FabulaError } from "../../core/errors.ts";
import type { SharedJob, SharedResult } from "../../queue/share-work.ts";
import type { RunSettings } from "../../runner/open-run.ts";
import { isPostgres } from "../../store/postgres/address.ts";
import { defined } from "./shared-fields.ts";
import type { TaskServices } from "./task.ts";

/** The settings of a run that calls no model. Workers are used only if a shared store is named. */
export function settingsWithoutModels(
  { store, resume }: { readonly store?: string | undefined; readonly resume?: string | undefined },
  { host }: Pick<TaskServices, "host">,
): RunSettings {
  return {
    // A resumed run gets its store from the host.
    store: store ?? (resume === undefined ? "" : host.store),
    connections: {},
    ...defined({ command: host.command, folder: host.folder, resume }),
  };
}

/** Names of the work that workers can do; `src/tasks/jobs/registry.ts` says what each does. */
export type JobKind =
  | "judge-books"
  | "evaluate-book"
  | "score-items"
  | "score-chapters"
  | "write-chapters"
  | "structure-reviews"
  | "refine-questions"
  | "answer-questions";

type TaskJob = SharedJob & { readonly kind: JobKind };

export type Sharing = Pick<TaskServices, "signal" | "onProgress" | "workers">;

/**
 * Whether workers of a shared store do the work. A dry run calls no model, and a provider processes a batch, so
 * neither is shared.
 */
export function sharesWork<Services extends Pick<Sharing, "workers">>(
  settings: RunSettings,
  services: Services,
): services is Services & Required<Pick<Sharing, "workers">> {
  const { workers } = services;
  if (workers !== undefined && isPostgres(settings.store) && !settings.dryRun && !settings.batch) return true;
  if (!workers?.detach) return false;
  throw new FabulaError(
    "E_USAGE",
    "--detach leaves work to the workers of a shared store: give one with --store postgres://….",
  );
}

/** Has the workers of a shared store do the work, and combines their results; null when the work was only queued. */
export async function runShared<Result>(
  settings: RunSettings,
  { workers, signal, onProgress }: Required<Sharing>,
  job: TaskJob,
  combine: (shared: SharedResult) => Promise<Result>,
): Promise<Result | null> {
  const { shareWork } = await import("../../queue/share-work.ts");
  return shareWork(job, { settings, signal, onProgress, ...workers }, combine);
}

/** Does the work in this process, or has workers do it and then runs it once more with their answers. */
export async function runHereOrShared<Result>(
  settings: RunSettings,
  services: Sharing,
  job: () => TaskJob | Promise<TaskJob>,
  work: (settings: RunSettings, shared: SharedResult | null) => Promise<Result>,
): Promise<Result | null> {
  if (!sharesWork(settings, services)) return work(settings, null);
  return runShared(settings, services, await job(), (shared) => work(shared.settings, shared));
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

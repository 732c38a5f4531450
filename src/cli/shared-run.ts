import { FabulaError } from "../core/errors.ts";
import type { RunSettings } from "../runner/open-run.ts";
import { isPostgres, withoutPassword } from "../store/postgres/address.ts";
import type { SharedJob, SharedResult } from "../workflows/queue/share-work.ts";
import type { Flags, FlagValues } from "./flags/flag.ts";
import { MODEL_FLAGS } from "./flags/model-flags.ts";
import { SHARING_FLAGS as QUEUE_FLAGS, workersFor } from "./flags/sharing-flags.ts";
import { storeLocation } from "./store-location.ts";
import type { Terminal } from "./terminal.ts";

/** For commands that call no model: workers are used only when a shared store is named. */
export const SHARING_FLAGS = {
  store: { type: "string", value: "STORE", help: "have the workers of this shared store do it: postgres://…" },
  ...QUEUE_FLAGS,
  resume: MODEL_FLAGS.resume,
} as const satisfies Flags;

type SharingFlags = Pick<FlagValues<typeof SHARING_FLAGS>, "local" | "detach" | "priority">;

/** The settings of a run that calls no model. */
export function settingsWithoutModels(flags: Pick<FlagValues<typeof SHARING_FLAGS>, "store" | "resume">): RunSettings {
  return {
    // A run that is resumed gets its store from the environment.
    store: flags.store ?? (flags.resume === undefined ? "" : storeLocation(undefined, process.env)),
    command: process.argv.slice(2).map(withoutPassword),
    folder: process.cwd(),
    connections: {},
    ...(flags.resume === undefined ? {} : { resume: flags.resume }),
  };
}

interface Surroundings {
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Whether workers of a shared store do the work. A dry run calls no model, and a batch is processed by the provider. */
export function sharesWork(settings: RunSettings, { local }: Pick<SharingFlags, "local">): boolean {
  return isPostgres(settings.store) && !local && !settings.dryRun && !settings.batch;
}

/**
 * Does the work in this process, or lets the workers of a shared store do it and combines their results; null when it was
 * queued with `--detach`.
 */
export async function runHereOrShared<Result>(
  settings: RunSettings,
  flags: SharingFlags,
  { terminal, signal }: Surroundings,
  job: () => SharedJob | Promise<SharedJob>,
  work: (settings: RunSettings, shared: SharedResult | null) => Promise<Result>,
): Promise<Result | null> {
  if (!sharesWork(settings, flags)) {
    if (flags.detach) {
      throw new FabulaError(
        "E_USAGE",
        "--detach leaves work to the workers of a shared store: give one with --store postgres://….",
      );
    }
    return work(settings, null);
  }
  const { shareWork } = await import("../workflows/queue/share-work.ts");
  const options = {
    settings,
    signal,
    onProgress: terminal.progress,
    ...workersFor(flags, terminal),
  };
  return shareWork(await job(), options, (shared) => {
    terminal.endProgress();
    return work(shared.settings, shared);
  });
}

import { FabulaError } from "../core/errors.ts";
import type { ProgressEvent, ProgressListener } from "../core/progress.ts";
import type { ModelConnections } from "../models/connection.ts";
import type { RunServices, RunSettings } from "../runner/open-run.ts";
import type { RunnerEvent } from "../runner/runner-event.ts";
import { connectionsOf } from "./environment.ts";

/** What is happening: how far the work has got, and what the runner does with calls to models. */
export type LibraryEvent = ({ readonly kind: "progress" } & ProgressEvent) | RunnerEvent;

/** What every function that takes a while takes. */
export interface CommonOptions {
  /** Stops the work: the promise is rejected with `E_INTERRUPTED`. Answers already paid for are in the store. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: LibraryEvent) => void;
}

/** What every function that may ask models takes. */
export interface ModelOptions extends CommonOptions {
  /** Keys and addresses of providers, over those of the environment (`OPENAI_API_KEY` and so on). */
  readonly connections?: ModelConnections;
}

/** None of it matters to an embedded judge. */
export interface SpendingOptions extends ModelOptions {
  /** US dollars: no call is sent that could cost more than what is left. Needs a known price. */
  readonly maxCost?: number;
  /** Where answers are kept: a file, or `postgres://…`. In memory unless given, so that a second call pays again. */
  readonly store?: string;
  /** A price table of your own: the path of a YAML file. */
  readonly prices?: string;
  /** Calls at a time; adapts to the provider when absent. */
  readonly concurrency?: number;
  /** Ask again even when the store has the answer. */
  readonly refresh?: boolean;
}

/** `:memory:` is SQLite's own name for a database that lives as long as it is open. */
export const IN_MEMORY = ":memory:";

export function runSettingsOf(options: SpendingOptions): RunSettings {
  return {
    store: options.store ?? IN_MEMORY,
    connections: connectionsOf(options.connections, Object.values(options).flat()),
    ...(options.maxCost !== undefined && { maximumCost: options.maxCost }),
    ...(options.prices !== undefined && { prices: options.prices }),
    ...(options.concurrency !== undefined && { concurrency: options.concurrency }),
    ...(options.refresh !== undefined && { refresh: options.refresh }),
  };
}

export function signalOf({ signal }: CommonOptions): AbortSignal {
  return signal ?? new AbortController().signal;
}

export function runServicesOf(options: CommonOptions): RunServices {
  const { onEvent } = options;
  return { signal: signalOf(options), ...(onEvent && { onEvent }) };
}

export function progressOf({ onEvent }: CommonOptions): ProgressListener {
  return (event) => onEvent?.({ kind: "progress", ...event });
}

/** Whatever stops because the caller asked for it says so in one way, whoever noticed first. */
export async function interruptible<Result>(options: CommonOptions, operation: () => Promise<Result>): Promise<Result> {
  try {
    options.signal?.throwIfAborted();
    return await operation();
  } catch (error) {
    throw asInterruption(error, options);
  }
}

export function asInterruption(error: unknown, { signal }: CommonOptions): unknown {
  if (!signal?.aborted) return error;
  const advice = "Answers already paid for are in the store, if one was given: the same call continues from there.";
  return new FabulaError("E_INTERRUPTED", `Stopped by the caller's signal. ${advice}`, { cause: error });
}

import { FabulaError } from "../core/errors.ts";
import type { ProgressEvent, ProgressListener } from "../core/progress.ts";
import type { ModelConnections } from "../models/connection.ts";
import type { RunnerEvent } from "../runner/runner-event.ts";
import type { OneJudge } from "../tasks/define/judge-fields.ts";

/** Events: the progress of the work, and what the runner does with calls to models. */
export type LibraryEvent = ({ readonly kind: "progress" } & ProgressEvent) | RunnerEvent;

/** Options of every function that takes a while. */
export interface CommonOptions {
  /** Stops the work: the promise is rejected with `E_INTERRUPTED`. Answers already paid for are in the store. */
  readonly signal?: AbortSignal;
  readonly onEvent?: (event: LibraryEvent) => void;
}

/** Options of every function that may ask models. */
export interface ModelOptions extends CommonOptions {
  /** Keys and addresses of providers, which override those of the environment (`OPENAI_API_KEY` and so on). */
  readonly connections?: ModelConnections;
}

/** `:memory:` is SQLite's own name for a database that exists only while it is open. */
export const IN_MEMORY = ":memory:";

export function signalOf({ signal }: CommonOptions): AbortSignal {
  return signal ?? new AbortController().signal;
}

export function progressOf({ onEvent }: CommonOptions): ProgressListener {
  return (event) => onEvent?.({ kind: "progress", ...event });
}

/** Work that stops at the caller's request always reports this in the same way. */
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

/** The name of a judge (`jury`, `crowd`, `editor`, `grader`, `openai:MODEL`, `MODEL@http://host/v1`…) or a model of your own. */
export type { OneJudge } from "../tasks/define/judge-fields.ts";

/** One judge, or several language models that judge together as a panel. */
export type Judge = OneJudge | readonly OneJudge[];

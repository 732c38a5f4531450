import { Worker } from "node:worker_threads";
import { builtPath, isBuilt } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import type { TaskEvents, TaskInputs, TaskName, TaskResults } from "./tasks.ts";
import type { ThreadAnswer, ThreadMessage } from "./work-thread.ts";

export interface TaskOptions<Name extends TaskName> {
  readonly onEvent?: (event: TaskEvents[Name]) => void;
  readonly signal?: AbortSignal;
  /** Ends the thread, whatever it is doing. */
  readonly abandon?: AbortSignal;
}

/** A hostile file may make a thread run out of memory; the server outlives it. */
const MEMORY_MEGABYTES = 4096;

/**
 * Heavy work runs in its own thread, so that the server stays responsive. Threads run compiled code only: from the
 * sources (tests) the same work is done in place.
 */
export async function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  options: TaskOptions<Name> = {},
): Promise<TaskResults[Name]> {
  if (isBuilt()) return inThread(name, input, options);
  const { performTask } = await import("./tasks.ts");
  return performTask(name, input, {
    emit: (event) => options.onEvent?.(event),
    signal: options.signal ?? new AbortController().signal,
  });
}

function inThread<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  { onEvent, signal, abandon }: TaskOptions<Name>,
): Promise<TaskResults[Name]> {
  const thread = new Worker(builtPath("threads", "work-thread.js"), {
    workerData: { name, input },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MEGABYTES },
  });
  const abort = () => thread.postMessage({ kind: "abort" } satisfies ThreadMessage);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  const end = () => void thread.terminate();
  abandon?.addEventListener("abort", end, { once: true });
  return new Promise<TaskResults[Name]>((resolve, reject) => {
    thread.on("message", (answer: ThreadAnswer<Name>) => {
      switch (answer.kind) {
        case "event":
          return onEvent?.(answer.event);
        case "done":
          return resolve(answer.result);
        case "failed":
          return reject(new FabulaError(answer.code, answer.message));
        default:
          return answer satisfies never;
      }
    });
    thread.on("error", (cause) => reject(exhausted(cause) ?? cause));
    thread.on("exit", () => reject(new Error(`the thread for ${name} ended without an answer`)));
  }).finally(() => {
    signal?.removeEventListener("abort", abort);
    abandon?.removeEventListener("abort", end);
    end();
  });
}

function exhausted(cause: unknown): FabulaError | null {
  if (!(cause instanceof Error && "code" in cause && cause.code === "ERR_WORKER_OUT_OF_MEMORY")) return null;
  return new FabulaError("E_TOO_LARGE", "This needs more memory than there is: split the book and try one part.", {
    cause,
  });
}

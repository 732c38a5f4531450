import { parentPort, workerData } from "node:worker_threads";
import { FabulaError } from "../../core/errors.ts";
import { performTask, type TaskEvents, type TaskInputs, type TaskName, type TaskResults } from "./tasks.ts";

export interface ThreadMessage {
  readonly kind: "abort";
}

/** Errors cross the border as data. */
export type ThreadAnswer<Name extends TaskName = TaskName> =
  | { readonly kind: "event"; readonly event: TaskEvents[Name] }
  | { readonly kind: "done"; readonly result: TaskResults[Name] }
  | { readonly kind: "failed"; readonly code: `E_${string}`; readonly message: string };

const { name, input } = workerData as { name: TaskName; input: TaskInputs[TaskName] };
const abort = new AbortController();
const post = (answer: ThreadAnswer) => parentPort?.postMessage(answer);
parentPort?.on("message", () => abort.abort(new FabulaError("E_INTERRUPTED", "Interrupted.")));

try {
  const result = await performTask(name, input, {
    emit: (event) => post({ kind: "event", event }),
    signal: abort.signal,
  });
  post({ kind: "done", result });
} catch (error) {
  const code = error instanceof FabulaError ? error.code : "E_UNEXPECTED";
  post({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
}

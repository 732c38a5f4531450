import { type ErrorCode, FabulaError } from "../../core/errors.ts";
import {
  type ChildKind,
  getReady,
  performTask,
  type TaskEvents,
  type TaskInputs,
  type TaskName,
  type TaskResults,
} from "./tasks.ts";

/** What the server sends: that a task is coming, a task, a request to interrupt it, and after the answer perhaps the next task. */
export type TaskMessage =
  | { readonly kind: "get-ready"; readonly for: ChildKind }
  | { readonly kind: "task"; readonly name: TaskName; readonly input: TaskInputs[TaskName] }
  | { readonly kind: "abort" };

/** Errors cross the border as data. */
export type TaskAnswer<Name extends TaskName = TaskName> =
  | { readonly kind: "event"; readonly event: TaskEvents[Name] }
  | { readonly kind: "done"; readonly result: TaskResults[Name] }
  | { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

let abort = new AbortController();
const preparing = new AbortController();
const post = (answer: TaskAnswer) => new Promise<void>((resolve) => process.send?.(answer, () => resolve()));

// Ctrl-C in a terminal reaches every process; the server decides what happens then.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
// pdf.js leaves promises behind that fail after a damaged file was refused; they concern no one.
process.on("unhandledRejection", () => {});
// Without the server there is nothing left to do.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"));
process.on("message", (message: TaskMessage) => {
  // What cannot be loaded now fails with the task that needs it.
  if (message.kind === "get-ready") return void getReady(message.for, preparing.signal).catch(() => {});
  if (message.kind === "abort") return abort.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
  abort = new AbortController();
  preparing.abort();
  void perform(message.name, message.input);
});

async function perform(name: TaskName, input: TaskInputs[TaskName]): Promise<void> {
  try {
    const result = await performTask(name, input, {
      emit: (event) => void post({ kind: "event", event }),
      signal: abort.signal,
    });
    await post({ kind: "done", result });
  } catch (error) {
    const code = error instanceof FabulaError ? error.code : "E_UNEXPECTED";
    await post({ kind: "failed", code, message: error instanceof Error ? error.message : String(error) });
  }
}

import { type ChildProcess, fork } from "node:child_process";
import { stat } from "node:fs/promises";
import { setPriority } from "node:os";
import { builtPath, isBuilt } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import { limitsForFile, limitUsage, type PassedLimit, type UsageLimits } from "../../text/parsing/limit-usage.ts";
import { ConcurrencyLimit } from "./concurrency-limit.ts";
import type { TaskAnswer, TaskMessage } from "./task-process.ts";
import type { TaskEvents, TaskInputs, TaskName, TaskResults } from "./tasks.ts";

export interface TaskOptions<Name extends TaskName> {
  readonly onEvent?: (event: TaskEvents[Name]) => void;
  readonly signal?: AbortSignal;
  /** Ends the process, whatever it is doing. */
  readonly abandon?: AbortSignal;
}

/** A hostile file may make its process run out of memory or never end; the server outlives it. What waits for models has no limit. */
const PARSING: readonly TaskName[] = ["keep-book", "correct-book", "found-chapters"];
/** What a file that was accepted before may take when it is read again: as much as a large book. */
const ACCEPTED_FILE_BYTES = 20_000_000;
const PARSING_HEAP_MEGABYTES = 1024;
const USUAL_HEAP_MEGABYTES = 4096;
/** How Node ends then where there are no signals. */
const OUT_OF_MEMORY = 134;
/** Whoever asks for a page is answered before books are judged; an upload has someone waiting for it too. */
const JUDGING_PRIORITY = 5;

/** Whoever opens a hundred reports at once must not start a hundred processes. */
const shortTasks = new ConcurrencyLimit(4);
const running = new Set<ChildProcess>();

/** Ends whatever is still being done, when the server shuts down. */
export function endAllTasks(): void {
  for (const child of running) child.kill("SIGKILL");
}

/**
 * Heavy work runs in a process of its own: the server stays responsive, can end it at any time, and gets all of its memory back,
 * which threads do not give. Processes run compiled code only: from the sources (tests) the same work is done in place.
 */
export async function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  options: TaskOptions<Name> = {},
): Promise<TaskResults[Name]> {
  if (isBuilt()) {
    // Jobs wait in a queue of their own, and a job that waits for its model must not keep a page waiting.
    if (name === "judge-book") return inProcess(name, input, options);
    return shortTasks.run(() => inProcess(name, input, options));
  }
  const { performTask } = await import("./tasks.ts");
  return performTask(name, input, {
    emit: (event) => options.onEvent?.(event),
    signal: options.signal ?? new AbortController().signal,
  });
}

async function inProcess<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  { onEvent, signal, abandon }: TaskOptions<Name>,
): Promise<TaskResults[Name]> {
  const limits = await limitsOf(name, input);
  if (abandon?.aborted) throw ended();
  const child = fork(builtPath("threads", "task-process.js"), {
    serialization: "advanced",
    execArgv: [`--max-old-space-size=${limits ? PARSING_HEAP_MEGABYTES : USUAL_HEAP_MEGABYTES}`],
    // Out of memory, Node prints pages.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  running.add(child);
  if (name === "judge-book") lowerPriority(child.pid);
  child.once("exit", () => running.delete(child));
  const send = (message: TaskMessage) => child.connected && child.send(message, () => {});
  const abort = () => send({ kind: "abort" });
  const end = () => child.kill("SIGKILL");
  let passed: PassedLimit | null = null;
  const stopWatching = limits
    ? limitUsage(child, limits, (limit) => {
        passed = limit;
        end();
      })
    : () => {};
  try {
    send({ kind: "task", name, input });
    signal?.addEventListener("abort", abort, { once: true });
    if (signal?.aborted) abort();
    abandon?.addEventListener("abort", end, { once: true });
    return await answerOf<Name>(child, onEvent, () => (passed === null ? null : tooMuch(passed)));
  } finally {
    stopWatching();
    signal?.removeEventListener("abort", abort);
    abandon?.removeEventListener("abort", end);
    end();
  }
}

function answerOf<Name extends TaskName>(
  child: ChildProcess,
  onEvent: TaskOptions<Name>["onEvent"],
  whyEnded: () => FabulaError | null,
): Promise<TaskResults[Name]> {
  return new Promise((resolve, reject) => {
    child.on("message", (answer: TaskAnswer<Name>) => {
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
    child.on("error", reject);
    // What it sent before is delivered first.
    child.on("close", (code, killedBy) => {
      const isExhausted = killedBy === "SIGABRT" || code === OUT_OF_MEMORY;
      reject(whyEnded() ?? (isExhausted ? exhausted() : ended()));
    });
  });
}

/** Of a file that no one has read yet, by its size. */
async function limitsOf<Name extends TaskName>(name: Name, input: TaskInputs[Name]): Promise<UsageLimits | null> {
  if (!PARSING.includes(name)) return null;
  if (!("path" in input)) return limitsForFile(ACCEPTED_FILE_BYTES);
  return limitsForFile((await stat(input.path)).size);
}

function lowerPriority(pid: number | undefined): void {
  try {
    if (pid !== undefined) setPriority(pid, JUDGING_PRIORITY);
  } catch {
    // It has ended already.
  }
}

function tooMuch(passed: PassedLimit): FabulaError {
  if (passed.kind === "memory") return exhausted();
  return new FabulaError(
    "E_TOO_LARGE",
    `This book took more than ${Math.round(passed.seconds)} s to read: split it and try one part.`,
  );
}

function exhausted(): FabulaError {
  return new FabulaError("E_TOO_LARGE", "This needs more memory than there is: split the book and try one part.");
}

function ended(): FabulaError {
  return new FabulaError("E_UNEXPECTED", "The work ended without an answer: try again.");
}

import { type ChildProcess, fork } from "node:child_process";
import { setPriority } from "node:os";
import { builtPath } from "../../core/assets.ts";
import { ENGINE_FLAGS } from "../../core/engine-flags.ts";
import { FabulaError } from "../../core/errors.ts";
import { limitUsage, type PassedLimit, type UsageLimits, usageOf } from "../../text/parsing/process-usage.ts";
import type { TaskAnswer, TaskMessage } from "./task-process.ts";
import type { ChildKind, TaskEvents, TaskInputs, TaskName, TaskResults } from "./tasks.ts";

export interface TaskOptions<Name extends TaskName> {
  readonly onEvent?: (event: TaskEvents[Name]) => void;
  readonly signal?: AbortSignal;
  /** Ends the process, whatever it is doing. */
  readonly abandon?: AbortSignal;
}

const HEAP_MEGABYTES: Readonly<Record<ChildKind, number>> = { parsing: 1024, reading: 4096 };
/** Page requests come first, then uploads, then the rest. */
const PRIORITY: Readonly<Record<ChildKind, number>> = { parsing: 5, reading: 10 };
/** How Node ends when its heap is full, where there are no signals. */
const OUT_OF_MEMORY = 134;
/** A process that has grown past this is not kept for the next task: only its end gives the memory back. */
const KEPT_MEGABYTES = 500;

/** A process that does one task at a time, and can be ended at any moment. */
export class TaskChild {
  readonly kind: ChildKind;
  readonly #process: ChildProcess;
  #isGone = false;
  #isPrepared = false;

  constructor(kind: ChildKind) {
    this.kind = kind;
    this.#process = fork(builtPath("threads", "task-process.js"), {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES[kind]}`, ...ENGINE_FLAGS],
      // When it runs out of memory, Node prints pages of text.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#process.once("close", () => {
      this.#isGone = true;
    });
    // A failed start or a closed channel ends the process; its end is handled by the "close" listener.
    this.#process.on("error", () => this.end());
    lowerPriority(this.#process.pid, PRIORITY[kind]);
  }

  /** Whether it can take another task. */
  get isFit(): boolean {
    return !this.#isGone && this.#process.connected && (usageOf(this.#process.pid)?.megabytes ?? 0) < KEPT_MEGABYTES;
  }

  /** Loads what a task needs before there is one. Once is enough. */
  getReady(): void {
    if (this.#isPrepared) return;
    this.#isPrepared = true;
    this.#send({ kind: "get-ready", for: this.kind });
  }

  end(): void {
    this.#isGone = true;
    this.#process.kill("SIGKILL");
  }

  /** Does a task. After an interruption or an unexpected error the process is ended, because it may hold broken state. */
  async perform<Name extends TaskName>(
    name: Name,
    input: TaskInputs[Name],
    limits: UsageLimits | null,
    { onEvent, signal, abandon }: TaskOptions<Name>,
  ): Promise<TaskResults[Name]> {
    const abort = () => this.#send({ kind: "abort" });
    const end = () => this.end();
    let passed: PassedLimit | null = null;
    const stopWatching = limits
      ? limitUsage(this.#process, limits, (limit) => {
          passed = limit;
          end();
        })
      : () => {};
    try {
      this.#send({ kind: "task", name, input });
      signal?.addEventListener("abort", abort, { once: true });
      if (signal?.aborted) abort();
      abandon?.addEventListener("abort", end, { once: true });
      if (abandon?.aborted) end();
      return await this.#answer<Name>(onEvent, () => (passed === null ? null : tooMuch(passed)));
    } catch (error) {
      if (signal?.aborted || !(error instanceof FabulaError) || error.code === "E_UNEXPECTED") end();
      throw error;
    } finally {
      stopWatching();
      signal?.removeEventListener("abort", abort);
      abandon?.removeEventListener("abort", end);
    }
  }

  #send(message: TaskMessage): void {
    if (this.#process.connected) this.#process.send(message, () => {});
  }

  #answer<Name extends TaskName>(
    onEvent: TaskOptions<Name>["onEvent"],
    whyEnded: () => FabulaError | null,
  ): Promise<TaskResults[Name]> {
    const child = this.#process;
    if (child.exitCode !== null || child.signalCode !== null) return Promise.reject(ended());
    return new Promise((resolve, reject) => {
      const onMessage = (answer: TaskAnswer<Name>) => {
        if (answer.kind === "event") return onEvent?.(answer.event);
        settle();
        if (answer.kind === "done") resolve(answer.result);
        else reject(new FabulaError(answer.code, answer.message));
      };
      // What it sent before is delivered first.
      const onClose = (code: number | null, killedBy: NodeJS.Signals | null) => {
        settle();
        const isExhausted = killedBy === "SIGABRT" || code === OUT_OF_MEMORY;
        reject(whyEnded() ?? (isExhausted ? exhausted() : ended()));
      };
      const settle = () => {
        child.off("message", onMessage);
        child.off("close", onClose);
      };
      child.on("message", onMessage);
      child.on("close", onClose);
    });
  }
}

function lowerPriority(pid: number | undefined, priority: number): void {
  try {
    if (pid !== undefined) setPriority(pid, priority);
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

import { type ChildProcess, fork } from "node:child_process";
import { builtPath } from "../../core/assets.ts";
import { FabulaError } from "../../core/errors.ts";
import { limitUsage, type UsageLimits } from "./limit-usage.ts";
import type { ParseAnswer, ParseQuestion } from "./parse-process.ts";

/** How V8 is limited; buffers stand outside its heap, and are watched from here. */
const HEAP_MEGABYTES = 1024;
/** How Node ends when its heap is full, where there are no signals. */
const OUT_OF_MEMORY = 134;

/** A process that parses one file at a time, and can be ended at any moment. */
export class ParseChild {
  readonly #process: ChildProcess;
  #isGone = false;

  constructor() {
    this.#process = fork(builtPath("threads", "parse-process.js"), {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`],
      // Out of memory, Node prints pages.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#process.once("close", () => {
      this.#isGone = true;
    });
    // A failed start or a closed channel ends the process, and that is what is listened for.
    this.#process.on("error", () => this.end());
  }

  get pid(): number | undefined {
    return this.#process.pid;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  /** Whether the program waits for this process before it ends. */
  keepAwake(isAwake: boolean): void {
    const change = isAwake ? "ref" : "unref";
    this.#process[change]();
    this.#process.channel?.[change]();
  }

  end(): void {
    this.#isGone = true;
    this.#process.kill("SIGKILL");
  }

  ask(question: ParseQuestion, limits: UsageLimits, signal?: AbortSignal): Promise<ParseAnswer> {
    return new Promise((resolve, reject) => {
      const child = this.#process;
      const give = (up: FabulaError) => {
        settle();
        this.end();
        reject(up);
      };
      const stopWatching = limitUsage(child, limits, (passed) =>
        give(passed.kind === "time" ? tooSlow(question, passed.seconds) : tooBig(question)),
      );
      const onAbort = () => give(new FabulaError("E_INTERRUPTED", "Interrupted."));
      const onAnswer = (answer: ParseAnswer) => {
        settle();
        resolve(answer);
      };
      const onClose = (code: number | null, killedBy: NodeJS.Signals | null) => {
        const isExhausted = killedBy === "SIGABRT" || code === OUT_OF_MEMORY;
        give(isExhausted ? tooBig(question) : ended(question));
      };
      const settle = () => {
        stopWatching();
        signal?.removeEventListener("abort", onAbort);
        child.off("message", onAnswer);
        child.off("close", onClose);
      };
      child.on("message", onAnswer);
      child.on("close", onClose);
      signal?.addEventListener("abort", onAbort, { once: true });
      if (signal?.aborted) return onAbort();
      child.send(question, () => {});
    });
  }
}

function tooSlow({ path }: ParseQuestion, seconds: number): FabulaError {
  return new FabulaError(
    "E_TOO_LARGE",
    `Reading ${path} was stopped after ${Math.round(seconds)} s, which is too long for a book of its size. Split it and give one part.`,
  );
}

function tooBig({ path }: ParseQuestion): FabulaError {
  return new FabulaError(
    "E_TOO_LARGE",
    `${path} needs more memory than a book may take, so it was not read: split it and give one part.`,
  );
}

function ended({ path }: ParseQuestion): FabulaError {
  return new FabulaError("E_UNEXPECTED", `Reading ${path} ended without an answer: try again.`);
}

import { type ChildProcess, fork } from "node:child_process";
import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { isAbsolute } from "node:path";
import { builtPath } from "../../core/assets.ts";
import { ENGINE_FLAGS } from "../../core/engine-flags.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ParseAnswer, ParseMessage, ParseQuestion, ParseResults } from "./parse-process.ts";
import { limitsForFile, limitUsage, type UsageLimits } from "./process-usage.ts";

/** The limit of V8's heap. Buffers are outside the heap, so this process watches the total memory. */
const HEAP_MEGABYTES = 1024;
/** Node's exit code when its heap is full, on systems without signals. */
const OUT_OF_MEMORY = 134;

/** A process that parses one file at a time and can be stopped at any moment. */
export class ParseChild {
  readonly #process: ChildProcess;
  #isGone = false;

  constructor() {
    this.#process = fork(builtPath("threads", "parse-process.js"), {
      serialization: "advanced",
      execArgv: [`--max-old-space-size=${HEAP_MEGABYTES}`, ...ENGINE_FLAGS],
      // When it runs out of memory, Node prints pages of text.
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#process.once("close", () => {
      this.#isGone = true;
    });
    // A failed start or a closed channel ends the process, and the exit is handled.
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
      const giveUp = (error: FabulaError) => {
        settle();
        this.end();
        reject(error);
      };
      const stopWatching = limitUsage(child, limits, (passed) =>
        giveUp(passed.kind === "time" ? tooSlow(question, passed.seconds) : tooBig(question)),
      );
      const onAbort = () => giveUp(new FabulaError("E_INTERRUPTED", "Interrupted."));
      const onAnswer = (answer: ParseAnswer) => {
        settle();
        resolve(answer);
      };
      const onClose = (code: number | null, killedBy: NodeJS.Signals | null) => {
        const isExhausted = killedBy === "SIGABRT" || code === OUT_OF_MEMORY;
        giveUp(isExhausted ? tooBig(question) : ended(question));
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
      const folder = isAbsolute(question.path) ? null : process.cwd();
      child.send({ ...question, folder } satisfies ParseMessage, () => {});
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

/** How many files are parsed at a time. */
export const POOL_SIZE = Math.min(availableParallelism(), 4);

const all = new Set<ParseChild>();
const idle: { readonly child: ParseChild; readonly timer: NodeJS.Timeout }[] = [];
const waiting: (() => void)[] = [];
let free = POOL_SIZE;
let isWatching = false;

/** Parses in a process of the pool; processes are started when needed and end after a while without work. */
export async function parseApart<Wanted extends ParseQuestion["wants"]>(
  question: ParseQuestion & { readonly wants: Wanted },
  signal?: AbortSignal,
): Promise<ParseResults[Wanted]> {
  signal?.throwIfAborted();
  if (free > 0) free--;
  else await turn(signal);
  const child = takeChild();
  try {
    const answer = await child.ask(question, limitsForFile(sizeOf(question)), signal);
    if (answer.kind === "failed") throw new FabulaError(answer.code, answer.message);
    // The process returns the requested kind of result.
    return answer.result as ParseResults[Wanted];
  } finally {
    leave(child);
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

/** A request that is aborted while it waits gives up its place, so that it does not keep others waiting. */
function turn(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      waiting.splice(waiting.indexOf(onTurn), 1);
      reject(signal!.reason);
    };
    const onTurn = () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    waiting.push(onTurn);
  });
}

/** Starts a process that will soon be needed: it loads while this one does. */
export function startParsing(): void {
  leave(newChild());
}

function takeChild(): ParseChild {
  for (let resting = idle.pop(); resting; resting = idle.pop()) {
    clearTimeout(resting.timer);
    if (resting.child.isGone) continue;
    resting.child.keepAwake(true);
    return resting.child;
  }
  return newChild();
}

function newChild(): ParseChild {
  if (!isWatching) process.once("exit", endAll);
  isWatching = true;
  const child = new ParseChild();
  all.add(child);
  return child;
}

/** Long enough for the next file of one command, short enough not to burden a server. */
const IDLE_MILLISECONDS = 10_000;

function leave(child: ParseChild): void {
  if (child.isGone) {
    all.delete(child);
    return;
  }
  child.keepAwake(false);
  const timer = setTimeout(() => {
    child.end();
    all.delete(child);
  }, IDLE_MILLISECONDS);
  timer.unref();
  idle.push({ child, timer });
}

function endAll(): void {
  for (const child of all) child.end();
}

/** The limits for a folder, which has many files, are those of a large book. */
function sizeOf({ path, bytes }: ParseQuestion): number {
  if (bytes !== null) return bytes.length;
  const facts = statSync(path, { throwIfNoEntry: false });
  return facts?.isFile() ? facts.size : LARGE_BOOK_BYTES;
}

const LARGE_BOOK_BYTES = 20_000_000;

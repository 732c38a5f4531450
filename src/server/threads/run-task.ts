import { stat } from "node:fs/promises";
import { isBuilt } from "../../core/assets.ts";
import { POOL_SIZE } from "../../text/parsing/parse-pool.ts";
import { limitsForFile, type UsageLimits } from "../../text/parsing/process-usage.ts";
import { isForJury } from "../jobs/judge-book.ts";
import { TaskChild, type TaskOptions } from "./task-child.ts";
import type { ChildKind, TaskInputs, TaskName, TaskResults } from "./tasks.ts";

/** Starting a process takes as long as reading a short book: it stays a while for the next task. */
const IDLE_MILLISECONDS = 30_000;
/** Somebody who opens the Desk takes about as long to find a file. Then the memory is given back, however long the page stays open. */
const EXPECTED_MILLISECONDS = 120_000;
const MOST_IDLE = 2;

interface Idle {
  readonly child: TaskChild;
  readonly timer: NodeJS.Timeout;
}

const all = new Set<TaskChild>();
const idle: Record<ChildKind, Idle[]> = { parsing: [], reading: [] };

/** A process for one task: one that has done such tasks before, or a new one. */
export function takeChild(kind: ChildKind): TaskChild {
  for (let rested = idle[kind].pop(); rested; rested = idle[kind].pop()) {
    clearTimeout(rested.timer);
    if (rested.child.isFit) return rested.child;
    endChild(rested.child);
  }
  const child = new TaskChild(kind);
  all.add(child);
  return child;
}

/**
 * A book may come: one process that will parse it and one that will judge it start now, unless they are there, and load what they need.
 * However often a client says so, no more are started.
 */
export function expectBook(): void {
  if (!isBuilt()) return;
  for (const kind of ["parsing", "reading"] as const) {
    const child = takeChild(kind);
    child.getReady();
    keepChild(child, EXPECTED_MILLISECONDS);
  }
}

/** Gives a process back that can do another task; without one it ends after this time. */
export function keepChild(child: TaskChild, milliseconds = IDLE_MILLISECONDS): void {
  if (!child.isFit || idle[child.kind].length >= MOST_IDLE) {
    endChild(child);
    return;
  }
  const timer = setTimeout(() => {
    idle[child.kind] = idle[child.kind].filter((rested) => rested.child !== child);
    endChild(child);
  }, milliseconds);
  timer.unref();
  idle[child.kind].push({ child, timer });
}

export function endChild(child: TaskChild): void {
  all.delete(child);
  child.end();
}

/** Ends whatever is still being done, when the server shuts down. */
export function endAllTasks(): void {
  for (const child of all) endChild(child);
}

interface OfClient {
  readonly client: string;
}

/** Decides whose turn is next: of the waiting clients, the one whose last turn was longest ago. */
export class Turns {
  readonly #last = new Map<string, number>();
  #count = 0;

  next<Waiting extends OfClient>(waiting: readonly Waiting[]): Waiting | undefined {
    const last = ({ client }: Waiting) => this.#last.get(client) ?? -1;
    return waiting.reduce<Waiting | undefined>(
      (first, one) => (first && last(first) <= last(one) ? first : one),
      undefined,
    );
  }

  took(client: string): void {
    this.#last.set(client, this.#count++);
  }

  /** Called when a client has nothing left to do. */
  forget(client: string): void {
    this.#last.delete(client);
  }
}

interface Waiting {
  readonly client: string;
  readonly start: () => void;
}

interface FairLimits {
  /** How many tasks run at a time. */
  readonly most: number;
  /** How many of them may be one client's: with fewer than all, another client never waits for that one. */
  readonly perClient: number;
}

/** Runs a limited number of tasks at a time. Those that wait take turns by client, so a client with many delays its own. */
export class FairLimit {
  readonly #limits: FairLimits;
  readonly #running = new Map<string, number>();
  readonly #waiting: Waiting[] = [];
  readonly #turns = new Turns();
  #free: number;

  constructor(limits: FairLimits) {
    this.#limits = limits;
    this.#free = limits.most;
  }

  /** A client that leaves while waiting loses its place. */
  async run<T>(client: string, operation: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    await this.#turn(client, signal);
    try {
      return await operation();
    } finally {
      this.#free += 1;
      this.#running.set(client, this.#runningOf(client) - 1);
      this.#startNext();
      this.#forget(client);
    }
  }

  #turn(client: string, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        client,
        start: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1);
        this.#forget(client);
        reject(signal!.reason);
      };
      signal?.addEventListener("abort", leave, { once: true });
      this.#waiting.push(waiting);
      this.#startNext();
    });
  }

  #startNext(): void {
    if (this.#free === 0) return;
    const next = this.#next();
    if (!next) return;
    this.#waiting.splice(this.#waiting.indexOf(next), 1);
    this.#free -= 1;
    this.#running.set(next.client, this.#runningOf(next.client) + 1);
    this.#turns.took(next.client);
    next.start();
  }

  #next(): Waiting | undefined {
    return this.#turns.next(this.#waiting.filter(({ client }) => this.#runningOf(client) < this.#limits.perClient));
  }

  #forget(client: string): void {
    if (this.#runningOf(client) > 0 || this.#waiting.some((waiting) => waiting.client === client)) return;
    this.#running.delete(client);
    this.#turns.forget(client);
  }

  #runningOf(client: string): number {
    return this.#running.get(client) ?? 0;
  }
}

/** The client the work is for: waiting work takes turns by client. */
export interface ForClient {
  readonly client?: string;
}

/**
 * Tasks that read files, and have limits: a hostile file may make its process run out of memory or never end, and the server must
 * outlive it. Tasks that wait for models have no limit.
 */
const PARSING: readonly TaskName[] = [
  "keep-book",
  "read-comments",
  "correct-book",
  "inherit-corrections",
  "found-chapters",
  "import-reader",
  "score-answers",
];
/** The limit for reading an accepted file again: as much as for a large book. */
const ACCEPTED_FILE_BYTES = 20_000_000;
const SCORING_TIMES = 10;

/** One client's files never occupy all places. */
const parsing = new FairLimit({ most: Math.max(2, POOL_SIZE), perClient: Math.max(1, POOL_SIZE - 1) });
/** Opening a hundred reports at once must not start a hundred processes. */
const shortTasks = new FairLimit({ most: 4, perClient: 3 });

/**
 * Heavy work runs in a process of its own: the server stays responsive, can end it at any time, and gets all of its memory back,
 * which threads do not give. Processes run compiled code only: from the sources (tests) the same work is done in place.
 */
export async function runTask<Name extends TaskName>(
  name: Name,
  input: TaskInputs[Name],
  { client = "", ...options }: TaskOptions<Name> & ForClient = {},
): Promise<TaskResults[Name]> {
  if (isBuilt()) {
    // Jobs wait in a queue of their own, and a job that waits for its model must not keep a page waiting.
    if (name === "judge-book" || name === "own-task") return inProcess(name, input, options);
    const limit = PARSING.includes(name) ? parsing : shortTasks;
    return limit.run(client, () => inProcess(name, input, options), options.abandon);
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
  options: TaskOptions<Name>,
): Promise<TaskResults[Name]> {
  const limits = await limitsOf(name, input);
  const child = takeChild(limits ? "parsing" : "reading");
  try {
    return await child.perform(name, input, limits, options);
  } finally {
    if (asksModels(name, input)) endChild(child);
    else keepChild(child);
  }
}

/** Whether the process held keys and an open store, and must end with the task. A plan asks no model and closes its store. */
function asksModels(name: TaskName, input: TaskInputs[TaskName]): boolean {
  if (name === "plan-book" || ("settings" in input && "dryRun" in input.settings && input.settings.dryRun))
    return false;
  return "settings" in input && !("request" in input && isForJury(input.request));
}

/** The limits for a file that has not been read yet, by its size. */
async function limitsOf<Name extends TaskName>(name: Name, input: TaskInputs[Name]): Promise<UsageLimits | null> {
  if (!PARSING.includes(name)) return null;
  const path = "path" in input ? input.path : "input" in input ? input.input : null;
  const limits = limitsForFile(path === null ? ACCEPTED_FILE_BYTES : (await stat(path)).size);
  // Metrics compare every answer with its references, which takes longer than reading them.
  return name === "score-answers" ? { ...limits, computingSeconds: limits.computingSeconds * SCORING_TIMES } : limits;
}

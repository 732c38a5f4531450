import { stat } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { FabulaError } from "../../core/errors.ts";
import { limitsForFile } from "./limit-usage.ts";
import { ParseChild } from "./parse-child.ts";
import type { ParseQuestion, ParseResults } from "./parse-process.ts";

/** How many files are parsed at a time. */
export const POOL_SIZE = Math.min(availableParallelism(), 4);

const all = new Set<ParseChild>();
const idle: { readonly child: ParseChild; readonly timer: NodeJS.Timeout }[] = [];
const waiting: (() => void)[] = [];
let free = POOL_SIZE;
let isWatching = false;

/** Parses in a process of the pool, which is started when one is needed and ends when none was for a while. */
export async function parseApart<Wanted extends ParseQuestion["wants"]>(
  question: ParseQuestion & { readonly wants: Wanted },
  signal?: AbortSignal,
): Promise<ParseResults[Wanted]> {
  signal?.throwIfAborted();
  if (free > 0) free--;
  else await turn(signal);
  const child = takeChild();
  try {
    const answer = await child.ask(question, limitsForFile(await sizeOf(question)), signal);
    if (answer.kind === "failed") throw new FabulaError(answer.code, answer.message);
    // The process answers what it was asked.
    return answer.result as ParseResults[Wanted];
  } finally {
    leave(child);
    const next = waiting.shift();
    if (next) next();
    else free++;
  }
}

/** Whoever leaves while waiting gives up the place: a crowd that has gone must not keep others waiting. */
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

function takeChild(): ParseChild {
  for (let rested = idle.pop(); rested; rested = idle.pop()) {
    clearTimeout(rested.timer);
    if (rested.child.isGone) continue;
    rested.child.keepAwake(true);
    return rested.child;
  }
  if (!isWatching) process.once("exit", endAll);
  isWatching = true;
  const child = new ParseChild();
  all.add(child);
  return child;
}

/** Long enough for the next file of one command, short enough for a server. */
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

/** A folder has many files; what it may take is taken for that of a large book. */
async function sizeOf({ path, bytes }: ParseQuestion): Promise<number> {
  if (bytes !== null) return bytes.length;
  const facts = await stat(path).catch(() => null);
  return facts?.isFile() ? facts.size : LARGE_BOOK_BYTES;
}

const LARGE_BOOK_BYTES = 20_000_000;

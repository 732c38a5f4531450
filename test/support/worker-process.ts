import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

export interface LogLine {
  readonly at: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

/** `fabula worker` in a process of its own, as it is built. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  readonly log: readonly LogLine[];
  /** Resolves when the log has a line of this event, fails when the worker ends without one. */
  said(event: string): Promise<LogLine>;
  /** Ends by itself or is killed: the exit code, null for a signal. */
  readonly ended: Promise<number | null>;
}

export function startWorker(
  store: string,
  words: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
  build = fileURLToPath(new URL("../../", import.meta.url)),
): WorkerProcess {
  const child = spawn(process.execPath, [join(build, "dist", "cli", "main.js"), "worker", ...words], {
    env: { ...process.env, FABULA_STORE: store, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const log: LogLine[] = [];
  const waiting: { event: string; resolve: (line: LogLine) => void; reject: (reason: Error) => void }[] = [];
  const ended = once(child, "close").then(([code]) => code as number | null);
  createInterface({ input: child.stderr! }).on("line", (text) => {
    const line = parsed(text);
    log.push(line);
    for (const one of waiting.filter(({ event }) => event === line.event)) one.resolve(line);
  });
  // Its last lines are read after it has ended.
  child.once("close", (code) => {
    for (const { event, reject } of waiting) reject(new Error(`The worker ended (${code}) and never said "${event}".`));
  });
  return {
    child,
    log,
    said: (event) => {
      const known = log.find((line) => line.event === event);
      if (known) return Promise.resolve(known);
      return new Promise((resolve, reject) => waiting.push({ event, resolve, reject }));
    },
    ended,
  };
}

function parsed(text: string): LogLine {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return { at: "", level: "error", event: "not-json", text };
  }
}

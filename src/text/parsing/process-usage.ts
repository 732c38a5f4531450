import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";

interface ProcessUsage {
  /** Processor time since it started. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** Linux counts processor time in hundredths of a second, and memory in pages. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** The resources that a process has used; null if the system does not report them, or the process has ended. */
export function usageOf(pid: number | undefined): ProcessUsage | null {
  if (process.platform !== "linux" || pid === undefined) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name is in brackets and may contain spaces; 11 and 12 fields after it are user and system time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return { seconds, megabytes: (Number(fields[21]) * PAGE_BYTES) / 1e6 };
  } catch {
    return null;
  }
}

/** What a process may use for one piece of work. */
export interface UsageLimits {
  /** Processor time, which other work on the machine does not use up. */
  readonly computingSeconds: number;
  /** Time by the clock if the system does not report a process's processor time; otherwise how long it may make no progress. */
  readonly seconds: number;
  readonly megabytes: number;
}

export type PassedLimit = { readonly kind: "time"; readonly seconds: number } | { readonly kind: "memory" };

const LOOK_EVERY_MILLISECONDS = 200;

/** Watches a process from outside, since one that is busy cannot watch itself. Returns a function that stops watching. */
export function limitUsage(
  child: ChildProcess,
  limits: UsageLimits,
  onPassed: (passed: PassedLimit) => void,
): () => void {
  const before = usageOf(child.pid)?.seconds ?? 0;
  const stop = () => {
    clearInterval(look);
    clearInterval(clock);
  };
  const pass = (passed: PassedLimit) => {
    stop();
    onPassed(passed);
  };
  const look = setInterval(() => {
    const usage = usageOf(child.pid);
    if (usage === null) return;
    if (usage.seconds - before > limits.computingSeconds) pass({ kind: "time", seconds: limits.computingSeconds });
    else if (usage.megabytes > limits.megabytes) pass({ kind: "memory" });
  }, LOOK_EVERY_MILLISECONDS);
  let used = before;
  const clock = setInterval(() => {
    const { seconds } = usageOf(child.pid) ?? { seconds: used };
    // On a busy machine a process may wait long for its turn, so as long as it makes progress only its processor time counts.
    if (seconds <= used) pass({ kind: "time", seconds: limits.seconds });
    used = seconds;
  }, limits.seconds * 1000);
  return stop;
}

/** A novel takes a tenth of a second and 150 MB; these leave room for the longest scans, and end what would never end. */
export function limitsForFile(bytes: number): UsageLimits {
  const megabytes = bytes / 1e6;
  return { computingSeconds: 9 + 3 * megabytes, seconds: 120 + 10 * megabytes, megabytes: 1500 };
}

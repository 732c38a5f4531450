import { readFileSync } from "node:fs";

export interface ProcessUsage {
  /** Processor time since it started. */
  readonly seconds: number;
  readonly megabytes: number;
}

/** Linux counts processor time in hundredths of a second, and memory in pages. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** What a process has used so far; null where the system does not tell, or the process is gone. */
export function usageOf(pid: number | undefined): ProcessUsage | null {
  if (process.platform !== "linux" || pid === undefined) return null;
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The program's name stands in brackets and may hold spaces; 11 and 12 fields after it stand user and system time.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
    return { seconds, megabytes: (Number(fields[21]) * PAGE_BYTES) / 1e6 };
  } catch {
    return null;
  }
}

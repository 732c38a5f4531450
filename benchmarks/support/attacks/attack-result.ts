import { readFileSync } from "node:fs";

/** What came of one attack. */
export interface AttackResult {
  readonly name: string;
  /** Until it was refused. */
  readonly seconds: number;
  /** The most memory that the attacked process itself took, without those that it started to parse. */
  readonly megabytes: number;
  /** What the attacker was told, in one sentence. */
  readonly sentence: string;
  /** The slowest answer that an honest visitor got meanwhile; null where there is no one else. */
  readonly honestMilliseconds: number | null;
  /** Why it counts as a failure, whatever it took. */
  readonly problem?: string;
}

/** The most memory that a process has taken so far; null when it is gone. */
export function peakMegabytes(pid: number | undefined): number | null {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "latin1");
    return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024) / 1e6;
  } catch {
    return null;
  }
}

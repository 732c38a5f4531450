import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { mean, median } from "../../../src/stats/distribution.ts";

export interface MemoryOutcome {
  readonly minutes: number;
  /** The most that was resident at any moment, garbage included. */
  readonly peakMegabytes: number;
  /** Medians of what stays after a collection, in the first and the last third after the warm-up. */
  readonly firstMegabytes: number;
  readonly lastMegabytes: number;
  /** Least squares over every collection after the warm-up. */
  readonly slopeMegabytesPerHour: number;
}

interface Sample {
  readonly minutes: number;
  readonly megabytes: number;
}

/** The first quarter of a life fills caches and compiles code. */
const WARM_UP = 0.25;

/** Resident memory of the server that runs now: what it holds after a collection, and the most it ever takes. */
export class Memory {
  readonly #file: string;
  #processId = 0;
  #peak = 0;

  constructor(folder: string) {
    this.#file = join(folder, "held-memory.txt");
  }

  /** For the environment of a server that is to be watched. */
  get environment(): Record<string, string> {
    const script = pathToFileURL(join(import.meta.dirname, "report-held-memory.mjs")).href;
    return { NODE_OPTIONS: `--import ${script}`, HELD_MEMORY_FILE: this.#file };
  }

  /** A new process starts with a peak of its own. */
  async sample(processId: number): Promise<void> {
    if (processId !== this.#processId) {
      this.#processId = processId;
      this.#peak = 0;
    }
    const status = await readFile(`/proc/${processId}/status`, "utf8").catch(() => "");
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    if (kibibytes !== undefined) this.#peak = Math.max(this.#peak, Number(kibibytes) / 1024);
  }

  async outcome(): Promise<MemoryOutcome> {
    const lines = (await readFile(this.#file, "utf8"))
      .trim()
      .split("\n")
      .map((line) => line.split(" ").map(Number));
    const own = lines.filter(([id]) => id === this.#processId);
    const samples = own.map(([, at, bytes]): Sample => {
      return { minutes: (at! - own[0]![1]!) / 60_000, megabytes: bytes! / 1024 ** 2 };
    });
    const warm = samples.slice(Math.floor(samples.length * WARM_UP));
    const third = Math.ceil(warm.length / 3);
    const typical = (part: readonly Sample[]) => median(part.map(({ megabytes }) => megabytes));
    return {
      minutes: samples.at(-1)?.minutes ?? 0,
      peakMegabytes: this.#peak,
      firstMegabytes: typical(warm.slice(0, third)),
      lastMegabytes: typical(warm.slice(-third)),
      slopeMegabytesPerHour: slope(warm) * 60,
    };
  }
}

function slope(samples: readonly Sample[]): number {
  const minutes = mean(samples.map((one) => one.minutes));
  const megabytes = mean(samples.map((one) => one.megabytes));
  const together = mean(samples.map((one) => (one.minutes - minutes) * (one.megabytes - megabytes)));
  return together / mean(samples.map((one) => (one.minutes - minutes) ** 2));
}

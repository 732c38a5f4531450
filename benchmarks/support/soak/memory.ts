import { readFile } from "node:fs/promises";
import { mean } from "../../../src/stats/distribution/mean.ts";
import { median } from "../../../src/stats/distribution/quantile.ts";

export interface MemoryOutcome {
  readonly minutes: number;
  readonly peakMegabytes: number;
  /** Medians of the first and the last third, after the warm-up. */
  readonly firstMegabytes: number;
  readonly lastMegabytes: number;
  /** Least squares over every sample after the warm-up. */
  readonly slopeMegabytesPerHour: number;
}

interface Sample {
  readonly minutes: number;
  readonly megabytes: number;
}

/** The first quarter of a life fills caches and compiles code. */
const WARM_UP = 0.25;

/** Resident memory of one server process from its start. */
export class Memory {
  readonly #started = Date.now();
  readonly #samples: Sample[] = [];

  async sample(processId: number): Promise<void> {
    const status = await readFile(`/proc/${processId}/status`, "utf8").catch(() => "");
    const kibibytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    if (kibibytes === undefined) return;
    this.#samples.push({ minutes: (Date.now() - this.#started) / 60_000, megabytes: Number(kibibytes) / 1024 });
  }

  outcome(): MemoryOutcome {
    const warm = this.#samples.slice(Math.floor(this.#samples.length * WARM_UP));
    const third = Math.ceil(warm.length / 3);
    const typical = (samples: readonly Sample[]) => median(samples.map(({ megabytes }) => megabytes));
    return {
      minutes: this.#samples.at(-1)?.minutes ?? 0,
      peakMegabytes: Math.max(...this.#samples.map(({ megabytes }) => megabytes)),
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

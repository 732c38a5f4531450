import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Job } from "../../../src/api/jobs.ts";
import type { Random } from "../../../src/core/random.ts";
import { createSimulatedServer, FAULTS, type Fault } from "../../../src/testing/index.ts";
import { serveFabula } from "../../../test/e2e/serve-fabula.ts";
import { type BillOutcome, Bills } from "./bills.ts";
import { Memory, type MemoryOutcome } from "./memory.ts";
import { Visitor } from "./visitor.ts";

export interface SoakSettings {
  readonly folder: string;
  readonly minutes: number;
  readonly seed: number;
  readonly random: Random;
  readonly onEvent: (words: string) => void;
}

export interface SoakOutcome {
  readonly kills: number;
  readonly restarts: number;
  readonly pauses: number;
  readonly cancels: number;
  readonly jobs: {
    readonly added: number;
    readonly done: number;
    readonly cancelled: number;
    readonly refused: number;
    readonly reports: number;
  };
  /** Jobs that failed again and again, or had not ended when the patience did. */
  readonly unfinished: readonly string[];
  readonly problems: readonly string[];
  readonly requests: number;
  readonly faults: Readonly<Record<Fault, number>>;
  readonly bills: BillOutcome;
  /** Of the server that was left alone for the second half. */
  readonly memory: MemoryOutcome;
}

/** Every one there is. A call that hangs is given up after five minutes, so few do. */
const RATES: Readonly<Record<Fault, number>> = {
  ...{ "rate-limit": 0.02, overloaded: 0.01, "server-error": 0.02, drop: 0.02, "drop-midway": 0.01, hang: 0.002 },
  ...{ "malformed-body": 0.01, prose: 0.01, truncated: 0.01, "wrong-shape": 0.01, refusal: 0.01 },
};
const LOOK_MILLISECONDS = 1000;
/** The least and the most seconds between two ends of the server. */
const LIFE_SECONDS = [5, 45] as const;
const KILL_SHARE = 0.8;
/** Longer than a call that hangs. */
const DRAIN_MINUTES = 10;

/**
 * A server with jobs on a provider that does everything wrong. For the first half it is killed, now and then stopped in order,
 * and started again; for the second half it is left running, so that its memory can be watched. Then all jobs are finished.
 */
export async function soak({ folder, minutes, seed, random, onEvent }: SoakSettings): Promise<SoakOutcome> {
  const provider = await createSimulatedServer({ seed, latency: [100, 1500], faults: RATES, retryAfterSeconds: 0.2 });
  const judge = provider.judge("m");
  const bills = new Bills(join(folder, "fabula", "store.db"), provider.exchanges);
  const visitor = new Visitor(judge, random, () => bills.noteDisturbance("pause"));
  const memory = new Memory(folder);
  const words = ["--judges", judge, "--store", join(folder, "fabula", "store.db")];
  const serve = () => serveFabula(folder, words, memory.environment);
  const halfTime = Date.now() + minutes * 30_000;
  const end = Date.now() + minutes * 60_000;
  const ends = { SIGKILL: 0, SIGINT: 0 };
  let page = await serve();

  const liveUntil = async (moment: number, wants: { readonly more: boolean }, isOver = () => false) => {
    while (Date.now() < moment && !isOver()) {
      await memory.sample(page.pid);
      await visitor.visit(page, wants);
      await wait(LOOK_MILLISECONDS);
    }
  };
  try {
    while (Date.now() < halfTime) {
      const [least, most] = LIFE_SECONDS;
      await liveUntil(Date.now() + (least + random() * (most - least)) * 1000, { more: true });
      const signal = random() < KILL_SHARE ? "SIGKILL" : "SIGINT";
      await page.stop(signal);
      ends[signal] += 1;
      // What was already on its way to the provider arrives there.
      await wait(200);
      await bills.noteDisturbance(signal === "SIGKILL" ? "kill" : "pause");
      const left = await jobsOnDisk(join(folder, "fabula", "library", "jobs"));
      page = await serve();
      visitor.checkRestart(left, await page.json<Job[]>("/api/jobs"));
      onEvent(`${signal}: ${visitor.count("done")} of ${visitor.added} jobs done`);
    }
    await liveUntil(end, { more: true });
    const watched = await memory.outcome();
    onEvent(`finishing the last jobs; ${visitor.count("done")} of ${visitor.added} done`);
    await liveUntil(Date.now() + DRAIN_MINUTES * 60_000, { more: false }, () => visitor.isIdle);
    await page.stop("SIGINT");
    const { exchanges } = provider;
    const faults = FAULTS.map((name) => [name, exchanges.filter(({ fault }) => fault === name).length] as const);
    return {
      ...{ kills: ends.SIGKILL, restarts: ends.SIGINT, ...visitor.done, problems: visitor.problems, memory: watched },
      jobs: {
        ...{ added: visitor.added, done: visitor.count("done"), cancelled: visitor.count("cancelled") },
        ...{ refused: visitor.refused, reports: visitor.reports },
      },
      unfinished: visitor.unfinished,
      requests: exchanges.length,
      faults: Object.fromEntries(faults) as Record<Fault, number>,
      bills: await bills.settle(),
    };
  } finally {
    await page.stop("SIGKILL");
    await provider.close();
  }
}

async function jobsOnDisk(folder: string): Promise<Job[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith(".json"));
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(join(folder, name), "utf8")) as Job));
}

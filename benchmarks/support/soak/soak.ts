import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Job } from "../../../src/api/jobs.ts";
import type { Random } from "../../../src/core/random.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { createSimulatedServer, FAULTS, type Fault, type SimulatedExchange } from "../../../src/testing/index.ts";
import { serveFabula } from "../../../test/e2e/serve-fabula.ts";
import { Memory, type MemoryOutcome } from "./memory.ts";
import { Visitor } from "./visitor.ts";

interface BillOutcome {
  readonly answered: number;
  readonly stored: number;
  /** Answers that arrived whole and are not in the store, though their call was not under way at a kill or a pause. */
  readonly lost: number;
  /** Calls that were sent again though their answer was in the store. */
  readonly storedButAskedAgain: number;
  readonly billedTwice: {
    readonly atKill: number;
    /** A call whose first reply was unusable is begun again when it was stopped before its second. */
    readonly atPause: number;
    readonly otherwise: number;
  };
}

/** Compares what the provider answered with what the store holds, at every disturbance and at the end. */
class Bills {
  readonly #path: string;
  readonly #exchanges: readonly SimulatedExchange[];
  /** How many exchanges there had been when the answer to a call was first seen in the store. */
  readonly #stored = new Map<string, number>();
  readonly #underWay = { kill: new Set<string>(), pause: new Set<string>() };

  constructor(path: string, exchanges: readonly SimulatedExchange[]) {
    this.#path = path;
    this.#exchanges = exchanges;
  }

  /** What was asked and is not in the store may be asked again because of this. */
  async noteDisturbance(kind: "kill" | "pause"): Promise<void> {
    for (const key of await this.#notStored()) this.#underWay[kind].add(key);
  }

  async settle(): Promise<BillOutcome> {
    const missing = new Set(await this.#notStored());
    const { kill, pause } = this.#underWay;
    const answered = this.#exchanges.filter(({ outcome }) => outcome === "answered");
    const whole = new Set(answered.filter(({ fault }) => fault === null).flatMap(keyOf));
    const twice = billedTwice(answered);
    const billedAtKill = twice.filter((key) => kill.has(key));
    const billedAtPause = twice.filter((key) => !kill.has(key) && pause.has(key));
    return {
      answered: answered.length,
      stored: this.#stored.size,
      lost: [...whole].filter((key) => missing.has(key) && !kill.has(key) && !pause.has(key)).length,
      storedButAskedAgain: this.#exchanges.filter((exchange, position) =>
        keyOf(exchange).some((key) => position >= (this.#stored.get(key) ?? Number.POSITIVE_INFINITY)),
      ).length,
      billedTwice: {
        atKill: billedAtKill.length,
        atPause: billedAtPause.length,
        otherwise: twice.length - billedAtKill.length - billedAtPause.length,
      },
    };
  }

  async #notStored(): Promise<string[]> {
    const count = this.#exchanges.length;
    const open = new Set(this.#exchanges.flatMap(keyOf).filter((key) => !this.#stored.has(key)));
    const store = await openStore(this.#path);
    try {
      for (const key of open) {
        if (!(await store.findCall(key))) continue;
        this.#stored.set(key, count);
        open.delete(key);
      }
    } finally {
      await store.close();
    }
    return [...open];
  }
}

/** A reply that arrives broken is billed too, but that is the provider's doing. */
function billedTwice(answered: readonly SimulatedExchange[]): string[] {
  const bills = new Map<string, number>();
  for (const { idempotencyKey, fault } of answered) {
    if (fault === "malformed-body" || idempotencyKey === null) continue;
    bills.set(idempotencyKey, (bills.get(idempotencyKey) ?? 0) + 1);
  }
  return [...bills].filter(([, count]) => count > 1).map(([key]) => callOf(key));
}

function keyOf({ idempotencyKey }: SimulatedExchange): string[] {
  return idempotencyKey === null ? [] : [callOf(idempotencyKey)];
}

/** The key of a call without which of its attempts it was. */
function callOf(idempotencyKey: string): string {
  return idempotencyKey.split("-")[0]!;
}

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

import { execFileSync } from "node:child_process";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Libsql from "libsql";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ChargingProvider, chargeFor, countAnswered } from "../../test/support/charged-calls.ts";
import { hurriedClock } from "../../test/support/hurried-clock.ts";
import { seededRandom } from "../core/random.ts";
import type { ChatModel } from "../models/chat-model.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import { type Coordinate, singleProcessCoordination } from "./coordination.ts";
import { openRun } from "./open-run.ts";
import { summarise } from "./run-record.ts";
import type { RunnerEvent } from "./runner-event.ts";

/**
 * Fault injection for the money in a store that is a file, as SQLite tests itself: the same small run, in which first
 * the first statement to the driver fails, then the second, and so on to the last; in every way that a statement can
 * fail. At every change of the budget, the sum of what is spent and reserved is within the cap; afterwards the next
 * process resumes the run on a working disk.
 */
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-ledger-"));
});
afterEach(async () => {
  await rm(folder, { recursive: true, force: true });
});

/**
 * `unheard`: executed, but reported as failed. `gone`: this and all later statements fail, as on a disk that was
 * unplugged.
 */
const FAULTS = {
  full: { rawCode: 13, executes: false, lasts: false },
  busy: { rawCode: 5, executes: false, lasts: false },
  "failed by the disk": { rawCode: 10, executes: false, lasts: false },
  unheard: { rawCode: 10, executes: true, lasts: false },
  gone: { rawCode: 10, executes: false, lasts: true },
} as const;
type Fault = (typeof FAULTS)[keyof typeof FAULTS];

type Driver = InstanceType<typeof Libsql>;
type Execute = (...values: never[]) => unknown;

/** Counts the statements to the driver, and makes the one with a given number fail. */
class FaultyDriver {
  statements = 0;
  readonly #at: number;
  readonly #fault: Fault | null;
  readonly #original = { prepare: Libsql.prototype.prepare, exec: Libsql.prototype.exec };

  constructor(at = 0, fault: Fault | null = null) {
    this.#at = at;
    this.#fault = fault;
    const driver = this;
    const { prepare, exec } = this.#original;
    Libsql.prototype.exec = function (this: Driver, sql: string) {
      // SQLite itself rolls back a transaction that the disk refuses.
      if (sql === "ROLLBACK") return exec.call(this, sql) as typeof this;
      return driver.#execute(() => exec.call(this, sql)) as typeof this;
    };
    Libsql.prototype.prepare = function (this: Driver, sql: string) {
      const statement = prepare.call(this, sql);
      return new Proxy(statement, {
        get(target, name) {
          const found: unknown = Reflect.get(target, name, target);
          if (typeof found !== "function") return found;
          if (name !== "run" && name !== "get" && name !== "all") return found.bind(target);
          return (...values: never[]) => driver.#execute(() => (found as Execute).apply(target, values));
        },
      });
    } as typeof prepare;
  }

  restore(): void {
    Object.assign(Libsql.prototype, this.#original);
  }

  #execute<T>(execute: () => T): T {
    const number = ++this.statements;
    const fault = this.#fault;
    if (!fault || number < this.#at || (number > this.#at && !fault.lasts)) return execute();
    if (fault.executes) execute();
    throw Object.assign(new Error("made to fail"), { rawCode: fault.rawCode });
  }
}

const CALLS = 5;
const AT_A_TIME = 2;
const CAP = 0.0012;
const COST = chargeFor();

/** What a process's budget held when it exceeded its cap. */
const overspent: number[] = [];

/** The budget of a process, which is checked whenever it changes. */
function watchedBudget(alreadySpent: number): Coordinate {
  return ({ clock }) => {
    const { spending, ...others } = singleProcessCoordination({}, CAP, alreadySpent, clock);
    let reserved = 0;
    const check = () => {
      if (reserved + spending.spent > CAP * 1.000001) overspent.push(reserved + spending.spent);
    };
    return {
      ...others,
      spending: {
        maximum: spending.maximum,
        get spent() {
          return spending.spent;
        },
        async reserve(amount) {
          const reservation = await spending.reserve(amount);
          if (!reservation) return null;
          reserved += amount;
          check();
          return {
            settle(spent) {
              reserved -= amount;
              reservation.settle(spent);
              check();
            },
          };
        },
      },
    };
  };
}

interface Outcome {
  readonly run: string | null;
  readonly answered: number;
  readonly reasons: readonly string[];
  readonly problem: string | null;
}

/** One process that makes the calls of a run, or goes on with it. It may fail at any point, as a process does. */
async function work(
  path: string,
  model: ChatModel,
  resume: string | null,
  { words = 1, onFull = () => {} }: { readonly words?: number; readonly onFull?: () => void } = {},
): Promise<Outcome> {
  let run: string | null = null;
  let answered = 0;
  let store: Store | null = null;
  let problem: string | null = null;
  const reasons: string[] = [];
  try {
    store = await openStore(path);
    const before = resume === null ? 0 : (summarise(await store.totals(resume)).cost ?? 0);
    const opened = await openRun(
      { store: path, connections: {}, maximumCost: CAP, concurrency: AT_A_TIME, ...(resume !== null && { resume }) },
      {
        signal: new AbortController().signal,
        clock: hurriedClock,
        random: seededRandom(2),
        store,
        coordinate: watchedBudget(before),
        onOpened: (id) => {
          run = id;
        },
        onEvent: (event: RunnerEvent) => {
          if (event.kind === "failed") reasons.push(event.reason);
          if (event.kind === "waits-for-store" && event.problem === "full") onFull();
        },
      },
    );
    try {
      const questions = Array.from({ length: CALLS }, (_, index) => `${"word ".repeat(words)}${index}`);
      answered = await countAnswered(opened.durable(model), questions);
    } finally {
      await opened.finish();
    }
  } catch (error) {
    // The ledger must account for the money.
    problem = error instanceof Error ? error.message : String(error);
  }
  await store?.close().catch(() => {});
  return { run, answered, reasons, problem };
}

async function ledgerOf(path: string, run: string) {
  const store = await openStore(path);
  const calls = await store.runCalls(run, { after: 0, limit: 100 });
  const counted = summarise(await store.totals(run)).cost ?? 0;
  await store.close();
  return {
    counted,
    stored: calls.filter(({ answer }) => answer !== null).length,
    unexplained: calls.filter(({ outcome, reason }) => outcome === "failed" && reason === null).length,
  };
}

/** The process of the run has ended, whether or not it could record that. */
async function leave(path: string, run: string): Promise<void> {
  const store = await openStore(path);
  await store.updateRun(run, { status: "failed" });
  await store.close();
}

async function swept(fault: Fault, check: (at: string, found: Awaited<ReturnType<typeof sweptOnce>>) => void) {
  const counting = new FaultyDriver();
  await work(join(folder, "counting.db"), new ChargingProvider().model, null);
  counting.restore();
  expect(counting.statements).toBeGreaterThan(30);
  overspent.length = 0;
  for (let at = 1; at <= counting.statements; at++)
    check(`statement ${at} of ${counting.statements}`, await sweptOnce(join(folder, `${at}.db`), at, fault));
  expect(overspent).toEqual([]);
}

async function sweptOnce(path: string, at: number, fault: Fault) {
  const provider = new ChargingProvider();
  const driver = new FaultyDriver(at, fault);
  const first = await work(path, provider.model, null);
  driver.restore();
  const billedFirst = provider.billed;
  const before = first.run === null ? null : await ledgerOf(path, first.run).catch(() => null);
  if (before !== null) await leave(path, first.run!);
  const second = await work(path, provider.model, before === null ? null : first.run);
  if (second.run === null) throw new Error(`the next process did not start: ${second.problem}`);
  const after = await ledgerOf(path, second.run);
  return { first, second, billedFirst, billed: provider.billed, replies: provider.replies, before, after };
}

it.each(["full", "busy"] as const)(
  "whichever statement finds the store %s for a moment, every paid call is stored and counted once",
  async (name) => {
    await swept(FAULTS[name], (at, { second, billed, billedFirst, before, after, replies }) => {
      if (before === null) expect(billedFirst, at).toBe(0);
      expect(before?.counted ?? 0, at).toBeCloseTo(billedFirst, 9);
      expect(before?.unexplained ?? 0, at).toBe(0);
      expect([second.answered, replies, after.stored], at).toEqual([CALLS, CALLS, CALLS]);
      expect(after.counted, at).toBeCloseTo(billed, 9);
    });
  },
  120_000,
);

it("whichever statement the disk fails, a paid call is stored, or counted as lost with its reason", async () => {
  await swept(FAULTS["failed by the disk"], (at, { first, second, billed, billedFirst, before, after }) => {
    if (before === null) expect(billedFirst, at).toBe(0);
    expect(before?.counted ?? 0, at).toBeCloseTo(billedFirst, 9);
    expect([before?.unexplained ?? 0, after.unexplained], at).toEqual([0, 0]);
    const lost = Math.round(billedFirst / COST) - (before?.stored ?? 0);
    expect(first.reasons.filter((reason) => reason.startsWith("paid for, and the answer was lost")).length, at).toBe(
      lost,
    );
    expect([second.answered, after.stored], at).toEqual([CALLS, CALLS]);
    expect(after.counted, at).toBeCloseTo(billed, 9);
  });
}, 120_000);

it("whichever statement is executed and reported as failed, nothing that was paid for is forgotten", async () => {
  await swept(FAULTS.unheard, (at, { second, billed, billedFirst, before, after }) => {
    if (before === null) expect(billedFirst, at).toBe(0);
    expect(before?.counted ?? 0, at).toBeGreaterThanOrEqual(billedFirst - 1e-9);
    expect([second.answered, after.stored], at).toEqual([CALLS, CALLS]);
    expect(after.counted, at).toBeGreaterThanOrEqual(billed - 1e-9);
  });
}, 120_000);

it("whenever the disk is gone for good, no more is lost than what was on its way, and the next process keeps to the cap", async () => {
  await swept(FAULTS.gone, (at, { second, billed, billedFirst, before, after, replies }) => {
    if (before === null) expect(billedFirst, at).toBe(0);
    // Nothing can be written any more, so what could not be stored cannot be counted either.
    expect(billedFirst - (before?.counted ?? 0), at).toBeLessThanOrEqual(AT_A_TIME * COST + 1e-9);
    expect([second.answered, after.stored], at).toEqual([CALLS, CALLS]);
    expect(replies, at).toBeLessThanOrEqual(CALLS + AT_A_TIME);
    expect(billed - after.counted, at).toBeLessThanOrEqual(AT_A_TIME * COST + 1e-9);
  });
}, 120_000);

it("whichever reply breaks off after it was charged, the charge is counted with the call that was asked again", async () => {
  overspent.length = 0;
  for (let reply = 1; reply <= CALLS; reply++) {
    const path = join(folder, `reply-${reply}.db`);
    const provider = new ChargingProvider({ brokenReply: reply });
    const { run, answered } = await work(path, provider.model, null);
    const { counted, stored, unexplained } = await ledgerOf(path, run!);
    expect([answered, provider.replies, stored, unexplained], `reply ${reply}`).toEqual([CALLS, CALLS + 1, CALLS, 0]);
    // A reply without its usage counts as what was set aside for it.
    expect(counted, `reply ${reply}`).toBeGreaterThanOrEqual(provider.billed - 1e-9);
  }
  expect(overspent).toEqual([]);
});

/** A disk of its own, which only root can make. */
function mountDisk(path: string): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", path], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

it("on a disk that is full, sends nothing more until there is room, and stores every paid call once", async ({
  skip,
}) => {
  if (!mountDisk(folder)) {
    expect(process.env.CI, "CI must be able to mount a small disk").toBeUndefined();
    return skip("a small disk cannot be mounted here");
  }
  try {
    const path = join(folder, "store.db");
    await (await openStore(path)).close();
    const other = join(folder, "other");
    const { bavail, bsize } = statfsSync(folder);
    writeFileSync(other, Buffer.alloc(bavail * bsize - 40 * 1024));
    const provider = new ChargingProvider({ inputTokens: 500 });
    const sentWhenFull: number[] = [];
    const { run, answered, reasons } = await work(path, provider.model, null, {
      words: 400,
      onFull: () => {
        sentWhenFull.push(provider.replies);
        rmSync(other);
      },
    });
    expect(sentWhenFull).toEqual([expect.toSatisfy((sent) => sent < CALLS)]);
    expect([answered, provider.replies, reasons]).toEqual([CALLS, CALLS, []]);
    const ledger = await ledgerOf(path, run!);
    expect([ledger.stored, ledger.unexplained]).toEqual([CALLS, 0]);
    expect(ledger.counted).toBeCloseTo(provider.billed, 9);
  } finally {
    // The driver may keep the file open until it is garbage-collected.
    execFileSync("umount", ["--lazy", folder]);
  }
});

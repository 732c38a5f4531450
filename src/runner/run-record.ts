import { hostname } from "node:os";
import type { Clock } from "../core/clock.ts";
import { addCosts, type Cost, costOfCalls, NO_COST } from "../core/cost.ts";
import { FabulaError } from "../core/errors.ts";
import { isProcessRunning } from "../core/files.ts";
import type { Random } from "../core/random.ts";
import { countOf } from "../core/wording.ts";
import { isCovered } from "../models/judge-name.ts";
import { sum } from "../stats/distribution.ts";
import type { StoredRun, UseTotal } from "../store/records.ts";
import type { Store } from "../store/store.ts";

const LETTERS = "abcdefghjkmnpqrstuvwxyz23456789";
/** A running process sends heartbeats more often than this. */
export const HEARTBEAT_TIMEOUT_MILLISECONDS = 15_000;

export async function newRun(
  store: Store,
  { command = [], folder = "", maximumCost }: { command?: readonly string[]; folder?: string; maximumCost?: number },
  clock: Clock,
  random: Random,
): Promise<StoredRun> {
  const now = clock.now();
  let id = runId(now, random);
  while (await store.findRun(id)) id = runId(now, random);
  const run: StoredRun = {
    id,
    command: [...command],
    folder,
    status: "running",
    note: null,
    maximumCost: maximumCost ?? null,
    startedAt: now.toISOString(),
    worker: thisWorker(),
    seenAt: now.toISOString(),
    finishedAt: null,
  };
  await store.createRun(run);
  return run;
}

export async function findRun(store: Store, id: string): Promise<StoredRun> {
  const run = await store.findRun(id);
  if (!run) throw new FabulaError("E_RUN_UNKNOWN", `There is no run "${id}": \`fabula runs list\` shows them.`);
  return run;
}

/** A cap is for the whole run, so it cannot be kept if the cost of earlier calls is unknown. */
export async function requireKnownCost(store: Store, id: string): Promise<void> {
  const { unpricedCalls } = summarise(await store.totals(id));
  if (unpricedCalls === 0) return;
  throw new FabulaError(
    "E_PRICE_UNKNOWN",
    `The price of ${countOf(unpricedCalls, "earlier call")} of the run ${id} is not known, so --max-cost cannot hold for it: resume it without --max-cost, or run the original command again with it; stored answers are reused.`,
  );
}

export async function continueRun(
  store: Store,
  id: string,
  maximumCost: number | undefined,
  clock: Clock,
): Promise<StoredRun> {
  const run = await untilItsProcessEnds(store, id, clock);
  if ((maximumCost ?? run.maximumCost) !== null) await requireKnownCost(store, id);
  const changes = {
    status: "running" as const,
    note: null,
    finishedAt: null,
    worker: thisWorker(),
    seenAt: clock.now().toISOString(),
    maximumCost: maximumCost ?? run.maximumCost,
  };
  await store.updateRun(id, changes);
  return { ...run, ...changes };
}

/** A child process of a killed server ends a moment after it, so a run counts as running only if it stays so. */
async function untilItsProcessEnds(store: Store, id: string, clock: Clock): Promise<StoredRun> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const run = await findRun(store, id);
    if (!isActiveRun(run, clock.now())) return run;
    await clock.sleep(MILLISECONDS_BETWEEN_LOOKS);
  }
  throw new FabulaError("E_RUN_BUSY", `The run ${id} is still running: wait until it ends, or stop it first.`);
}

const MOST_LOOKS = 50;
const MILLISECONDS_BETWEEN_LOOKS = 100;

/**
 * Whether a run is active. If its status is "running" but it has no recent heartbeat, or its process no longer exists
 * on this machine, it was killed.
 */
export function isActiveRun(run: StoredRun, now: Date): boolean {
  if (run.status !== "running" || now.getTime() - Date.parse(run.seenAt) > HEARTBEAT_TIMEOUT_MILLISECONDS) return false;
  const [host, pid] = run.worker.split(":");
  return host !== hostname() || isProcessRunning(Number(pid));
}

function thisWorker(): string {
  return `${hostname()}:${process.pid}`;
}

/** Sorts by time and can be read out loud. */
function runId(now: Date, random: Random): string {
  const stamp = now.toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const tail = Array.from({ length: 4 }, () => LETTERS[Math.floor(random() * LETTERS.length)]).join("");
  return `${stamp}-${tail}`;
}

interface Share extends Cost {
  readonly calls: number;
  readonly unpricedCalls: number;
}

/** What a run did and cost, in total and by purpose of the calls. */
export interface RunSummary extends Cost {
  readonly calls: number;
  readonly asked: number;
  readonly cached: number;
  readonly failed: number;
  readonly unpricedCalls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly byPurpose: Readonly<Record<string, Share>>;
  readonly byModel: Readonly<Record<string, Share>>;
}

/**
 * The store counts calls without a price; which of them are covered depends on their model. An answer from the store
 * was covered too, unless the user has given the model a price.
 */
export function summarise(stored: readonly UseTotal[]): RunSummary {
  const priced = new Set(stored.filter(({ cost }) => (cost ?? 0) > 0).map(({ model }) => model));
  const totals = stored.map((use) => {
    if (!isCovered(use.model)) return use;
    return { ...use, ...costOfCalls(use.cost ?? 0, 0, priced.has(use.model) ? use.unpricedCalls : use.calls) };
  });
  const total = (pick: (use: UseTotal) => number, of = totals) => sum(of.map(pick));
  const outcome = (kind: UseTotal["outcome"]) =>
    total(
      ({ calls }) => calls,
      totals.filter((use) => use.outcome === kind),
    );
  const asked = totals.filter((use) => use.outcome === "asked");
  return {
    calls: total(({ calls }) => calls),
    asked: outcome("asked"),
    cached: outcome("cached"),
    failed: outcome("failed"),
    ...addCosts(totals),
    inputTokens: total(({ inputTokens }) => inputTokens, asked),
    outputTokens: total(({ outputTokens }) => outputTokens, asked),
    byPurpose: sharesBy(totals, ({ purpose }) => purpose),
    byModel: sharesBy(totals, ({ model }) => model),
  };
}

function sharesBy(totals: readonly UseTotal[], name: (total: UseTotal) => string): Record<string, Share> {
  const shares: Record<string, Share> = {};
  for (const total of totals) {
    const before = shares[name(total)] ?? { ...NO_COST, calls: 0 };
    shares[name(total)] = { calls: before.calls + total.calls, ...addCosts([before, total]) };
  }
  return shares;
}

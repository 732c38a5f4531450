import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Random, randomInteger } from "../../src/core/random.ts";
import { openStore } from "../../src/store/open-store.ts";
import { createSimulatedServer, type SimulatedServer } from "../../src/testing/index.ts";
import { resultOf, startChild } from "./child.ts";
import type { DurableRunResult, DurableRunSettings } from "./durable-run.ts";

export interface KillTrial {
  readonly folder: string;
  readonly calls: number;
  readonly words: number;
  readonly concurrency: number;
  /** The least and the most: answers come in all the time, so that a kill always interrupts some. */
  readonly latency: readonly [number, number];
  readonly kills: number;
  /** Whether the server answers a repeated idempotency key without a second bill. */
  readonly idempotent: boolean;
  readonly random: Random;
}

export interface KillOutcome {
  readonly undisturbed: DurableRunResult;
  readonly disturbed: DurableRunResult;
  readonly kills: number;
  /** Answers that the killed processes had stored among them. */
  readonly storedByTheKilled: number;
  /** Calls whose answer was in the store when the process was killed, and were asked again all the same. */
  readonly storedButAskedAgain: number;
  /** Calls billed twice: their answer was on its way, or not yet committed, when the process was killed. */
  readonly billedTwice: number;
}

/** After so many answers of a random number, and a random moment later: while others are arriving. */
const KILL_WITHIN_MILLISECONDS = 20;

/** Runs once without disturbance, then again in another store with a `kill -9` at random moments, each followed by a resume. */
export async function killAndResume(trial: KillTrial): Promise<KillOutcome> {
  const { latency, idempotent } = trial;
  const quiet = await createSimulatedServer({ latency });
  const undisturbed = await resultOf<DurableRunResult>(start(trial, quiet, "undisturbed.db"));
  await quiet.close();

  const server = await createSimulatedServer({ latency, idempotent });
  try {
    let resume: string | undefined;
    let storedButAskedAgain = 0;
    let kills = 0;
    for (; kills < trial.kills; kills++) {
      const before = server.exchanges.length;
      const stored = resume === undefined ? new Set<string>() : await storedKeys(trial, resume);
      const child = start(trial, server, "disturbed.db", resume);
      const ended = once(child, "exit");
      const answers = answered(server) + randomInteger(trial.random, Math.ceil((1.5 * trial.calls) / trial.kills));
      while (child.exitCode === null && answered(server) < answers) await wait(1);
      await wait(trial.random() * KILL_WITHIN_MILLISECONDS);
      child.kill("SIGKILL");
      await ended;
      storedButAskedAgain += askedAgain(server, before, stored);
      resume = await latestRun(trial);
    }
    const stored = resume === undefined ? new Set<string>() : await storedKeys(trial, resume);
    const before = server.exchanges.length;
    const disturbed = await resultOf<DurableRunResult>(start(trial, server, "disturbed.db", resume));
    storedButAskedAgain += askedAgain(server, before, stored);
    const storedByTheKilled = stored.size;
    return {
      undisturbed,
      disturbed,
      kills,
      storedByTheKilled,
      storedButAskedAgain,
      billedTwice: billedTwice(server),
    };
  } finally {
    await server.close();
  }
}

function answered({ exchanges }: SimulatedServer): number {
  return exchanges.filter(({ outcome }) => outcome === "answered" || outcome === "repeated").length;
}

function start(trial: KillTrial, { url }: SimulatedServer, file: string, resume?: string) {
  const { calls, words, concurrency, folder } = trial;
  const settings: DurableRunSettings = {
    url,
    store: join(folder, file),
    calls,
    words,
    concurrency,
    ...(resume ? { resume } : {}),
  };
  return startChild("./durable-run.ts", JSON.stringify(settings));
}

async function latestRun({ folder }: KillTrial): Promise<string | undefined> {
  const store = await openStore(join(folder, "disturbed.db"));
  const [run] = await store.listRuns({}, { limit: 1, after: null });
  await store.close();
  return run?.id;
}

async function storedKeys({ folder, calls }: KillTrial, run: string): Promise<Set<string>> {
  const store = await openStore(join(folder, "disturbed.db"));
  const answered = await store.runCalls(run, { limit: calls, after: null });
  await store.close();
  return new Set(answered.filter(({ answer }) => answer !== null).map(({ key }) => key));
}

function askedAgain({ exchanges }: SimulatedServer, from: number, stored: ReadonlySet<string>): number {
  return exchanges.slice(from).filter(({ idempotencyKey }) => stored.has(idempotencyKey?.split("-")[0] ?? "")).length;
}

function billedTwice({ exchanges }: SimulatedServer): number {
  const bills = new Map<string, number>();
  for (const { idempotencyKey, outcome } of exchanges) {
    if (outcome === "answered" && idempotencyKey) bills.set(idempotencyKey, (bills.get(idempotencyKey) ?? 0) + 1);
  }
  return [...bills.values()].reduce((sum, count) => sum + count - 1, 0);
}

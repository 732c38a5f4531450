import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { type Random, randomInteger } from "../../src/core/random.ts";
import { Database } from "../../src/store/postgres/database.ts";
import { createSimulatedServer, type SimulatedExchange, type SimulatedServer } from "../../src/testing/index.ts";
import { spawnFabula } from "../../test/e2e/run-fabula.ts";
import type { TestPostgres } from "../../test/support/postgres.ts";
import { startWorker, type WorkerProcess } from "../../test/support/worker-process.ts";
import { peakUnderWay } from "./arrivals.ts";
import { answering, madeQuestions } from "./made-library.ts";

export interface ChaosTrial {
  readonly folder: string;
  readonly postgres: TestPostgres;
  readonly calls: number;
  readonly events: number;
  readonly workers: number;
  readonly concurrency: number;
  readonly latency: readonly [number, number];
  /** US dollars; the price is so that a call costs about a thousandth of one. */
  readonly maximumCost: number;
  readonly random: Random;
  readonly onEvent?: (words: string) => void;
}

export interface ChaosOutcome {
  readonly code: number | null;
  readonly stderr: string;
  readonly seconds: number;
  readonly events: Readonly<Record<ChaosEvent, number>>;
  /** Whether the report is byte for byte the one of a run that nothing happened to. */
  readonly isIdentical: boolean;
  /** Answers in the store, and uses of them by the run, each of which should be there once. */
  readonly answers: number;
  readonly uses: number;
  /** Calls that were billed more than once without a fault of the provider… */
  readonly billedTwice: number;
  /**
   * …and of those, the ones not under way when a worker was killed, or when the database was away so long that the others gave a
   * worker up.
   */
  readonly billedTwiceForNoReason: number;
  readonly billed: number;
  readonly mostUnderWay: number;
  /** The logs of workers that stopped without being killed. */
  readonly gaveUp: readonly string[];
}

type ChaosEvent = "kill" | "restart" | "crash" | "drop";

/** Something that was done to the run, and when, in milliseconds since 1970. */
interface Disturbance {
  readonly kind: ChaosEvent;
  readonly from: number;
  readonly to: number;
}

/** Faults of the provider that cost a retry and change no answer. */
export const FAULTS = {
  "rate-limit": 0.01,
  overloaded: 0.01,
  "server-error": 0.02,
  drop: 0.01,
  "malformed-body": 0.005,
};
export const PRICE = { input: 1, output: 4 };

/**
 * A run on a shared store while workers are killed, the database is restarted and its connections are dropped, each after a
 * random number of answers, with a provider that fails now and then; then the same work undisturbed in one process.
 */
export async function chaos(trial: ChaosTrial): Promise<ChaosOutcome> {
  const { folder, postgres, latency, calls, concurrency, maximumCost } = trial;
  await writeFile(join(folder, "questions.jsonl"), madeQuestions(calls));
  const store = await postgres.freshDatabase();
  const server = await createSimulatedServer({ latency, faults: FAULTS, seed: 7 });
  const prices = join(folder, "prices.yaml");
  const judge = server.judge("m");
  await writeFile(prices, `date: 2026-01-01\nmodels:\n  "${judge}": ${JSON.stringify(PRICE)}\n`);
  const words = (out: string, more: string[]) => [...answering(out, judge), "--prices", prices, ...more];
  await noteWrites(store);
  const crew = new Crew(store, trial.workers);
  const started = Date.now();
  let isOver = false;
  const running = spawnFabula(
    words("shared.jsonl", ["--concurrency", String(concurrency), "--max-cost", String(maximumCost)]),
    { folder, environment: { FABULA_STORE: store } },
  ).finally(() => {
    isOver = true;
  });
  const events = await disturb(trial, server, crew, store, () => isOver);
  const { code, stderr } = await running;
  const seconds = (Date.now() - started) / 1000;
  await crew.end();
  const { answers, uses } = await counts(store);
  const firstWrites = await firstWritesOf(store);
  const exchanges = [...server.exchanges];
  await server.close();
  const isIdentical = await isAsUndisturbed(trial, words, server, prices);
  const twice = billedTwice(exchanges);
  const excuses = events.filter(({ kind }) => kind === "kill" || (crew.gaveUp.length > 0 && isRestart(kind)));
  const isExcused = (key: string) => {
    const firstAsked = exchanges.find(({ idempotencyKey }) => idempotencyKey === key)!.at;
    const firstWritten = firstWrites.get(keyOf(key)) ?? Number.POSITIVE_INFINITY;
    return excuses.some(({ from, to }) => firstAsked <= to && firstWritten >= from);
  };
  return {
    code,
    stderr,
    seconds,
    events: counted(events),
    isIdentical,
    answers,
    uses,
    billedTwice: twice.length,
    billedTwiceForNoReason: twice.filter((key) => !isExcused(key)).length,
    billed: exchanges.reduce((sum, { billed }) => sum + (billed ? cost(billed) : 0), 0),
    mostUnderWay: peakUnderWay(exchanges),
    gaveUp: crew.gaveUp,
  };
}

/** Workers that are started again when they end, as whoever runs them would. */
class Crew {
  readonly #store: string;
  readonly #members: WorkerProcess[] = [];
  readonly #logs: WorkerProcess["log"][] = [];
  #isEnding = false;

  constructor(store: string, size: number) {
    this.#store = store;
    for (let place = 0; place < size; place++) this.#start(place);
  }

  #start(place: number): void {
    const worker = startWorker(this.#store);
    this.#members[place] = worker;
    this.#logs.push(worker.log);
    void worker.ended.then(() => {
      if (!this.#isEnding) this.#start(place);
    });
  }

  /** The logs of workers that stopped by themselves: no worker is ever asked to stop here. */
  get gaveUp(): string[] {
    const stopped = this.#logs.filter((log) => log.some(({ event }) => event === "draining"));
    return stopped.map((log) => log.map((line) => JSON.stringify(line)).join("\n"));
  }

  /** One that is at work, if any. */
  async kill(random: Random): Promise<boolean> {
    const ready = this.#members.filter(({ log }) => log.some(({ event }) => event === "ready"));
    const victim = ready[randomInteger(random, Math.max(1, ready.length))];
    if (!victim) return false;
    victim.child.kill("SIGKILL");
    await victim.ended;
    return true;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    for (const { child } of this.#members) child.kill("SIGKILL");
    await Promise.all(this.#members.map(({ ended }) => ended));
  }
}

async function disturb(
  { calls, events: wanted, postgres, random, onEvent }: ChaosTrial,
  server: SimulatedServer,
  crew: Crew,
  store: string,
  isOver: () => boolean,
): Promise<Disturbance[]> {
  const events: Disturbance[] = [];
  for (let number = 0; number < wanted; number++) {
    const due = Math.floor(((number + random()) * calls) / (wanted + 1));
    while (!isOver() && answered(server.exchanges) < due) await wait(10);
    if (isOver()) break;
    const kind = chosen(random);
    const from = Date.now();
    if (kind === "kill") {
      if (!(await crew.kill(random))) {
        number -= 1;
        await wait(500);
        continue;
      }
    } else if (isRestart(kind)) await postgres.restart(kind === "crash" ? "crash" : "fast");
    else await dropConnections(store);
    events.push({ kind, from, to: Date.now() });
    onEvent?.(`${kind} after ${answered(server.exchanges)} answers`);
  }
  return events;
}

function isRestart(kind: ChaosEvent): boolean {
  return kind === "restart" || kind === "crash";
}

function counted(events: readonly Disturbance[]): Record<ChaosEvent, number> {
  const count = (wanted: ChaosEvent) => events.filter(({ kind }) => kind === wanted).length;
  return { kill: count("kill"), restart: count("restart"), crash: count("crash"), drop: count("drop") };
}

function chosen(random: Random): ChaosEvent {
  const draw = random();
  if (draw < 0.5) return "kill";
  if (draw < 0.75) return "drop";
  return draw < 0.88 ? "restart" : "crash";
}

export function answered(exchanges: readonly SimulatedExchange[]): number {
  return exchanges.filter(({ outcome }) => outcome === "answered").length;
}

/**
 * Has the database write down when each answer was first stored: an answer that is stored again keeps no trace of the first time, and
 * whoever asks at the moment of a kill asks too late when the machine is slow.
 */
export async function noteWrites(store: string): Promise<void> {
  const database = new Database(store);
  await database.open();
  await database.close();
  await ask(
    store,
    `CREATE TABLE public.writes (key TEXT, at TIMESTAMPTZ DEFAULT clock_timestamp());
     CREATE FUNCTION public.note_write() RETURNS TRIGGER LANGUAGE plpgsql AS $$
       BEGIN INSERT INTO public.writes (key) VALUES (new.key); RETURN NULL; END
     $$;
     CREATE TRIGGER note_write AFTER INSERT ON fabula.calls FOR EACH ROW EXECUTE FUNCTION public.note_write()`,
  );
}

export async function firstWritesOf(store: string): Promise<Map<string, number>> {
  const rows = await ask(store, "SELECT key, at FROM public.writes");
  return new Map(rows.map(({ key, at }) => [key as string, (at as Date).getTime()]));
}

export async function dropConnections(store: string): Promise<void> {
  await ask(
    store,
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
}

async function counts(store: string): Promise<{ answers: number; uses: number }> {
  const [row] = await ask(
    store,
    "SELECT (SELECT count(*) FROM fabula.calls)::int AS answers, (SELECT count(*) FROM fabula.uses WHERE outcome = 'asked')::int AS uses",
  );
  return row as unknown as { answers: number; uses: number };
}

export async function ask(store: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: store });
  await client.connect();
  try {
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end();
  }
}

/** The key of a call without which of its attempts it was. */
export function keyOf(idempotencyKey: string): string {
  return idempotencyKey.split("-")[0]!;
}

/** A reply that arrives broken is billed too, but that is the provider's doing. */
export function billedTwice(exchanges: readonly SimulatedExchange[]): string[] {
  const bills = new Map<string, number>();
  for (const { idempotencyKey, outcome, fault } of exchanges) {
    if (outcome === "answered" && fault === null && idempotencyKey) {
      bills.set(idempotencyKey, (bills.get(idempotencyKey) ?? 0) + 1);
    }
  }
  return [...bills].filter(([, count]) => count > 1).map(([key]) => key);
}

export function cost({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }): number {
  return (inputTokens * PRICE.input + outputTokens * PRICE.output) / 1e6;
}

async function isAsUndisturbed(
  { folder }: ChaosTrial,
  words: (out: string, more: string[]) => string[],
  { url }: SimulatedServer,
  prices: string,
): Promise<boolean> {
  const quiet = await createSimulatedServer({ port: Number(new URL(url).port), seed: 7 });
  try {
    const alone = await spawnFabula(words("alone.jsonl", ["--concurrency", "50"]), {
      folder,
      environment: { FABULA_STORE: join(folder, "alone.db"), FABULA_PRICES: prices },
    });
    if (alone.code !== 0) throw new Error(alone.stderr);
    const [one, other] = await Promise.all(
      ["shared.jsonl", "alone.jsonl"].map((file) => readFile(join(folder, file), "utf8").catch(() => file)),
    );
    return one === other;
  } finally {
    await quiet.close();
  }
}

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeTemporaryFolder } from "../../core/files/temporary-folder.ts";
import type { ModelConnections } from "../../models/connection.ts";
import { createChatModel, modelIdentity } from "../../models/create-chat-model.ts";
import { redact } from "../../models/redact.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import type { RunnerEvent } from "../../runner/runner-event.ts";
import { Membership } from "../../runner/shared/membership.ts";
import { SharedCoordination } from "../../runner/shared/shared-coordination.ts";
import { Database } from "../../store/postgres/database.ts";
import { postgresStore } from "../../store/postgres/postgres-store.ts";
import type { Store } from "../../store/store.ts";
import type { JobDocument } from "./jobs/job.ts";
import { performPiece } from "./jobs/registry.ts";
import {
  type Claimant,
  claimPiece,
  countUnfinished,
  endPiece,
  notOpen,
  type PieceName,
  queueState,
  recoverPieces,
  releasePiece,
  type StartedPiece,
} from "./pieces.ts";
import { queueVersion } from "./queue-version.ts";
import { logEntryFor, type WorkerListener } from "./worker-events.ts";

/** Counters of one worker, in the text format that Prometheus reads. */
export class WorkerMetrics {
  readonly #counters = new Map<string, number>();

  count(name: string, labels: Readonly<Record<string, string>> = {}, amount = 1): void {
    const key = series(name, labels);
    this.#counters.set(key, (this.#counters.get(key) ?? 0) + amount);
  }

  /** For a counter that is kept elsewhere. */
  set(name: string, labels: Readonly<Record<string, string>>, value: number): void {
    this.#counters.set(series(name, labels), value);
  }

  note(event: RunnerEvent): void {
    switch (event.kind) {
      case "answered":
        this.count("fabula_calls_total", { outcome: "answered", model: event.model });
        if (event.cost === null) this.count("fabula_unpriced_calls_total", { model: event.model });
        else this.count("fabula_cost_dollars_total", { model: event.model }, event.cost);
        return;
      case "cached":
      case "failed":
      case "retried":
        this.count("fabula_calls_total", { outcome: event.kind, model: event.model });
        return;
      default:
        return;
    }
  }

  /** With the gauges of this moment. */
  text(gauges: readonly Gauge[]): string {
    const lines = [...this.#counters].map(([key, value]) => `${key} ${value}`);
    const names = new Set(lines.map((line) => line.split(/[{ ]/)[0]!));
    const counters = [...names].flatMap((name) => [
      `# TYPE ${name} counter`,
      ...lines.filter((line) => line.split(/[{ ]/)[0] === name).sort(),
    ]);
    const gaugeNames = [...new Set(gauges.map(({ name }) => name))];
    const measured = gaugeNames.flatMap((name) => [
      `# TYPE ${name} gauge`,
      ...gauges.filter((gauge) => gauge.name === name).map(({ labels, value }) => `${series(name, labels)} ${value}`),
    ]);
    return `${[...counters, ...measured].join("\n")}\n`;
  }
}

interface Gauge {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

function series(name: string, labels: Readonly<Record<string, string>>): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}="${escaped(value)}"`);
  return pairs.length === 0 ? name : `${name}{${pairs.join(",")}}`;
}

function escaped(value: string): string {
  return value.replace(/\\/g, "\\\\").replace(/"/g, '\\"').replace(/\n/g, "\\n");
}

interface PieceRunnerContext {
  readonly location: string;
  readonly connections: ModelConnections;
  readonly log: WorkerListener;
  readonly database: Database;
  readonly store: Store;
  readonly shared: SharedCoordination;
  readonly metrics: WorkerMetrics;
  readonly worker: string;
  readonly endBecause: (error: FabulaError) => void;
}

/** Does the pieces that a worker has taken, several at a time. */
class PieceRunner {
  readonly #context: PieceRunnerContext;
  readonly #pieces = new Map<StartedPiece, AbortController>();

  constructor(context: PieceRunnerContext) {
    this.#context = context;
  }

  get underWay(): readonly PieceName[] {
    return [...this.#pieces.keys()];
  }

  /** A piece that was begun before is done alone: if it ends this worker, no other piece is suspected. */
  get hasRoom(): boolean {
    return this.#pieces.size < PIECES_AT_A_TIME && ![...this.#pieces.keys()].some(({ attempts }) => attempts > 1);
  }

  /** Calls already sent are finished and stored; unfinished pieces are released. */
  stop(): void {
    for (const abort of this.#pieces.values()) abort.abort(new FabulaError("E_INTERRUPTED", "The worker is stopping."));
  }

  async leaveClosedRuns(): Promise<void> {
    if (this.#pieces.size === 0) return;
    const left = await notOpen(this.#context.database, [...new Set(this.underWay.map(({ run }) => run))]);
    for (const [{ run }, abort] of this.#pieces) {
      if (left.has(run)) abort.abort(new FabulaError("E_INTERRUPTED", "The run was paused."));
    }
  }

  /** Never fails: a piece that fails is written down as failed, and a lost store ends the worker. */
  async perform(piece: StartedPiece): Promise<void> {
    const { log } = this.#context;
    const abort = new AbortController();
    this.#pieces.set(piece, abort);
    try {
      await this.#do(piece, abort.signal);
    } catch (error) {
      // The store is unreachable: the piece cannot be updated, so another worker will recover it.
      const message = redact(error instanceof Error ? error.message : String(error));
      log({ level: "error", event: "lost", run: piece.run, piece: piece.position, detail: message });
      this.#context.endBecause(
        new FabulaError("E_WORKER_STORE", `The worker cannot continue: ${message}`, { cause: error }),
      );
    } finally {
      this.#pieces.delete(piece);
    }
  }

  async #do(piece: StartedPiece, signal: AbortSignal): Promise<void> {
    const { database, worker, log, metrics, endBecause } = this.#context;
    const about = { run: piece.run, piece: piece.position, label: piece.label };
    const began = performance.now();
    try {
      await this.#refuseUnsuited(piece.job);
    } catch (error) {
      await releasePiece(database, piece, worker);
      endBecause(asFabulaError(error));
      return;
    }
    try {
      const outcome = await this.#inFolder(piece, signal);
      await endPiece(database, piece, worker, outcome);
      metrics.count("fabula_pieces_total", { outcome: "done" });
      log({ level: "info", event: "done", ...about, milliseconds: Math.round(performance.now() - began) });
    } catch (error) {
      if (error instanceof FabulaError && error.code === "E_STORE_LOST") throw error;
      const detail = redact(error instanceof Error ? error.message : String(error));
      if (signal.aborted) {
        await releasePiece(database, piece, worker);
        metrics.count("fabula_pieces_total", { outcome: "given back" });
        log({ level: "info", event: "given-back", ...about });
        return;
      }
      await endPiece(database, piece, worker, { reason: detail });
      metrics.count("fabula_pieces_total", { outcome: "failed" });
      log({ level: "error", event: "failed", ...about, detail });
    }
  }

  async #inFolder({ run, position, job, data, maximumCost }: StartedPiece, signal: AbortSignal) {
    const { location, connections, log, store, shared, metrics } = this.#context;
    const folder = await makeTemporaryFolder("piece");
    let failedCalls = 0;
    try {
      const prices = join(folder, "prices.yaml");
      if (job.prices !== null) await writeFile(prices, job.prices);
      const settings: RunSettings = {
        ...(job.pace as RunSettings),
        store: location,
        command: [],
        folder,
        connections,
        refresh: job.refresh,
        part: { run, role: "worker" },
        ...(job.prices !== null && { prices }),
      };
      const services: RunServices = {
        signal,
        store,
        coordinate: shared.forRun(run, maximumCost, job.pace.concurrency !== undefined),
        onEvent: (event: RunnerEvent) => {
          metrics.note(event);
          if (event.kind === "failed") failedCalls += 1;
          const said = logEntryFor(event);
          if (said) log({ ...said, event: event.kind, run, piece: position });
        },
      };
      const result = await performPiece(job, data, { folder, settings, services });
      signal.throwIfAborted();
      return { result, failedCalls };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** A worker without the key, or with another address, would ask elsewhere or fail every piece it takes. */
  async #refuseUnsuited({ models }: JobDocument): Promise<void> {
    const { connections } = this.#context;
    for (const { id, origin } of models) {
      await createChatModel(id, { connections });
      const own = modelIdentity(id, { connections }).origin ?? null;
      if (own === origin) continue;
      throw new FabulaError(
        "E_WORKER_ADDRESS",
        `The work was queued for ${id} at ${origin ?? "its usual address"}, and this worker reaches it at ${own ?? "its usual address"}: start both with the same address.`,
      );
    }
  }
}

function asFabulaError(error: unknown): FabulaError {
  if (error instanceof FabulaError) return error;
  return new FabulaError("E_WORKER", error instanceof Error ? error.message : String(error), { cause: error });
}

export interface WorkerOptions {
  readonly location: string;
  readonly connections: ModelConnections;
  /** Pieces that need other models are left to other workers; null: any. */
  readonly judges: readonly string[] | null;
  /** Calls at a time of this worker, to each provider. */
  readonly concurrency: number | null;
  /** End when there is nothing left to do. */
  readonly untilEmpty: boolean;
  readonly signal: AbortSignal;
  readonly log: WorkerListener;
  /** Called when the worker is ready, with what it can be watched by. */
  readonly onReady?: (worker: WatchedWorker) => Promise<void>;
}

export interface WatchedWorker {
  readonly id: string;
  readonly version: string;
  metrics(): Promise<string>;
  isHealthy(): boolean;
}

const LOOK_EVERY_MILLISECONDS = 250;
const WATCH_EVERY_LOOKS = 4;
const RECOVER_EVERY_LOOKS = 12;
const CONNECTIONS = 6;
/** Each piece keeps many calls running, so a few are enough to keep a worker busy while one of them ends. */
const PIECES_AT_A_TIME = 4;
/** Calls already sent may take this long to finish, and a little longer to be stored. */
const DRAIN_MILLISECONDS = 60_000;

/** Joins the queue and works until it is stopped, until nothing is left (if requested), or until it cannot continue. */
export async function work(options: WorkerOptions): Promise<void> {
  const { location, log, signal, judges } = options;
  const version = await queueVersion();
  const ending = new AbortController();
  const endBecause = (error: FabulaError) => ending.abort(error);
  // What was opened is closed in reverse, however far it went: whatever stays open keeps the process alive.
  const atEnd: (() => Promise<void>)[] = [];
  const database = new Database(location, { connections: CONNECTIONS });
  await database.open();
  atEnd.unshift(() => database.close());
  try {
    const store = postgresStore(database);
    const member = await Membership.join({
      database,
      version,
      judges,
      clock: systemClock,
      onGivenUp: () =>
        endBecause(
          new FabulaError(
            "E_WORKER_SILENT",
            "The other workers no longer count on this one, which was silent for too long: start it again.",
          ),
        ),
    });
    atEnd.unshift(() => member.leave().catch(() => {}));
    const shared = new SharedCoordination({ database, member, clock: systemClock, concurrency: options.concurrency });
    atEnd.unshift(() => shared.close());
    const metrics = new WorkerMetrics();
    const { connections } = options;
    const context = { location, connections, log, database, store, shared, metrics, worker: member.id, endBecause };
    const runner = new PieceRunner(context);
    const claimant: Claimant = { worker: member.id, version, judges };
    log({ level: "info", event: "ready", detail: `${member.id}, version ${version}` });
    await options.onReady?.({
      id: member.id,
      version,
      isHealthy: () => member.counts,
      metrics: async () => {
        const queue = await queueState(database);
        for (const { provider, waitedMilliseconds } of shared.load())
          metrics.set("fabula_rate_waited_seconds_total", { provider }, waitedMilliseconds / 1000);
        return metrics.text([
          { name: "fabula_queue_pieces", labels: { state: "queued" }, value: queue.queued },
          { name: "fabula_queue_pieces", labels: { state: "working" }, value: queue.working },
          { name: "fabula_queue_pieces", labels: { state: "set aside" }, value: queue.set_aside },
          { name: "fabula_queue_oldest_seconds", labels: {}, value: queue.oldest_seconds },
          { name: "fabula_queue_crashes", labels: {}, value: queue.crashes },
          { name: "fabula_pieces_under_way", labels: {}, value: runner.underWay.length },
          { name: "fabula_pieces_unfinished", labels: {}, value: await countUnfinished(database, claimant) },
          ...shared.load().flatMap(({ provider, underWay, waits }) => [
            { name: "fabula_calls_under_way", labels: { provider }, value: underWay },
            { name: "fabula_rate_waits", labels: { provider }, value: waits },
          ]),
        ]);
      },
    });
    const underWay = new Set<Promise<void>>();
    atEnd.unshift(async () => {
      log({ level: "info", event: "draining", detail: `${underWay.size} pieces under way` });
      await member.drain().catch(() => {});
      runner.stop();
      // The timer is cleared as soon as the pieces have ended: it would keep the process alive.
      const ended = new AbortController();
      const limit = systemClock.sleep(DRAIN_MILLISECONDS, ended.signal).catch(() => {});
      await Promise.race([Promise.all(underWay), limit]);
      ended.abort();
    });
    await takeAndWatch({
      runner,
      underWay,
      database,
      claimant,
      options,
      end: AbortSignal.any([signal, ending.signal]),
    });
  } finally {
    for (const close of atEnd) await close();
    log({ level: "info", event: "ended" });
  }
  if (!signal.aborted && ending.signal.aborted) throw ending.signal.reason;
}

/** Claims pieces while there is room, and recovers those of dead workers, until it is stopped. */
async function takeAndWatch(context: {
  runner: PieceRunner;
  underWay: Set<Promise<void>>;
  database: Database;
  claimant: Claimant;
  options: WorkerOptions;
  end: AbortSignal;
}): Promise<void> {
  const { runner, underWay, database, claimant, options, end } = context;
  let idle = 0;
  for (let look = 1; !end.aborted; look++) {
    try {
      while (runner.hasRoom && !end.aborted) {
        const piece = await claimPiece(database, claimant, runner.underWay);
        if (!piece) break;
        const done = runner.perform(piece).finally(() => underWay.delete(done));
        underWay.add(done);
      }
      if (look % WATCH_EVERY_LOOKS === 0) await runner.leaveClosedRuns();
      if (look % RECOVER_EVERY_LOOKS === 0) {
        for (const gone of await recoverPieces(database)) {
          options.log({ level: "warning", event: "recovered", detail: `the pieces of ${gone}, which is gone` });
        }
      }
      if (options.untilEmpty && look % WATCH_EVERY_LOOKS === 0) {
        idle = underWay.size === 0 && (await countUnfinished(database, claimant)) === 0 ? idle + 1 : 0;
        if (idle >= 2) return;
      }
    } catch (error) {
      // The store may come back; running pieces notice by themselves when it does not.
      const detail = redact(error instanceof Error ? error.message : String(error));
      options.log({ level: "warning", event: "watch", detail });
    }
    const pause = systemClock.sleep(LOOK_EVERY_MILLISECONDS, end).catch(() => {});
    // A piece that ends makes room at once.
    await (runner.hasRoom ? pause : Promise.race([pause, ...underWay]));
  }
}

import { systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ModelConnections } from "../../models/create-chat-model.ts";
import { redact } from "../../models/redact.ts";
import { Membership } from "../../runner/shared/membership.ts";
import { SharedCoordination } from "../../runner/shared/shared-coordination.ts";
import { Database } from "../../store/postgres/database.ts";
import { postgresStore } from "../../store/postgres/postgres-store.ts";
import { PieceRunner } from "./piece-runner.ts";
import { type Claimant, claimPiece, countUnfinished, recoverPieces } from "./pieces.ts";
import { queueVersion } from "./queue-version.ts";
import type { WorkerListener } from "./worker-events.ts";
import { WorkerMetrics } from "./worker-metrics.ts";

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
      metrics: async () =>
        metrics.text([
          { name: "fabula_pieces_under_way", labels: {}, value: runner.underWay.length },
          { name: "fabula_pieces_unfinished", labels: {}, value: await countUnfinished(database, claimant) },
          ...shared.load().flatMap(({ provider, underWay, waits }) => [
            { name: "fabula_calls_under_way", labels: { provider }, value: underWay },
            { name: "fabula_rate_waits", labels: { provider }, value: waits },
          ]),
        ]),
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
      while (underWay.size < PIECES_AT_A_TIME && !end.aborted) {
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
    await (underWay.size < PIECES_AT_A_TIME ? pause : Promise.race([pause, ...underWay]));
  }
}

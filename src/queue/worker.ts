import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../core/clock.ts";
import { type ErrorCode, FabulaError } from "../core/errors.ts";
import { makeTemporaryFolder } from "../core/files.ts";
import type { ModelConnections } from "../models/connection.ts";
import { createChatModel, modelIdentity } from "../models/create-chat-model.ts";
import { redact } from "../models/model-error.ts";
import { loadPrices } from "../models/prices.ts";
import type { RunServices, RunSettings } from "../runner/open-run.ts";
import type { RunnerEvent } from "../runner/runner-event.ts";
import { Membership } from "../runner/shared/membership.ts";
import { SharedCoordination } from "../runner/shared/shared-coordination.ts";
import { Database } from "../store/postgres/database.ts";
import { DirectConnection } from "../store/postgres/direct-connection.ts";
import { postgresStore } from "../store/postgres/postgres-store.ts";
import type { Store } from "../store/store.ts";
import type { JobDocument, PerformPiece } from "./job.ts";
import { Metrics, queueGauges } from "./metrics.ts";
import {
  type Claimant,
  claimPiece,
  countUnfinished,
  endAndClaim,
  endPiece,
  notOpen,
  type PieceName,
  type PieceOutcome,
  recoverPieces,
  refuseRun,
  releasePiece,
  type StartedPiece,
  tidy,
} from "./pieces.ts";
import { queueVersion } from "./queue-version.ts";
import { logEntryFor, type WorkerListener } from "./worker-events.ts";

interface PieceRunnerContext {
  readonly perform: PerformPiece;
  readonly location: string;
  readonly connections: ModelConnections;
  readonly log: WorkerListener;
  readonly database: Database;
  readonly store: Store;
  readonly shared: SharedCoordination;
  readonly metrics: Metrics;
  readonly claimant: Claimant;
  readonly endBecause: (error: FabulaError) => void;
}

/** Does the pieces that a worker takes, several at a time. */
class PieceRunner {
  readonly #context: PieceRunnerContext;
  readonly #pieces = new Map<StartedPiece, AbortController>();
  /**
   * Pieces are claimed one after the other: a claim that does not list a piece that is just being claimed would return it again.
   */
  #claiming: Promise<StartedPiece | null> | null = null;
  #isStopping = false;

  constructor(context: PieceRunnerContext) {
    this.#context = context;
  }

  get underWay(): readonly PieceName[] {
    return [...this.#pieces.keys()];
  }

  get hasRoom(): boolean {
    return this.#hasRoomBeside([...this.#pieces.keys()]);
  }

  /** A piece that was begun before is done alone: if it ends this worker, no other piece is suspected. */
  #hasRoomBeside(pieces: readonly StartedPiece[]): boolean {
    return !this.#isStopping && pieces.length < PIECES_AT_A_TIME && !pieces.some(({ attempts }) => attempts > 1);
  }

  /** Calls already sent are finished and stored; unfinished pieces are released. */
  stop(): void {
    this.#isStopping = true;
    for (const abort of this.#pieces.values()) this.#stopOne(abort);
  }

  #stopOne(abort: AbortController): void {
    abort.abort(new FabulaError("E_INTERRUPTED", "The worker is stopping."));
  }

  /** Claims the next piece, which must then be given to `perform`. */
  async claim(): Promise<StartedPiece | null> {
    while (this.#claiming) await this.#claiming.catch(() => null);
    if (!this.hasRoom) return null;
    const { database, claimant } = this.#context;
    return this.#take(claimPiece(database, claimant, this.underWay));
  }

  async #take(claiming: Promise<StartedPiece | null>): Promise<StartedPiece | null> {
    this.#claiming = claiming;
    try {
      const piece = await claiming;
      if (!piece) return null;
      const abort = new AbortController();
      this.#pieces.set(piece, abort);
      if (this.#isStopping) this.#stopOne(abort);
      return piece;
    } finally {
      this.#claiming = null;
    }
  }

  /** Ends a piece and takes the next with the same statement if there is room and nothing else is being claimed. */
  async #end(piece: StartedPiece, outcome: PieceOutcome): Promise<StartedPiece | null> {
    const { database, claimant } = this.#context;
    const others = [...this.#pieces.keys()].filter((other) => other !== piece);
    if (!this.#claiming && this.#hasRoomBeside(others))
      return this.#take(endAndClaim(database, piece, outcome, claimant, others));
    await endPiece(database, piece, claimant.worker, outcome);
    return null;
  }

  async leaveClosedRuns(): Promise<void> {
    if (this.#pieces.size === 0) return;
    const left = await notOpen(this.#context.database, [...new Set(this.underWay.map(({ run }) => run))]);
    for (const [{ run }, abort] of this.#pieces) {
      if (left.has(run)) abort.abort(new FabulaError("E_INTERRUPTED", "The run was paused."));
    }
  }

  /**
   * Does a piece, and those that are taken as it ends. It never fails: a piece that fails is recorded as failed, and a lost store
   * ends the worker.
   */
  async perform(first: StartedPiece): Promise<void> {
    let piece: StartedPiece | null = first;
    while (piece) piece = await this.#performOne(piece);
  }

  /** Returns the next piece. */
  async #performOne(piece: StartedPiece): Promise<StartedPiece | null> {
    const { log } = this.#context;
    try {
      return await this.#do(piece, this.#pieces.get(piece)!.signal);
    } catch (error) {
      // The store is unreachable: the piece cannot be updated, so another worker will recover it.
      const message = redact(error instanceof Error ? error.message : String(error));
      log({ level: "error", event: "lost", run: piece.run, piece: piece.position, detail: message });
      this.#context.endBecause(
        new FabulaError("E_WORKER_STORE", `The worker cannot continue: ${message}`, { cause: error }),
      );
      return null;
    } finally {
      this.#pieces.delete(piece);
    }
  }

  async #do(piece: StartedPiece, signal: AbortSignal): Promise<StartedPiece | null> {
    const { database, log, metrics, claimant } = this.#context;
    const about = { run: piece.run, piece: piece.position, label: piece.label };
    const began = performance.now();
    try {
      await this.#refuseUnsuited(piece.job);
    } catch (error) {
      return this.#leaveRun(piece, error);
    }
    try {
      const next = await this.#end(piece, await this.#inFolder(piece, signal));
      metrics.count("fabula_pieces_total", { outcome: "done" });
      log({ level: "info", event: "done", ...about, milliseconds: Math.round(performance.now() - began) });
      return next;
    } catch (error) {
      if (error instanceof FabulaError && error.code === "E_STORE_LOST") throw error;
      const detail = redact(error instanceof Error ? error.message : String(error));
      if (signal.aborted) {
        await releasePiece(database, piece, claimant.worker);
        metrics.count("fabula_pieces_total", { outcome: "given back" });
        log({ level: "info", event: "given-back", ...about });
        return null;
      }
      if (isMissingHere(error)) return this.#leaveRun(piece, error);
      const next = await this.#end(piece, { reason: detail });
      metrics.count("fabula_pieces_total", { outcome: "failed" });
      log({ level: "error", event: "failed", ...about, detail });
      return next;
    }
  }

  /** Another worker may be able to do it: this one takes no more pieces of that run, and continues with other runs. */
  async #leaveRun(piece: StartedPiece, error: unknown): Promise<null> {
    const { database, log, claimant } = this.#context;
    const detail = redact(error instanceof Error ? error.message : String(error));
    await refuseRun(database, piece, claimant.worker, detail);
    await releasePiece(database, piece, claimant.worker);
    log({ level: "warning", event: "refused", run: piece.run, piece: piece.position, label: piece.label, detail });
    return null;
  }

  async #inFolder({ run, position, job, data, maximumCost, attempts }: StartedPiece, signal: AbortSignal) {
    const { location, connections, log, store, shared, metrics } = this.#context;
    const folder = await makeTemporaryFolder("piece");
    let failedCalls = 0;
    /** The provider's words if it refused the key: other workers can then ask for the missing answers. */
    let refusedKey = null as string | null;
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
        part: { run, role: "worker", isRetried: attempts > 1, models: this.#mayAsk(job) },
        ...(job.prices !== null && { prices }),
      };
      const services: RunServices = {
        signal,
        store,
        coordinate: shared.forRun(run, maximumCost, job.pace.concurrency !== undefined),
        onEvent: (event: RunnerEvent) => {
          metrics.note(event);
          if (event.kind === "failed") failedCalls += 1;
          if (event.kind === "provider-down" && event.refusesKey) refusedKey = event.reason;
          const entry = logEntryFor(event);
          if (entry) log({ ...entry, event: event.kind, run, piece: position });
        },
      };
      const result = await this.#context.perform(job, data, { folder, settings, services });
      signal.throwIfAborted();
      if (refusedKey !== null && failedCalls > 0) throw new FabulaError(KEY_REFUSED, refusedKey);
      return { result, failedCalls };
    } catch (error) {
      if (refusedKey === null || (error instanceof FabulaError && error.code === "E_STORE_LOST")) throw error;
      throw new FabulaError(KEY_REFUSED, refusedKey, { cause: error });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  #mayAsk({ models }: JobDocument): string[] {
    const { judges } = this.#context.claimant;
    return models.map(({ id }) => id).filter((id) => judges?.includes(id) ?? true);
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

const KEY_REFUSED = "E_MODEL_AUTHENTICATION";
const MISSING_HERE: readonly ErrorCode[] = ["E_PACKAGE_MISSING", "E_JOB_UNKNOWN", KEY_REFUSED];

/** Whether nothing is wrong with the work, but this installation cannot do it. */
function isMissingHere(error: unknown): boolean {
  return error instanceof FabulaError && MISSING_HERE.includes(error.code);
}

export interface WorkerOptions {
  readonly perform: PerformPiece;
  readonly location: string;
  readonly connections: ModelConnections;
  /** Pieces that need other models are left to other workers; null: any. */
  readonly judges: readonly string[] | null;
  /** How many calls this worker may have running at each provider. */
  readonly concurrency: number | null;
  /** End when there is nothing left to do. */
  readonly untilEmpty: boolean;
  readonly signal: AbortSignal;
  readonly log: WorkerListener;
  /** Called when the worker is ready, with what is needed to watch it. */
  readonly onReady?: (worker: WatchedWorker) => Promise<void>;
}

export interface WatchedWorker {
  readonly id: string;
  readonly version: string;
  metrics(): Promise<string>;
  isHealthy(): boolean;
}

/**
 * How often to look for work. The server announces queued pieces, but not that a piece which had to be left alone by every worker
 * was begun. Without announcements, it looks as often as is bearable for somebody who waits.
 */
const LOOK_MILLISECONDS = { idle: 5000, busy: 1000, unannounced: 500 };
const WATCH_MILLISECONDS = { announced: 5000, unannounced: 1000 };
const COUNT_MILLISECONDS = 1000;
const RECOVER_MILLISECONDS = 5000;
const TIDY_MILLISECONDS = 10 * 60_000;
const CONNECTIONS = 6;
/** Each piece keeps many calls running, so a few are enough to keep a worker busy while one of them ends. */
const PIECES_AT_A_TIME = 4;
/** Calls already sent may take this long to finish, and a little longer to be stored. */
const DRAIN_MILLISECONDS = 60_000;

/** Joins the queue and works until it is stopped, until nothing is left (if requested), or until it cannot continue. */
export async function work(options: WorkerOptions): Promise<void> {
  const { perform, location, log, signal, judges } = options;
  const version = await queueVersion();
  const ending = new AbortController();
  const endBecause = (error: FabulaError) => ending.abort(error);
  // What was opened is closed in reverse order, however far this got: anything left open keeps the process alive.
  const atEnd: (() => Promise<void>)[] = [];
  const database = new Database(location, { connections: CONNECTIONS });
  await database.open();
  atEnd.unshift(() => database.close());
  try {
    const store = postgresStore(database);
    const notices = new Notices();
    const direct = new DirectConnection(location, { onNotice: (run) => notices.add(run) });
    atEnd.unshift(() => direct.close());
    const member = await Membership.join({
      database,
      heartbeats: direct,
      version,
      judges,
      clock: systemClock,
      onBack: () => {
        log({ level: "warning", event: "back", detail: "the store answers again: all connections are replaced" });
        database.reconnect();
      },
      onGivenUp: () => {
        // Whatever keeps a worker silent that long often kills its connections, and statements left on them would wait for two
        // minutes.
        database.reconnect();
        endBecause(
          new FabulaError(
            "E_WORKER_SILENT",
            "The other workers no longer count on this one, which was silent for too long: start it again.",
          ),
        );
      },
    });
    atEnd.unshift(() => member.leave().catch(() => {}));
    const shared = new SharedCoordination({ database, member, clock: systemClock, concurrency: options.concurrency });
    atEnd.unshift(() => shared.close());
    const metrics = new Metrics();
    const { connections } = options;
    const claimant: Claimant = { worker: member.id, version, judges };
    const context = { perform, location, connections, log, database, store, shared, metrics, claimant, endBecause };
    const runner = new PieceRunner(context);
    // Once for all pieces, and not while the first calls are waited for.
    await loadPrices(undefined, connections.judges);
    log({ level: "info", event: "ready", detail: `${member.id}, version ${version}` });
    await options.onReady?.({
      id: member.id,
      version,
      isHealthy: () => member.counts,
      metrics: async () => {
        for (const { provider, waitedMilliseconds } of shared.load())
          metrics.set("fabula_rate_waited_seconds_total", { provider }, waitedMilliseconds / 1000);
        return metrics.text([
          ...(await queueGauges(database)),
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
      member,
      notices,
      endBecause,
      isAnnounced: () => direct.isListening,
      options,
      end: AbortSignal.any([signal, ending.signal]),
    });
  } finally {
    for (const close of atEnd) await close();
    log({ level: "info", event: "ended" });
  }
  if (!signal.aborted && ending.signal.aborted) throw ending.signal.reason;
}

/** Announcements of the server that have not been handled yet. */
class Notices {
  #hasWork = false;
  #hasStates = false;
  #wake = () => {};

  /**
   * Adds an announcement: the name of a run whose state has changed, an empty word for new work, or null for whatever may have
   * been missed.
   */
  add(run: string | null): void {
    this.#hasWork ||= !run;
    this.#hasStates ||= run !== "";
    this.#wake();
  }

  /** Whether the state of a run has changed since the last call. */
  takeStates(): boolean {
    const has = this.#hasStates;
    this.#hasStates = false;
    return has;
  }

  /** Resolves when something is announced, when one of these promises settles, after a time, or when `end` is aborted. */
  async next(milliseconds: number, others: Iterable<Promise<void>>, end: AbortSignal): Promise<void> {
    const waited = new AbortController();
    const announced = new Promise<void>((resolve) => {
      this.#wake = resolve;
      if (this.#hasWork || this.#hasStates) resolve();
    });
    const pause = systemClock.sleep(milliseconds, AbortSignal.any([end, waited.signal])).catch(() => {});
    await Promise.race([announced, pause, ...others]);
    waited.abort();
    this.#hasWork = false;
  }
}

/** Claims pieces while there is room, and recovers those of dead workers, until it is stopped. */
async function takeAndWatch(context: {
  runner: PieceRunner;
  underWay: Set<Promise<void>>;
  database: Database;
  claimant: Claimant;
  member: Membership;
  notices: Notices;
  endBecause: (error: FabulaError) => void;
  isAnnounced: () => boolean;
  options: WorkerOptions;
  end: AbortSignal;
}): Promise<void> {
  const { runner, underWay, database, claimant, member, notices, endBecause, isAnnounced, options, end } = context;
  const due = { watch: 0, recover: 0, tidy: 0, count: 0 };
  const isDue = (what: keyof typeof due, milliseconds: number) => {
    if (performance.now() < due[what]) return false;
    due[what] = performance.now() + milliseconds;
    return true;
  };
  let empty = 0;
  /** Tidying may take minutes, while the worker continues with everything else. */
  let tidying: Promise<void> | null = null;
  const leaving = new AbortController();
  const log = (error: unknown) => {
    const detail = redact(error instanceof Error ? error.message : String(error));
    options.log({ level: "warning", event: "watch", detail });
  };
  while (!end.aborted) {
    try {
      while (runner.hasRoom && !end.aborted) {
        const piece = await runner.claim();
        if (!piece) break;
        const done = runner.perform(piece).finally(() => underWay.delete(done));
        underWay.add(done);
      }
      const watchEvery = isAnnounced() ? WATCH_MILLISECONDS.announced : WATCH_MILLISECONDS.unannounced;
      if (notices.takeStates() || isDue("watch", watchEvery)) await runner.leaveClosedRuns();
      if (member.mayGiveUpOthers && isDue("recover", RECOVER_MILLISECONDS)) {
        for (const gone of await recoverPieces(database)) {
          options.log({ level: "warning", event: "recovered", detail: `the pieces of ${gone}, which is gone` });
        }
      }
      if (isDue("tidy", TIDY_MILLISECONDS)) {
        tidying ??= tidy(database, AbortSignal.any([end, leaving.signal]))
          .catch(log)
          .finally(() => {
            tidying = null;
          });
      }
      if (options.untilEmpty && isDue("count", COUNT_MILLISECONDS)) {
        empty = underWay.size === 0 && (await countUnfinished(database, claimant)) === 0 ? empty + 1 : 0;
        if (empty >= 2) break;
      }
    } catch (error) {
      // Only a person can change that, and until then this worker would take nothing and never end.
      if (error instanceof FabulaError && error.code === "E_STORE_RIGHTS") endBecause(error);
      // The store may come back; running pieces notice by themselves when it does not.
      else log(error);
    }
    const isIdle = underWay.size === 0 && !options.untilEmpty;
    const pause = isAnnounced() ? LOOK_MILLISECONDS[isIdle ? "idle" : "busy"] : LOOK_MILLISECONDS.unannounced;
    // A piece that ends makes room at once.
    await notices.next(pause, underWay, end);
  }
  leaving.abort();
  await tidying;
}

import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { makeTemporaryFolder } from "../../core/files/temporary-folder.ts";
import { createChatModel, type ModelConnections, modelIdentity } from "../../models/create-chat-model.ts";
import { redact } from "../../models/redact.ts";
import type { RunServices, RunSettings } from "../../runner/open-run.ts";
import type { RunnerEvent } from "../../runner/runner-event.ts";
import type { SharedCoordination } from "../../runner/shared/shared-coordination.ts";
import type { Database } from "../../store/postgres/database.ts";
import type { Store } from "../../store/store.ts";
import type { JobDocument } from "./jobs/job.ts";
import { performPiece } from "./jobs/registry.ts";
import { endPiece, notOpen, type PieceName, releasePiece, type StartedPiece } from "./pieces.ts";
import { logEntryFor, type WorkerListener } from "./worker-events.ts";
import type { WorkerMetrics } from "./worker-metrics.ts";

/** A piece that ended its worker this often ends every worker. */
const MOST_ATTEMPTS = 100;

export interface PieceRunnerContext {
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
export class PieceRunner {
  readonly #context: PieceRunnerContext;
  readonly #pieces = new Map<PieceName, AbortController>();

  constructor(context: PieceRunnerContext) {
    this.#context = context;
  }

  get underWay(): readonly PieceName[] {
    return [...this.#pieces.keys()];
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
      if (piece.attempts > MOST_ATTEMPTS)
        throw new FabulaError("E_PIECE_DEADLY", `It crashed ${MOST_ATTEMPTS} workers.`);
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
        coordinate: shared.forRun(run, maximumCost),
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

import type { DBOSClient, DBOSConfig, DLogger, GetWorkflowsInput } from "@dbos-inc/dbos-sdk";
import type pg from "pg";
import { z } from "zod";
import { systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { withoutPassword } from "../../store/postgres/address.ts";
import type { Database } from "../../store/postgres/database.ts";
import { queueVersion } from "./queue-version.ts";

/** A piece by its names: everything else about it is in the store. */
export interface PieceName {
  readonly run: string;
  readonly position: number;
  /** How often it was queued: when it is queued anew, whoever still has the old one cannot end it. */
  readonly round: number;
}

export type EngineLog = (level: "info" | "warning" | "error", message: string) => void;

export interface EngineOptions {
  readonly location: string;
  /** This worker's name: the engine remembers by it who has which piece. */
  readonly worker: string;
  readonly version: string;
  /** Names of the queues to take from; null for all. */
  readonly queues: readonly string[] | null;
  readonly perform: (piece: PieceName) => Promise<void>;
  readonly alone: Alone;
  readonly log: EngineLog;
}

/** Lets one process at a time do something, over all machines: the library makes its tables when it starts, and not twice at once. */
export type Alone = (work: () => Promise<void>) => Promise<void>;

const TABLES_LOCK = 722_064_111;
const TRY_AGAIN_MILLISECONDS = 100;

/**
 * The lock is tried for, never waited for, and held outside of any transaction: the library builds indexes in a way that waits
 * for every statement and transaction that is under way, and would wait for those who wait for it.
 */
export function aloneOn(database: Database): Alone {
  return (work) =>
    database.use(async (client) => {
      const tried = async () => {
        const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS is_ours", [TABLES_LOCK]);
        return z.object({ is_ours: z.boolean() }).parse(rows[0]).is_ours;
      };
      while (!(await tried())) await systemClock.sleep(TRY_AGAIN_MILLISECONDS);
      try {
        await work();
      } finally {
        await client.query("SELECT pg_advisory_unlock($1)", [TABLES_LOCK]);
      }
    });
}

/** The durable queue: DBOS, in a schema of its own in the same database. Nothing else in Fabula knows of it. */
export interface Engine {
  /** Pieces that this worker should have, by what the queue believes. */
  taken(worker: string): Promise<string[]>;
  /** Puts pieces back that their worker will not finish. */
  putBack(ids: readonly string[]): Promise<void>;
  /** Takes nothing more. */
  stop(): Promise<void>;
}

const APPLICATION = "fabula";
const SCHEMA = "fabula_dbos";
const WORKFLOW = "piece";
const CONNECTIONS = 4;
const LOOK_EVERY_MILLISECONDS = 250;
/** Calls that were sent may take this long to come back, and a little longer to be written down. */
const DRAIN_MILLISECONDS = 60_000;
/** Each piece keeps many calls under way, so a few are enough to keep a worker busy while one of them ends. */
const PIECES_AT_A_TIME = 4;

/** Work that needs the same models stands in the same queue, so that a worker can leave alone what it cannot do. */
export function queueFor(models: readonly string[]): string {
  return [APPLICATION, ...[...new Set(models)].sort()].join(" ");
}

export function idOf({ run, position, round }: PieceName): string {
  return `${run}/${position}/${round}`;
}

export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { location, worker, version, queues, perform, alone, log } = options;
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  DBOS.setConfig({ ...configuration(location, worker, version, log), ...(queues && { listenQueues: [...queues] }) });
  DBOS.registerWorkflow(perform, { name: WORKFLOW });
  await alone(launch);
  return {
    async taken(of) {
      const pending = await DBOS.listWorkflows({
        executorId: of,
        status: "PENDING",
        loadInput: false,
        loadOutput: false,
      });
      return pending.map(({ workflowID }) => workflowID);
    },
    async putBack(ids) {
      const found = await DBOS.listWorkflows({ workflowIDs: [...ids], loadInput: false, loadOutput: false });
      for (const { workflowID, queueName } of found) {
        if (queueName) await DBOS.resumeWorkflow(workflowID, { queueName });
      }
    },
    stop: () => DBOS.shutdown({ workflowCompletionTimeoutMS: DRAIN_MILLISECONDS }),
  };
}

/** The way into the queue for those who do not work themselves. */
export interface Entrance {
  /** Within a transaction of the caller, so that a piece is there and queued, or neither. */
  enqueue(client: pg.ClientBase, pieces: readonly PieceName[], queue: string, version: string): Promise<void>;
  openQueue(queue: string): Promise<void>;
  /** Of these pieces, those that wait in the queue or are under way. */
  alive(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Pieces that ended before this moment and that the queue still remembers. */
  ended(before: Date, limit: number): Promise<string[]>;
  /** Pieces of this run that wait and that nobody has taken. */
  waiting(run: string, limit: number): Promise<string[]>;
  forget(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export async function openEntrance(location: string, alone: Alone, log: EngineLog): Promise<Entrance> {
  const { DBOSClient: Client } = await import("@dbos-inc/dbos-sdk");
  const client: DBOSClient = await Client.create({
    systemDatabaseUrl: location,
    systemDatabaseSchemaName: SCHEMA,
    systemDatabasePoolSize: 2,
    applicationName: APPLICATION,
    logger: loggerTo(log),
  });
  const register = (queue: string) =>
    client.registerQueue(queue, {
      workerConcurrency: PIECES_AT_A_TIME,
      minPollingIntervalMs: LOOK_EVERY_MILLISECONDS,
      onConflict: "never_update",
    });
  const list = async (which: GetWorkflowsInput) => {
    const found = await client.listWorkflows({ ...which, loadInput: false, loadOutput: false });
    return found.map(({ workflowID }) => workflowID);
  };
  return {
    async enqueue(transaction, pieces, queueName, appVersion) {
      for (const piece of pieces) {
        const options = { queueName, workflowName: WORKFLOW, workflowID: idOf(piece), appVersion };
        await client.enqueueInTransaction(transaction, options, piece);
      }
    },
    async openQueue(queue) {
      try {
        await register(queue);
      } catch {
        await alone(() => prepare(location, log));
        await register(queue);
      }
    },
    async alive(ids) {
      return new Set(await list({ workflowIDs: [...ids], status: ["ENQUEUED", "PENDING"] }));
    },
    ended: (before, limit) =>
      list({
        status: ["SUCCESS", "ERROR", "CANCELLED", "MAX_RECOVERY_ATTEMPTS_EXCEEDED"],
        completedBefore: before.toISOString(),
        limit,
      }),
    waiting: (run, limit) => list({ workflow_id_prefix: `${run}/`, status: "ENQUEUED", limit }),
    forget: (ids) => client.deleteWorkflows([...ids]),
    close: () => client.destroy(),
  };
}

/**
 * Makes the queue's tables where no worker has been yet. The library does that when it starts; the function it has for doing
 * it alone prints to standard output.
 */
async function prepare(location: string, log: EngineLog): Promise<void> {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  DBOS.setConfig({ ...configuration(location, "nobody", await queueVersion(), log), listenQueues: [] });
  await launch();
  await DBOS.shutdown();
}

/** A start that failed leaves nothing open, which would keep the process alive. */
async function launch(): Promise<void> {
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  try {
    await DBOS.launch();
  } catch (cause) {
    await DBOS.shutdown().catch(() => {});
    const detail = withoutPassword(cause instanceof Error ? cause.message : String(cause));
    throw new FabulaError(
      "E_QUEUE_START",
      `The queue cannot be opened in the schema ${SCHEMA} of the store (${detail}): if it is not there yet, let the owner of the database grant CREATE on it, or start the first worker as the owner.`,
      { cause },
    );
  }
}

function configuration(location: string, worker: string, version: string, log: EngineLog): DBOSConfig {
  return {
    name: APPLICATION,
    systemDatabaseUrl: location,
    systemDatabaseSchemaName: SCHEMA,
    systemDatabasePoolSize: CONNECTIONS,
    applicationVersion: version,
    executorID: worker,
    enableOTLP: false,
    logger: loggerTo(log),
  };
}

function loggerTo(log: EngineLog): DLogger {
  return {
    debug() {},
    info() {},
    warn: (entry) => log("warning", String(entry)),
    error: (entry) => log("error", entry instanceof Error ? entry.message : String(entry)),
  };
}

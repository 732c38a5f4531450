import { chmodSync, closeSync, existsSync, openSync, statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { z } from "zod";
import { type ErrorCode, FabulaError } from "../../core/errors.ts";
import { makeFolder } from "../../core/files.ts";

/**
 * The schema. From the first release on a step that has shipped is never edited: a change is a further step, and a store of an
 * earlier release opens by running those it lacks.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE requests (
    hash TEXT PRIMARY KEY,
    body TEXT NOT NULL
  ) STRICT;

  CREATE TABLE calls (
    key TEXT PRIMARY KEY,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    sample INTEGER NOT NULL,
    request_hash TEXT NOT NULL,
    stop TEXT NOT NULL,
    served_by TEXT NOT NULL,
    input_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    cached_input_tokens INTEGER NOT NULL,
    reasoning_tokens INTEGER NOT NULL,
    cost REAL,
    latency_milliseconds REAL NOT NULL,
    attempts INTEGER NOT NULL,
    answered_at TEXT NOT NULL,
    text TEXT NOT NULL,
    reasoning TEXT
  ) STRICT;

  CREATE TABLE runs (
    id TEXT PRIMARY KEY,
    command TEXT NOT NULL,
    folder TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT,
    maximum_cost REAL,
    started_at TEXT NOT NULL,
    worker TEXT NOT NULL,
    seen_at TEXT NOT NULL,
    finished_at TEXT
  ) STRICT;
  CREATE INDEX runs_by_start ON runs (started_at);

  CREATE TABLE uses (
    position INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    key TEXT NOT NULL,
    outcome TEXT NOT NULL,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    cost REAL,
    input_tokens INTEGER NOT NULL DEFAULT 0,
    output_tokens INTEGER NOT NULL DEFAULT 0,
    reason TEXT,
    at TEXT NOT NULL,
    request_hash TEXT,
    UNIQUE (run_id, key)
  ) STRICT;
  CREATE INDEX uses_by_run ON uses (run_id, position);

  CREATE TABLE events (
    position INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    at TEXT NOT NULL,
    kind TEXT NOT NULL,
    detail TEXT NOT NULL
  ) STRICT;
  CREATE INDEX events_by_run ON events (run_id, position);

  CREATE TABLE batches (
    token TEXT PRIMARY KEY,
    run_id TEXT NOT NULL,
    model TEXT NOT NULL,
    provider_id TEXT,
    submitted_at TEXT NOT NULL,
    collected INTEGER NOT NULL,
    keys TEXT NOT NULL
  ) STRICT;
  CREATE INDEX batches_open ON batches (model) WHERE collected = 0;

  CREATE TABLE run_metadata (
    position INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL,
    name TEXT NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    UNIQUE (run_id, name)
  ) STRICT;
  `,
];

/** Primary result codes, https://sqlite.org/rescode.html; the driver's own names differ from call to call. */
const CODE = { busy: 5, readOnly: 8, inputOutput: 10, corrupt: 11, full: 13, cannotOpen: 14, notADatabase: 26 };

/** What is wrong with the file and what to do about it; an error that says nothing about the file stays as it is. */
function explainFailure(cause: unknown, path: string): unknown {
  if (cause instanceof FabulaError || !(cause instanceof Error)) return cause;
  const fail = (code: ErrorCode, sentence: string) => new FabulaError(code, sentence, { cause });
  switch (resultCode(cause)) {
    case CODE.full:
      return fail("E_STORE_FULL", diskFull(path));
    case CODE.inputOutput:
      if (isDiskFull(path)) return fail("E_STORE_FULL", diskFull(path));
      return fail(
        "E_STORE_DISK",
        `The disk failed while the store ${path} was read or written (${cause.message}): check the disk, then try again or give another path with --store.`,
      );
    case CODE.corrupt:
      return fail("E_STORE_DAMAGED", `The store ${path} is damaged: ${rescue(path)}.`);
    case CODE.notADatabase:
      return fail(
        "E_STORE_OPEN",
        `The file ${path} is not a store, or its beginning is damaged: give another path with --store, or restore it from a backup.`,
      );
    case CODE.readOnly:
      return fail("E_STORE_READ_ONLY", readOnly(path));
    case CODE.cannotOpen:
      return fail("E_STORE_OPEN", cannotOpen(path));
    case CODE.busy:
      return fail(
        "E_STORE_BUSY",
        `Another program keeps the store ${path} locked: wait until it has ended, then try again.`,
      );
    default:
      return cause;
  }
}

function rescue(path: string): string {
  return `restore it from a backup, or save what can still be read with \`sqlite3 ${path} .recover | sqlite3 rescued.db\` and give that with --store`;
}

const checkRow = z.object({ quick_check: z.string() });
const tableRow = z.object({ name: z.string() });

/** What SQLite's own check finds, table by table: it gives up at the first page that it cannot read, and the others may be whole. */
export function damageOf(connection: Connection, path: string): string[] {
  const tables = connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const names = tables.map((row) => tableRow.parse(row).name).filter((name) => !name.startsWith("sqlite_"));
  const damaged = names.filter((name) => !isWhole(connection, name));
  if (damaged.length === 0) return [];
  const whole = names.filter((name) => !damaged.includes(name));
  return [
    `damaged: ${damaged.join(", ")}`,
    whole.length === 0 ? "no table is whole" : `whole: ${whole.join(", ")}`,
    rescue(path),
  ];
}

function isWhole(connection: Connection, table: string): boolean {
  try {
    const found = connection.prepare(`PRAGMA quick_check('${table}')`).all();
    return found.every((row) => checkRow.parse(row).quick_check === "ok");
  } catch (error) {
    if (error instanceof FabulaError && error.code === "E_STORE_DAMAGED") return false;
    throw error;
  }
}

/** Whatever keeps a store from being opened, in one sentence. */
function explainOpening(cause: unknown, path: string): unknown {
  const explained = explainFailure(cause, path);
  if (explained instanceof FabulaError) return explained;
  const detail = cause instanceof Error ? cause.message : String(cause);
  return new FabulaError(
    "E_STORE_OPEN",
    `The store ${path} cannot be opened (${detail}): give another path with --store.`,
    { cause },
  );
}

function diskFull(path: string): string {
  return `The disk of the store ${path} is full: free some space, then go on; every answer stored so far is kept.`;
}

function readOnly(path: string): string {
  return `The store ${path} is read-only: make the file and its folder writable for this user, or give another path with --store.`;
}

function cannotOpen(path: string): string {
  if (!existsSync(path)) {
    return `The store ${path} cannot be made: make its folder writable for this user, or give another path with --store.`;
  }
  if (statSync(path).isDirectory()) return `The store ${path} is a folder: give the path of a file with --store.`;
  if (!isReadable(path)) {
    return `The store ${path} may not be read by this user: change the rights of the file, or give another path with --store.`;
  }
  if (isDiskFull(path)) return diskFull(path);
  return readOnly(path);
}

function isReadable(path: string): boolean {
  try {
    closeSync(openSync(path, "r"));
    return true;
  } catch {
    return false;
  }
}

/** SQLite needs more than one page to do anything. */
function isDiskFull(path: string): boolean {
  const { bavail, bsize } = statfsSync(dirname(path));
  return bavail * bsize < 64 * 1024;
}

/** The driver says the code in a property, or in words when not even the connection was made. */
function resultCode(error: Error): number | null {
  if ("rawCode" in error && typeof error.rawCode === "number") return error.rawCode & 0xff;
  const said = /^ConnectionFailed\(.*: (\d+)"\)$/.exec(error.message)?.[1];
  return said === undefined ? null : Number(said) & 0xff;
}

const BUSY_MILLISECONDS = 15_000;
/** A store for one process and as long as it is open. */
export const IN_MEMORY = ":memory:";
const CACHE_KIBIBYTES = 8192;

export interface Statement {
  run(...values: readonly unknown[]): { readonly changes: number };
  get(...values: readonly unknown[]): unknown;
  all(...values: readonly unknown[]): unknown[];
}

/** The driver's connection; its failures say what is wrong with the file and what to do. */
export class Connection {
  readonly #database: InstanceType<typeof Database>;
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
    this.#database = new Database(path);
  }

  prepare(sql: string): Statement {
    const statement = this.#explained(() => this.#database.prepare(sql));
    return {
      run: (...values) => this.#explained(() => statement.run(...values)),
      get: (...values) => this.#explained(() => statement.get(...values)),
      all: (...values) => this.#explained(() => statement.all(...values)),
    };
  }

  exec(sql: string): void {
    this.#explained(() => this.#database.exec(sql));
  }

  pragma(words: string): void {
    this.#explained(() => this.#database.pragma(words));
  }

  /** All or nothing. Locks at once: one that begins with a read may be refused the lock when it comes to write. */
  transaction<Result>(operation: () => Result): Result {
    try {
      this.exec("BEGIN IMMEDIATE");
      const result = operation();
      this.exec("COMMIT");
      return result;
    } catch (error) {
      // A full disk ends the transaction by itself; a second error would hide the first.
      if (this.#database.inTransaction) this.exec("ROLLBACK");
      throw error;
    }
  }

  close(): void {
    this.#database.close();
  }

  #explained<Result>(operation: () => Result): Result {
    try {
      return operation();
    } catch (cause) {
      throw explainFailure(cause, this.#path);
    }
  }
}

/** Opens the file, makes it when it is not there, and brings it up to date. Only its owner may read it: it holds manuscripts. */
export async function connect(path: string): Promise<Connection> {
  let connection: Connection | null = null;
  try {
    const isNew = path !== IN_MEMORY && !existsSync(path);
    if (isNew) await makeFolder(dirname(path));
    connection = new Connection(path);
    if (isNew) chmodSync(path, 0o600);
    connection.pragma(`busy_timeout = ${BUSY_MILLISECONDS}`);
    connection.pragma("journal_mode = WAL");
    // In WAL mode this survives the death of the process; only a power cut may take the last moments with it.
    connection.pragma("synchronous = NORMAL");
    // Keys are hashes and fall all over the index: with the default of 2 MB, a large store reads pages again and again.
    connection.pragma(`cache_size = -${CACHE_KIBIBYTES}`);
    migrate(connection, path);
    return connection;
  } catch (cause) {
    connection?.close();
    throw explainOpening(cause, path);
  }
}

function migrate(connection: Connection, path: string): void {
  if (version(connection) === STEPS.length) return;
  // Two processes may open a new store at once: the one with the lock migrates, the other finds it done.
  connection.transaction(() => {
    const from = version(connection);
    if (from > STEPS.length) {
      throw new FabulaError(
        "E_STORE_NEWER",
        `The store ${path} was written by a newer version of Fabula: update Fabula, or give another path with --store.`,
      );
    }
    for (const step of STEPS.slice(from)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${STEPS.length}`);
  });
}

function version(connection: Connection): number {
  return z.object({ user_version: z.number() }).parse(connection.prepare("PRAGMA user_version").get()).user_version;
}

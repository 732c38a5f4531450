import { chmodSync, existsSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder } from "../../core/files/make-folder.ts";
import { explainFailure, explainOpening } from "./failure.ts";
import { MIGRATIONS } from "./migrations.ts";

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
    this.exec("BEGIN IMMEDIATE");
    try {
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
  if (version(connection) === MIGRATIONS.length) return;
  // Two processes may open a new store at once: the one with the lock migrates, the other finds it done.
  connection.transaction(() => {
    const from = version(connection);
    if (from > MIGRATIONS.length) {
      throw new FabulaError(
        "E_STORE_NEWER",
        `The store ${path} was written by a newer version of Fabula: update Fabula, or give another path with --store.`,
      );
    }
    for (const step of MIGRATIONS.slice(from)) connection.exec(step);
    connection.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  });
}

function version(connection: Connection): number {
  return z.object({ user_version: z.number() }).parse(connection.prepare("PRAGMA user_version").get()).user_version;
}

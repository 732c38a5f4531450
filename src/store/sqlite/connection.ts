import { chmodSync, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Database from "libsql";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { MIGRATIONS } from "./migrations.ts";

export type Connection = InstanceType<typeof Database>;

const BUSY_MILLISECONDS = 15_000;
const CACHE_KIBIBYTES = 8192;

/** Opens the file, makes it when it is not there, and brings it up to date. Only its owner may read it: it holds manuscripts. */
export function connect(path: string): Connection {
  let database: Connection | null = null;
  try {
    const isNew = !existsSync(path);
    if (isNew) mkdirSync(dirname(path), { recursive: true });
    database = new Database(path);
    if (isNew) chmodSync(path, 0o600);
    database.pragma(`busy_timeout = ${BUSY_MILLISECONDS}`);
    database.pragma("journal_mode = WAL");
    // In WAL mode this survives the death of the process; only a power cut may take the last moments with it.
    database.pragma("synchronous = NORMAL");
    // Keys are hashes and fall all over the index: with the default of 2 MB, a large store reads pages again and again.
    database.pragma(`cache_size = -${CACHE_KIBIBYTES}`);
    migrate(database, path);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof FabulaError) throw cause;
    const detail = cause instanceof Error ? cause.message : String(cause);
    throw new FabulaError(
      "E_STORE_OPEN",
      `The store ${path} cannot be opened (${detail}): give another path with --store.`,
      { cause },
    );
  }
}

function migrate(database: Connection, path: string): void {
  if (version(database) === MIGRATIONS.length) return;
  // Two processes may open a new store at once: whoever gets the lock migrates, the other finds it done.
  database.exec("BEGIN IMMEDIATE");
  try {
    const from = version(database);
    if (from > MIGRATIONS.length) {
      throw new FabulaError(
        "E_STORE_NEWER",
        `The store ${path} was written by a newer version of Fabula: update Fabula, or give another path with --store.`,
      );
    }
    for (const step of MIGRATIONS.slice(from)) database.exec(step);
    database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}

function version(database: Connection): number {
  return z.object({ user_version: z.number() }).parse(database.prepare("PRAGMA user_version").get()).user_version;
}

import pg from "pg";
import { z } from "zod";
import { type Clock, systemClock } from "../../core/clock.ts";
import { type ErrorCode, FabulaError } from "../../core/errors.ts";
import type { Random } from "../../core/random.ts";
import { backoffMilliseconds, retry } from "../../core/retry.ts";
import { type Address, addressOf, withoutPassword } from "./address.ts";
import { QUEUE_NOTICES, RUN_TOTALS, SHARED_WORK } from "./shared-work.ts";
import { inTransaction } from "./transaction.ts";

const LOST = new Set([
  "ECONNRESET",
  "ECONNREFUSED",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EAI_AGAIN",
  // The server is shutting down, has crashed, is starting up, or has no connection left.
  "57P01",
  "57P02",
  "57P03",
  "53300",
  "08000",
  "08001",
  "08003",
  "08004",
  "08006",
  // A transaction stood still for too long, as that of a program that was stopped.
  "25P03",
]);
const LOST_WORDS =
  /connection terminated|connection error|timeout exceeded when trying to connect|timeout expired|query read timeout|closed the connection|not queryable/i;
/** Two writers met, and the server let one of them go on: the other tries again. */
const COLLIDED = new Set(["40001", "40P01"]);
/** The server is there: it has ended the connection, has crashed, is starting up, or has no connection left. */
const THERE = new Set(["57P01", "57P02", "57P03", "53300"]);
const DISK_FULL = "53100";

function isConnectionLost(error: unknown): boolean {
  return LOST.has(codeOf(error)) || LOST_WORDS.test(messageOf(error));
}

function isRetryable(error: unknown): boolean {
  return isConnectionLost(error) || COLLIDED.has(codeOf(error));
}

/** When a store is opened, only this is waited for: an address where nothing listens is more likely mistyped. */
function isStarting(error: unknown): boolean {
  return THERE.has(codeOf(error)) || COLLIDED.has(codeOf(error));
}

/** One sentence about why the store cannot be opened, and what to do. The driver's error stays behind: it holds the connection. */
export function openingFailure(error: unknown, { shown, server, user, database }: Address): FabulaError {
  if (error instanceof FabulaError) return error;
  const code = codeOf(error);
  const detail = withoutPassword(messageOf(error));
  const fail = (kind: ErrorCode, sentence: string) =>
    new FabulaError(kind, sentence, { cause: new Error(code ? `${code}: ${detail}` : detail) });
  switch (code) {
    case "28P01":
    case "28000":
      return fail(
        "E_STORE_PASSWORD",
        `The PostgreSQL server ${server} does not let the user "${user}" in (${detail}): check the name and the password in the address, or set PGPASSWORD.`,
      );
    case "3D000":
      return fail(
        "E_STORE_DATABASE",
        `The PostgreSQL server ${server} has no database "${database}": make it with \`createdb ${database}\`, or correct the address.`,
      );
    case "42501":
      return fail(
        "E_STORE_OPEN",
        `The user "${user}" may not make tables in ${shown} (${detail}): let the owner of the database grant CREATE on it.`,
      );
    case "42P07":
      return fail(
        "E_STORE_OPEN",
        `The database of ${shown} has a schema "fabula" that Fabula did not make (${detail}): give another database.`,
      );
    case "25006":
      return fail("E_STORE_READ_ONLY", readOnly(shown));
    case DISK_FULL:
      return fail("E_STORE_FULL", diskFull(server));
    default:
      if (isConnectionLost(error) || code === "ENOTFOUND") {
        return fail(
          "E_STORE_UNREACHABLE",
          `The store ${shown} cannot be reached (${detail}): check the address, and that PostgreSQL runs there.`,
        );
      }
      // Without a password the driver fails in words of its own, before the server has said anything.
      if (/password must be a string/i.test(detail)) {
        return fail(
          "E_STORE_PASSWORD",
          `The PostgreSQL server ${server} asks the user "${user}" for a password: write it into the address, or set PGPASSWORD.`,
        );
      }
      return fail("E_STORE_OPEN", `The store ${shown} cannot be opened (${detail}): give another with --store.`);
  }
}

/** A statement that failed for good. */
export function statementFailure(error: unknown, { shown, server, user }: Address): Error {
  if (error instanceof FabulaError) return error;
  const detail = withoutPassword(messageOf(error));
  const cause = new Error(`${codeOf(error)} ${detail}`.trim());
  const fail = (kind: ErrorCode, sentence: string) => new FabulaError(kind, sentence, { cause });
  if (isRetryable(error)) {
    return fail(
      "E_STORE_LOST",
      `The store ${shown} stopped answering (${detail}): every answer so far is kept; continue with \`fabula runs resume\` when it runs again.`,
    );
  }
  switch (codeOf(error)) {
    case "42501":
      return fail(
        "E_STORE_RIGHTS",
        `The user "${user}" may not do this in ${shown} (${detail}): let the owner grant it the rights to read and write the tables of the schema fabula, and to use its sequence.`,
      );
    case "25006":
      return fail("E_STORE_READ_ONLY", readOnly(shown));
    case DISK_FULL:
      return fail("E_STORE_FULL", diskFull(server));
    default:
      return fail("E_STORE_WRITE", `The store ${shown} refused to read or write (${detail}).`);
  }
}

function readOnly(shown: string): string {
  return `The store ${shown} takes no writes, as a replica does: give the address of the server that does.`;
}

function diskFull(server: string): string {
  return `The disk of the PostgreSQL server ${server} is full: free some space there, then continue with \`fabula runs resume\`; every answer stored so far is kept.`;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function messageOf(error: unknown): string {
  if (error instanceof AggregateError && !error.message) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}

/**
 * The schema in PostgreSQL. From the first release on a step that has shipped is never edited: a change is a further step, and a
 * store of an earlier release opens by running those it lacks. Everything lies in a schema of its own, beside whatever else the
 * database holds. Text compares byte by byte, as in SQLite, whatever the language of the server.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE fabula.requests (
    hash TEXT COLLATE "C" PRIMARY KEY,
    body TEXT NOT NULL
  );

  CREATE TABLE fabula.calls (
    key TEXT COLLATE "C" PRIMARY KEY,
    model TEXT NOT NULL,
    purpose TEXT NOT NULL,
    sample BIGINT NOT NULL,
    request_hash TEXT NOT NULL,
    stop TEXT NOT NULL,
    served_by TEXT NOT NULL,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    cached_input_tokens BIGINT NOT NULL,
    reasoning_tokens BIGINT NOT NULL,
    cost DOUBLE PRECISION,
    latency_milliseconds DOUBLE PRECISION NOT NULL,
    attempts BIGINT NOT NULL,
    answered_at TEXT COLLATE "C" NOT NULL,
    text TEXT NOT NULL,
    reasoning TEXT
  );

  CREATE TABLE fabula.runs (
    id TEXT COLLATE "C" PRIMARY KEY,
    command TEXT NOT NULL,
    folder TEXT NOT NULL,
    status TEXT NOT NULL,
    note TEXT,
    maximum_cost DOUBLE PRECISION,
    started_at TEXT COLLATE "C" NOT NULL,
    worker TEXT NOT NULL,
    seen_at TEXT COLLATE "C" NOT NULL,
    finished_at TEXT COLLATE "C"
  );
  CREATE INDEX runs_by_start ON fabula.runs (started_at, id);

  -- "written" names the write that a row comes from: one that is sent again, because nobody heard whether it arrived,
  -- is then known and not added twice.
  CREATE TABLE fabula.uses (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id TEXT COLLATE "C" NOT NULL,
    key TEXT COLLATE "C" NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL,
    model TEXT COLLATE "C" NOT NULL,
    purpose TEXT COLLATE "C" NOT NULL,
    cost DOUBLE PRECISION,
    input_tokens BIGINT NOT NULL,
    output_tokens BIGINT NOT NULL,
    reason TEXT,
    at TEXT COLLATE "C" NOT NULL,
    written UUID,
    request_hash TEXT,
    UNIQUE (run_id, key)
  );
  CREATE INDEX uses_by_run ON fabula.uses (run_id, position);

  CREATE TABLE fabula.events (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id TEXT COLLATE "C" NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    kind TEXT COLLATE "C" NOT NULL,
    detail TEXT COLLATE "C" NOT NULL,
    written UUID
  );
  CREATE INDEX events_by_run ON fabula.events (run_id, position);

  CREATE TABLE fabula.batches (
    token TEXT COLLATE "C" PRIMARY KEY,
    run_id TEXT NOT NULL,
    model TEXT NOT NULL,
    provider_id TEXT,
    submitted_at TEXT COLLATE "C" NOT NULL,
    collected BOOLEAN NOT NULL,
    keys TEXT NOT NULL
  );
  CREATE INDEX batches_open ON fabula.batches (model) WHERE NOT collected;

  CREATE TABLE fabula.run_metadata (
    position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run_id TEXT COLLATE "C" NOT NULL,
    name TEXT COLLATE "C" NOT NULL,
    body TEXT NOT NULL,
    at TEXT COLLATE "C" NOT NULL,
    UNIQUE (run_id, name)
  );
  `,
  SHARED_WORK,
  QUEUE_NOTICES,
  RUN_TOTALS,
];

/** What the steps above make: each is there in a store that is whole. */
function madeBySteps(): { readonly tables: string[]; readonly functions: string[] } {
  const names = (kind: string) => [
    ...MIGRATIONS.join("\n").matchAll(new RegExp(`CREATE ${kind} fabula\\.(\\w+)`, "g")),
  ];
  return {
    tables: [...names("TABLE"), ...names("VIEW")].map(([, name]) => name!),
    functions: names("FUNCTION").map(([, name]) => name!),
  };
}

/** What is missing of the tables and functions, and the indexes that the server itself calls invalid. */
export async function damageOf(database: Pick<Database, "query">): Promise<string[]> {
  const { tables, functions } = madeBySteps();
  const rows = await database.query(
    `SELECT 'the table ' || t || ' is missing' AS fault FROM unnest($1::text[]) t WHERE to_regclass('fabula.' || t) IS NULL
     UNION ALL SELECT 'the function ' || f || ' is missing' FROM unnest($2::text[]) f
       WHERE NOT EXISTS (SELECT 1 FROM pg_proc WHERE pronamespace = 'fabula'::regnamespace AND proname = f)
     UNION ALL SELECT 'the index ' || c.relname || ' is invalid (REINDEX INDEX fabula.' || c.relname || ' makes it again)'
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE c.relnamespace = 'fabula'::regnamespace AND NOT i.indisvalid`,
    [tables, functions],
  );
  const faults = rows.map((row) => z.object({ fault: z.string() }).parse(row).fault);
  if (faults.length === 0) return [];
  return [...faults, "stop the workers and restore the schema fabula from a dump, as docs/operations.md shows"];
}

const OLDEST_SERVER = 13;
/** Any number, as long as every Fabula uses the same: its holder may change the tables. */
const LOCK = 7_220_641_107;

/** Brings the tables up to date. Of many workers that start at once, one does it and the others wait and find it done. */
async function migrate(client: pg.PoolClient, address: Address): Promise<void> {
  await refuseUnsuited(client, address);
  if ((await version(client, address)) === MIGRATIONS.length) return;
  await inTransaction(client, async () => {
    await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
    await client.query("CREATE SCHEMA IF NOT EXISTS fabula");
    await client.query("CREATE TABLE IF NOT EXISTS fabula.schema_version (version INTEGER NOT NULL)");
    const from = await version(client, address);
    for (const step of MIGRATIONS.slice(from)) await client.query(step);
    await client.query("DELETE FROM fabula.schema_version");
    await client.query("INSERT INTO fabula.schema_version (version) VALUES ($1)", [MIGRATIONS.length]);
  });
}

async function version(client: pg.PoolClient, { shown }: Address): Promise<number> {
  const { rows: known } = await client.query("SELECT to_regclass('fabula.schema_version') IS NOT NULL AS there");
  if (!z.object({ there: z.boolean() }).parse(known[0]).there) return 0;
  const { rows } = await client.query("SELECT coalesce(max(version), 0) AS version FROM fabula.schema_version");
  const { version } = z.object({ version: z.number() }).parse(rows[0]);
  if (version > MIGRATIONS.length) {
    throw new FabulaError(
      "E_STORE_NEWER",
      `The store ${shown} was written by a newer version of Fabula: update Fabula, or give another store with --store.`,
    );
  }
  return version;
}

async function refuseUnsuited(client: pg.PoolClient, { shown, database }: Address): Promise<void> {
  const { rows } = await client.query(
    "SELECT current_setting('server_version_num')::int / 10000 AS server, current_setting('server_encoding') AS encoding",
  );
  const { server, encoding } = z.object({ server: z.number(), encoding: z.string() }).parse(rows[0]);
  if (server < OLDEST_SERVER) {
    throw new FabulaError(
      "E_STORE_OPEN",
      `The store ${shown} runs on PostgreSQL ${server}, and Fabula needs ${OLDEST_SERVER} or later: update the server.`,
    );
  }
  if (encoding !== "UTF8") {
    throw new FabulaError(
      "E_STORE_OPEN",
      `The database of ${shown} keeps text as ${encoding}, which cannot hold every book: make one with \`createdb --encoding=UTF8 --template=template0 ${database}\`.`,
    );
  }
}

const CONNECTIONS = 8;
const CONNECT_MILLISECONDS = 10_000;
/** A connection that fell silent (a cable, a firewall) is given up after this; statements here take far less. */
const ANSWER_MILLISECONDS = 120_000;
/** A transaction sends one statement after the other without waiting for anything else. */
const STILL_MILLISECONDS = 20_000;
/** About a minute in all: long enough for a server to restart or to hand over to another. */
const ATTEMPTS = 13;
/** In milliseconds. */
const WAITS = { first: 50, longest: 8000 };

export type Row = Readonly<Record<string, unknown>>;

export interface DatabaseOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly connections?: number;
}

/**
 * Pooled connections to one database that outlive a restart of the server. What it is asked to do may be done twice when
 * it is not known whether it succeeded, so every statement given to it must be harmless to repeat.
 */
export class Database {
  readonly address: Address;
  readonly #location: string;
  readonly #connections: number;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #inUse = new Set<pg.PoolClient>();
  #pool: pg.Pool;

  constructor(location: string, { clock = systemClock, random = Math.random, connections }: DatabaseOptions = {}) {
    this.address = addressOf(location);
    this.#location = location;
    this.#connections = connections ?? CONNECTIONS;
    this.#clock = clock;
    this.#random = random;
    this.#pool = this.#newPool();
  }

  #newPool(): pg.Pool {
    const pool = new pg.Pool({
      connectionString: this.#location,
      max: this.#connections,
      connectionTimeoutMillis: CONNECT_MILLISECONDS,
      keepAlive: true,
      application_name: "fabula",
      types: numbersAsNumbers,
    });
    // A connection that dies while idle: a new one is opened when needed.
    pool.on("error", () => {});
    // So may one that was handed out a moment ago, before whoever asked for it listens: its next statement fails and is tried again.
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  }

  /**
   * For a network that was away and is back: connections from before may be dead without knowing it, and would be waited for until a
   * statement's time is up. All are replaced, and what was under way on them is done again.
   */
  reconnect(): void {
    if (this.#pool.ending) return;
    const old = this.#pool;
    this.#pool = this.#newPool();
    void old.end().catch(() => {});
    for (const client of this.#inUse) void (client as unknown as pg.Client).end().catch(() => {});
  }

  /** Connects, and brings the tables up to date. */
  async open(): Promise<void> {
    try {
      await this.#persist(isStarting, () => this.#withClient((client) => migrate(client, this.address)));
    } catch (error) {
      await this.close();
      throw openingFailure(error, this.address);
    }
  }

  query(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return this.use(async (client) => {
      const query = { text, values: [...values], query_timeout: ANSWER_MILLISECONDS };
      return (await client.query<Row>(query)).rows;
    });
  }

  /** Several statements on one connection. Done again from the start when the connection breaks. */
  async use<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    try {
      return await this.#persist(isRetryable, () => this.#withClient(operation));
    } catch (error) {
      throw statementFailure(error, this.address);
    }
  }

  /**
   * All of it or nothing. A program that is stopped, or whose machine is gone, in the middle of it keeps the others waiting no longer than
   * a few seconds: without a limit the server would hold its locks for hours.
   */
  transaction<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    return this.use((client) =>
      inTransaction(client, operation, `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${STILL_MILLISECONDS}`),
    );
  }

  async close(): Promise<void> {
    if (!this.#pool.ending) await this.#pool.end();
  }

  async #withClient<T>(operation: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let broken = false;
    // Between two statements the connection is not awaited; its loss shows at the next one.
    const onError = () => {
      broken = true;
    };
    client.on("error", onError);
    this.#inUse.add(client);
    try {
      return await operation(client);
    } catch (error) {
      broken ||= isConnectionLost(error);
      throw error;
    } finally {
      this.#inUse.delete(client);
      client.off("error", onError);
      client.release(broken);
    }
  }

  async #persist<T>(isTransient: (error: unknown) => boolean, operation: () => Promise<T>): Promise<T> {
    return retry(operation, async (error, attempt) => {
      if (attempt === ATTEMPTS || !isTransient(error) || this.#pool.ending) throw error;
      // Many workers lose the same server at once and should not all come back in the same moment.
      await this.#clock.sleep(backoffMilliseconds(attempt, this.#random, WAITS));
    });
  }
}

/** Counts and positions stay far below 2⁵³; the driver would give them as text. */
export const numbersAsNumbers: pg.CustomTypesConfig = {
  getTypeParser: (type, format) =>
    type === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(type, format === "binary" ? "binary" : "text"),
};

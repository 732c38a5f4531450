import { z } from "zod";
import { sumBy } from "../../stats/distribution.ts";
import {
  type Columns,
  type ContentPage,
  type Contents,
  type ContentTable,
  columns,
  LATER_USE,
  onConflict,
  type Place,
  pick,
  type RawRow,
  takeNew,
  toSafe,
} from "../contents.ts";
import {
  type CallUse,
  callUseSchema,
  failureCountSchema,
  type RunCall,
  runEventSchema,
  runMetadataSchema,
  type StoredBatch,
  type StoredCall,
  type StoredRun,
  storedBatchSchema,
  storedCallSchema,
  storedRunSchema,
  type UseTotal,
  useTotalSchema,
} from "../records.ts";
import { callFilterValues, filterValues, placeOf } from "../run-filter.ts";
import { fromSafeText, jsonWords, toJsonWords, toSafeText } from "../safe-text.ts";
import { isBusy, type Store } from "../store.ts";
import { type Connection, connect, damageOf, type Statement } from "./connection.ts";

interface Waiting<T> {
  readonly item: T;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Too short to be noticed beside a call to a provider, and enough for the replies to calls that were sent together. */
const GATHER_MILLISECONDS = 2;

/**
 * Replies that arrive together are written in one transaction, since each transaction costs more than its rows. Each
 * caller still waits until its own is committed; one that cannot be written fails alone, and all of them when the store is locked.
 */
class GroupCommit<T> {
  readonly #commit: (items: readonly T[]) => void;
  #waiting: Waiting<T>[] = [];

  constructor(commit: (items: readonly T[]) => void) {
    this.#commit = commit;
  }

  add(item: T): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setTimeout(() => this.flush(), GATHER_MILLISECONDS);
      this.#waiting.push({ item, resolve, reject });
    });
  }

  flush(): void {
    const group = this.#waiting;
    if (group.length === 0) return;
    this.#waiting = [];
    try {
      this.#commit(group.map(({ item }) => item));
      for (const { resolve } of group) resolve();
    } catch (reason) {
      if (group.length === 1 || isBusy(reason)) for (const { reject } of group) reject(reason);
      else for (const one of group) this.#alone(one);
    }
  }

  #alone({ item, resolve, reject }: Waiting<T>): void {
    try {
      this.#commit([item]);
      resolve();
    } catch (reason) {
      reject(reason);
    }
  }
}

const runRow = storedRunSchema.extend({ command: jsonWords });
const batchRow = storedBatchSchema.extend({
  keys: jsonWords,
  collected: z.number().transform((flag) => flag === 1),
});
const countRow = z.object({ count: z.number() });

const CALL = columns(storedCallSchema);
const USE = columns(callUseSchema);
const RUN = columns(storedRunSchema);
const EVENT = columns(runEventSchema);
const BATCH = columns(storedBatchSchema);
const TOTAL = columns(useTotalSchema);
const FAILURE = columns(failureCountSchema);
const METADATA = columns(runMetadataSchema);

/** The words of a command are searched as they were typed, not as JSON escapes them. */
const COMMAND = "(SELECT group_concat(word.value, ' ') FROM json_each(r.command) word)";
const RUN_FILTER = `(:status IS NULL OR r.status = :status)
  AND (:seenBefore IS NULL OR r.seen_at < :seenBefore)
  AND (:seenSince IS NULL OR r.seen_at >= :seenSince)
  AND (:search IS NULL OR r.id LIKE :search ESCAPE '\\' OR r.note LIKE :search ESCAPE '\\'
    OR ${COMMAND} LIKE :search ESCAPE '\\')
  AND (:command IS NULL OR ${COMMAND} LIKE :command ESCAPE '\\')
  AND (:model IS NULL OR EXISTS (SELECT 1 FROM uses u WHERE u.run_id = r.id AND u.model = :model))`;

interface Answer {
  readonly call: StoredCall;
  readonly request: string;
  readonly use: CallUse;
}

/** The store in one file. Statements are prepared once; the driver is synchronous and quick, so nothing waits in a queue. */
export async function openSqliteStore(path: string): Promise<Store> {
  const database = await connect(path);
  const prepare = (sql: string) => database.prepare(sql);

  const statements = {
    findCall: prepare(`SELECT ${CALL.select("c")} FROM calls c WHERE c.key = ?`),
    saveRequest: prepare("INSERT OR IGNORE INTO requests (hash, body) VALUES (?, ?)"),
    saveCall: prepare(`${insertInto("calls", CALL)} ON CONFLICT (key) DO UPDATE SET ${takeNew(CALL, "key")}`),
    saveUse: prepare(`${insertInto("uses", USE)} ON CONFLICT (run_id, key) DO UPDATE SET ${LATER_USE}`),
    findUse: prepare(`SELECT ${USE.select("u")} FROM uses u WHERE u.run_id = ? AND u.key = ?`),
    findRequest: prepare("SELECT body FROM requests WHERE hash = ?"),
    describe: prepare(
      `SELECT sqlite_version() AS version, page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()`,
    ),
    // The largest rowid stands for the count: calls are never deleted, and counting half a million rows takes a while.
    countCalls: prepare("SELECT coalesce(max(rowid), 0) AS count FROM calls"),
    createRun: prepare(insertInto("runs", RUN)),
    findRun: prepare(`SELECT ${RUN.select("r")} FROM runs r WHERE r.id = ?`),
    listRuns: prepare(
      `SELECT ${RUN.select("r")} FROM runs r WHERE (r.started_at, r.id) < (:startedAt, :id) AND ${RUN_FILTER}
       ORDER BY r.started_at DESC, r.id DESC LIMIT :limit`,
    ),
    countRuns: prepare(`SELECT count(*) AS count FROM runs r WHERE ${RUN_FILTER}`),
    totals: prepare(
      `SELECT u.outcome AS outcome, u.model AS model, u.purpose AS purpose, count(*) AS calls,
         sum(u.cost) AS cost, count(*) - count(u.cost) AS unpricedCalls, sum(u.input_tokens) AS inputTokens, sum(u.output_tokens) AS outputTokens
       FROM uses u WHERE u.run_id = ? GROUP BY u.outcome, u.model, u.purpose ORDER BY u.model, u.purpose, u.outcome`,
    ),
    failures: prepare(
      `SELECT coalesce(u.reason, 'unknown') AS reason, count(*) AS calls FROM uses u
       WHERE u.run_id = ? AND u.outcome = 'failed' GROUP BY 1 ORDER BY calls DESC, reason`,
    ),
    runCalls: prepare(
      `SELECT ${USE.select("u", "use_")}, ${CALL.select("c", "call_")}, u.position AS position
       FROM uses u LEFT JOIN calls c ON c.key = u.key AND u.outcome <> 'failed'
       WHERE u.run_id = ?1 AND u.position > ?2 AND (?4 IS NULL OR u.model = ?4)
         AND (?5 IS NULL OR u.purpose = ?5) AND (?6 IS NULL OR u.outcome = ?6)
       ORDER BY u.position LIMIT ?3`,
    ),
    saveEvent: prepare(insertInto("events", EVENT)),
    events: prepare(`SELECT ${EVENT.select("e")} FROM events e WHERE e.run_id = ? ORDER BY e.position`),
    saveMetadata: prepare(
      `${insertInto("run_metadata", METADATA)} ON CONFLICT (run_id, name) DO UPDATE SET body = excluded.body, at = excluded.at`,
    ),
    findMetadata: prepare(`SELECT ${METADATA.select("m")} FROM run_metadata m WHERE m.run_id = ? AND m.name = ?`),
    saveBatch: prepare(`${insertInto("batches", BATCH)} ON CONFLICT (token) DO UPDATE SET ${takeNew(BATCH, "token")}`),
    openBatches: prepare(
      `SELECT ${BATCH.select("b")} FROM batches b WHERE b.model = ? AND b.collected = 0 ORDER BY b.submitted_at`,
    ),
  };
  const saveUse = (use: CallUse) => statements.saveUse.run(...USE.values(use));
  const each = <Item>(items: readonly Item[], save: (item: Item) => unknown) => {
    if (items.length > 0) database.transaction(() => items.forEach(save));
  };
  const commits = new GroupCommit<Answer>((answers) =>
    each(answers, ({ call, request, use }) => {
      statements.saveRequest.run(...[call.requestHash, request].map(toSafeText));
      statements.saveCall.run(...CALL.values(call));
      saveUse(use);
    }),
  );

  return {
    location: path,
    contents: sqliteContents(database),
    async describe() {
      const { version, bytes } = z.object({ version: z.string(), bytes: z.number() }).parse(statements.describe.get());
      return { kind: "SQLite", version, bytes };
    },
    check: async () => damageOf(database, path),
    async findCall(key) {
      return one(storedCallSchema, CALL, statements.findCall.get(toSafeText(key)));
    },
    recordAnswer: (call, request, use) => commits.add({ call, request, use }),
    async recordUses(uses) {
      each(uses, saveUse);
    },
    async recordFailure(use, request) {
      each([use], () => {
        statements.saveRequest.run(...[use.requestHash, request].map(toSafeText));
        saveUse(use);
      });
    },
    async findUse(runId, key) {
      return one(callUseSchema, USE, statements.findUse.get(...[runId, key].map(toSafeText)));
    },
    async findRequest(hash) {
      const row = z
        .object({ body: z.string() })
        .optional()
        .parse(statements.findRequest.get(toSafeText(hash)));
      return row ? fromSafeText(row.body) : null;
    },
    async countCalls() {
      return countRow.parse(statements.countCalls.get()).count;
    },

    async createRun(run) {
      statements.createRun.run(...RUN.values({ ...run, command: toJsonWords(run.command) }));
    },
    async updateRun(id, changes) {
      const names = Object.keys(changes);
      if (names.length === 0) return;
      const assignments = names.map((name) => `${RUN.column(name)} = ?`).join(", ");
      prepare(`UPDATE runs SET ${assignments} WHERE id = ?`).run(...Object.values(changes).map(toSafe), toSafeText(id));
    },
    async findRun(id) {
      return one(runRow, RUN, statements.findRun.get(toSafeText(id))) satisfies StoredRun | null;
    },
    async listRuns(filter, page) {
      const parameters = { ...filterValues(filter), ...placeOf(page), limit: page.limit };
      return many(runRow, RUN, statements.listRuns.all(parameters));
    },
    async countRuns(filter) {
      return countRow.parse(statements.countRuns.get(filterValues(filter))).count;
    },
    // Workers on other machines share a server, never a file.
    openToWorkers: async () => new Set(),
    async failures(runId) {
      return many(failureCountSchema, FAILURE, statements.failures.all(toSafeText(runId)));
    },
    async totals(runId): Promise<UseTotal[]> {
      return many(useTotalSchema, TOTAL, statements.totals.all(toSafeText(runId)));
    },
    async runCalls(runId, { limit, after }, filter): Promise<RunCall[]> {
      const rows = z
        .array(z.looseObject({ position: z.number() }))
        .parse(statements.runCalls.all(toSafeText(runId), after ?? 0, limit, ...callFilterValues(filter)));
      return rows.map((row) => ({
        ...callUseSchema.parse(USE.row(row, "use_")),
        position: row.position,
        answer: row.call_key === null ? null : storedCallSchema.parse(CALL.row(row, "call_")),
      }));
    },
    async recordEvents(events) {
      each(events, (event) => statements.saveEvent.run(...EVENT.values(event)));
    },
    async events(runId) {
      return many(runEventSchema, EVENT, statements.events.all(toSafeText(runId)));
    },

    async saveMetadata(metadata) {
      statements.saveMetadata.run(...METADATA.values(metadata));
    },
    async findMetadata(runId, name) {
      return one(runMetadataSchema, METADATA, statements.findMetadata.get(...[runId, name].map(toSafeText)));
    },

    async saveBatch(batch) {
      const row = { ...batch, keys: toJsonWords(batch.keys), collected: batch.collected ? 1 : 0 };
      statements.saveBatch.run(...BATCH.values(row));
    },
    async openBatches(model): Promise<StoredBatch[]> {
      return many(batchRow, BATCH, statements.openBatches.all(toSafeText(model)));
    },

    async close() {
      commits.flush();
      database.close();
    },
  };
}

function insertInto(table: string, { inDatabase }: Columns): string {
  return `INSERT INTO ${table} (${inDatabase.join(", ")}) VALUES (${inDatabase.map(() => "?").join(", ")})`;
}

function one<T>(schema: z.ZodType<T>, { row }: Columns, found: unknown): T | null {
  return found === undefined ? null : schema.parse(row(found));
}

function many<T>(schema: z.ZodType<T>, { row }: Columns, found: readonly unknown[]): T[] {
  return found.map((each) => schema.parse(row(each)));
}

const rowSchema = z.record(z.string(), z.unknown());
const placeSchema = z.union([z.string(), z.number()]);
const countSchema = z.object({ count: z.number() });
const runSchema = z.object({ run_id: z.string() });

function sqliteContents(database: Connection): Contents {
  const prepared = new Map<string, Statement>();
  const statement = (sql: string) => {
    const known = prepared.get(sql) ?? database.prepare(sql);
    prepared.set(sql, known);
    return known;
  };
  return {
    async count({ name }) {
      return countSchema.parse(statement(`SELECT count(*) AS count FROM ${name}`).get()).count;
    },
    async page({ name, place }, names, after, limit): Promise<ContentPage> {
      const condition = after === null ? "" : `WHERE ${place} > ?`;
      const sql = `SELECT ${names.join(", ")}, ${place} AS place FROM ${name} ${condition} ORDER BY ${place} LIMIT ?`;
      const found = statement(sql).all(...(after === null ? [limit] : [after, limit]));
      const rows = found.map((row) => rowSchema.parse(row));
      const next: Place | null = rows.length < limit ? null : placeSchema.parse(rows.at(-1)?.place);
      return { rows: rows.map((row) => fromFile(names, row)), next };
    },
    async find({ name, identity }, names, like) {
      const condition = identity.map((column) => `${column} = ?`).join(" AND ");
      const one = statement(`SELECT ${names.join(", ")} FROM ${name} WHERE ${condition}`);
      return like.flatMap((row) => {
        const found: unknown = one.get(...identity.map((column) => row[column]));
        return found === undefined ? [] : [fromFile(names, rowSchema.parse(found))];
      });
    },
    async add(table, rows) {
      const insert = statement(copyInto(table));
      return database.transaction(() =>
        sumBy(rows, (row) => insert.run(...table.columns.map((name) => toFile(row[name]))).changes),
      );
    },
    async runsWithEvents(after, limit) {
      const sql = "SELECT DISTINCT run_id FROM events WHERE run_id > ? ORDER BY run_id LIMIT ?";
      return z
        .array(runSchema)
        .parse(statement(sql).all(after ?? "", limit))
        .map((row) => row.run_id);
    },
    async settle() {
      database.exec("PRAGMA optimize");
      database.pragma("wal_checkpoint(TRUNCATE)");
    },
  };
}

function copyInto(table: ContentTable): string {
  const { name, columns } = table;
  return `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")}) ${onConflict(table)}`;
}

/** SQLite has no type for yes and no. */
function toFile(value: RawRow[string] | undefined): unknown {
  return typeof value === "boolean" ? Number(value) : (value ?? null);
}

function fromFile(names: readonly string[], found: Readonly<Record<string, unknown>>): RawRow {
  const row = pick(names, found);
  return names.includes("collected") ? { ...row, collected: row.collected === 1 } : row;
}

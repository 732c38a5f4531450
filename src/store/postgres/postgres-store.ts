import { randomUUID } from "node:crypto";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { type Columns, columns, LATER_USE, takeNew, toSafe } from "../contents.ts";
import {
  type CallUse,
  callUseSchema,
  failureCountSchema,
  runEventSchema,
  runMetadataSchema,
  type StoredCall,
  type StoredRun,
  storedBatchSchema,
  storedCallSchema,
  storedRunSchema,
  type UseTotal,
  useTotalSchema,
} from "../records.ts";
import { callFilterValues, filterValues, placeOf } from "../run-filter.ts";
import { jsonWords, toJsonWords, toSafeText } from "../safe-text.ts";
import type { RunFilter, Store } from "../store.ts";
import { Database, type DatabaseOptions, damageOf, type Row } from "./database.ts";
import { Group } from "./group.ts";
import { postgresContents } from "./postgres-contents.ts";

/** A table's columns, and how a row of it becomes what it stands for. */
interface Table<T> {
  readonly name: string;
  readonly columns: Columns;
  readonly row: z.ZodType<T>;
}

const CALLS = table("fabula.calls", storedCallSchema);
const USES = table("fabula.uses", callUseSchema);
const METADATA = table("fabula.run_metadata", runMetadataSchema);
const EVENTS = table("fabula.events", runEventSchema);
/** What a run used, added up: no table, but rows all the same. */
const TOTALS = table("totals", useTotalSchema);
const FAILURES = table("failures", failureCountSchema);
/** What is asked with an answer, by its hash. */
const REQUESTS = table("fabula.requests", z.object({ hash: z.string(), body: z.string() }));
/** With the name of the write that brought the row: one that is sent again is recognised by it. */
const WRITTEN_USES = table("fabula.uses", callUseSchema.extend({ written: z.uuid() }));
const WRITTEN_EVENTS = table("fabula.events", runEventSchema.extend({ written: z.uuid() }));
const RUNS = {
  ...table("fabula.runs", storedRunSchema),
  row: storedRunSchema.extend({ command: jsonWords }),
};
const BATCHES = {
  ...table("fabula.batches", storedBatchSchema),
  row: storedBatchSchema.extend({ keys: jsonWords }),
};

function table<T extends z.ZodObject>(name: string, row: T) {
  return { name, columns: columns(row), row };
}

function read<T>({ columns, row }: Table<T>, found: Row, prefix = ""): T {
  return row.parse(columns.row(found, prefix));
}

/** Rows as one parameter; the table itself says what type each value has. Names are the database's. */
function asParameter({ columns }: Table<unknown>, rows: readonly object[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const values = columns.values({ ...row });
      return Object.fromEntries(columns.inDatabase.map((column, index) => [column, values[index]]));
    }),
  );
}

/** `INSERT INTO calls (…) SELECT … FROM` the rows in a parameter. */
function insertFrom({ name, columns }: Table<unknown>, parameter: string): string {
  const list = columns.inDatabase.join(", ");
  return `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, ${parameter}::json)`;
}

/** In the order of the identity: two writers that meet the same rows then wait for each other, and never in a circle. */
function upsert(table: Table<unknown>, parameter: string, identity: string): string {
  const update = `DO UPDATE SET ${takeNew(table.columns, identity)}`;
  return `${insertFrom(table, parameter)} ORDER BY ${identity} ON CONFLICT (${identity}) ${update}`;
}

const saveUses = (parameter: string) => `${insertFrom(WRITTEN_USES, parameter)}
  ON CONFLICT (run_id, key) DO UPDATE SET ${LATER_USE}, written = excluded.written
  WHERE uses.written IS DISTINCT FROM excluded.written`;

const OPEN_TO_WORKERS = "r.id IN (SELECT s.run_id FROM fabula.shared_runs s WHERE s.state <> 'closed')";

/** The words of a command are searched as they were typed, not as JSON escapes them. */
const COMMAND = `(SELECT string_agg(word, ' ' ORDER BY place)
    FROM json_array_elements_text(r.command::json) WITH ORDINALITY AS words (word, place))`;
const RUN_FILTER = `($1::text IS NULL OR r.status = $1)
  AND ($2::text IS NULL OR (r.seen_at < $2 AND NOT ${OPEN_TO_WORKERS}))
  AND ($3::text IS NULL OR r.seen_at >= $3 OR ${OPEN_TO_WORKERS})
  AND ($4::text IS NULL OR r.id ILIKE $4 OR r.note ILIKE $4 OR ${COMMAND} ILIKE $4)
  AND ($5::text IS NULL OR EXISTS (SELECT 1 FROM fabula.uses u WHERE u.run_id = r.id AND u.model = $5))
  AND ($6::text IS NULL OR ${COMMAND} ILIKE $6)`;

/** What the store asks of the database. Everything that writes may be sent twice and is then done once. */
const SQL = {
  // One statement: the answer, what was asked and the run's use of it are there together or not at all.
  saveAnswers: `
    WITH request AS (${insertFrom(REQUESTS, "$1")} ORDER BY hash ON CONFLICT DO NOTHING),
      call AS (${upsert(CALLS, "$2", "key")})
    ${saveUses("$3")}`,
  saveUses: saveUses("$1"),
  saveFailure: `
    WITH request AS (${insertFrom(REQUESTS, "$1")} ON CONFLICT DO NOTHING)
    ${saveUses("$2")}`,
  findCalls: `SELECT ${CALLS.columns.select("c")} FROM fabula.calls c WHERE c.key = ANY($1)`,
  findUse: `SELECT ${USES.columns.select("u")} FROM fabula.uses u WHERE u.run_id = $1 AND u.key = $2`,
  findRequest: `SELECT ${REQUESTS.columns.select("r")} FROM fabula.requests r WHERE r.hash = $1`,
  countCalls: "SELECT count(*) AS count FROM fabula.calls",
  describe: `
    SELECT current_setting('server_version') AS version,
      (SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class c
       WHERE c.relnamespace = 'fabula'::regnamespace AND c.relkind IN ('r', 'p')) AS bytes`,
  createRun: insertFrom(RUNS, "$1"),
  findRun: `SELECT ${RUNS.columns.select("r")} FROM fabula.runs r WHERE r.id = $1`,
  listRuns: `
    SELECT ${RUNS.columns.select("r")} FROM fabula.runs r
    WHERE ${RUN_FILTER} AND (r.started_at, r.id) < ($7, $8) ORDER BY r.started_at DESC, r.id DESC LIMIT $9`,
  countRuns: `SELECT count(*) AS count FROM fabula.runs r WHERE ${RUN_FILTER}`,
  openToWorkers: `SELECT r.id FROM fabula.runs r WHERE r.id = ANY($1) AND ${OPEN_TO_WORKERS}`,
  failures: `
    SELECT coalesce(u.reason, 'unknown') COLLATE "C" AS reason, count(*) AS calls FROM fabula.uses u
    WHERE u.run_id = $1 AND u.outcome = 'failed' GROUP BY 1 ORDER BY calls DESC, reason`,
  // Costs are added up as decimals: the sum of binary fractions would depend on the order in which workers wrote them.
  totals: `
    SELECT t.outcome, t.model, t.purpose, t.calls, CASE WHEN t.calls > t.unpriced THEN t.cost::double precision END AS cost,
      t.unpriced AS "unpricedCalls", t.input_tokens AS "inputTokens", t.output_tokens AS "outputTokens"
    FROM fabula.run_totals t WHERE t.run_id = $1 AND t.calls > 0 ORDER BY t.model, t.purpose, t.outcome`,
  // The page is taken first, so that its length, not the size of the store, decides how many calls are looked up.
  runCalls: `
    SELECT ${USES.columns.select("u", "use_")}, ${CALLS.columns.select("c", "call_")}, u.position
    FROM (
      SELECT * FROM fabula.uses
      WHERE run_id = $1 AND position > $2 AND ($4::text IS NULL OR model = $4)
        AND ($5::text IS NULL OR purpose = $5) AND ($6::text IS NULL OR outcome = $6)
      ORDER BY position LIMIT $3) u
    LEFT JOIN fabula.calls c ON c.key = u.key AND u.outcome <> 'failed' ORDER BY u.position`,
  saveEvents: insertFrom(WRITTEN_EVENTS, "$1"),
  areEventsThere: "SELECT 1 FROM fabula.events WHERE run_id = $1 AND written = $2 LIMIT 1",
  events: `SELECT ${EVENTS.columns.select("e")} FROM fabula.events e WHERE e.run_id = $1 ORDER BY e.position`,
  saveMetadata: `${insertFrom(METADATA, "$1")} ON CONFLICT (run_id, name) DO UPDATE SET body = excluded.body, at = excluded.at`,
  findMetadata: `SELECT ${METADATA.columns.select("m")} FROM fabula.run_metadata m WHERE m.run_id = $1 AND m.name = $2`,
  saveBatch: upsert(BATCHES, "$1", "token"),
  openBatches: `
    SELECT ${BATCHES.columns.select("b")} FROM fabula.batches b
    WHERE b.model = $1 AND NOT b.collected ORDER BY b.submitted_at`,
};

interface Answer {
  readonly call: StoredCall;
  readonly request: string;
  readonly use: CallUse & { readonly written: string };
}

function filterParameters(filter: RunFilter): unknown[] {
  const { status, seenBefore, seenSince, search, model, command } = filterValues(filter);
  return [status, seenBefore, seenSince, search, model, command];
}

const countRow = z.object({ count: z.number() });
const idRow = z.object({ id: z.string() });
const MEGABYTE = 1024 * 1024;
const isStoreLost = (reason: unknown) => reason instanceof FabulaError && reason.code === "E_STORE_LOST";

/** The store on a server that many machines share. */
export async function openPostgresStore(location: string, options: DatabaseOptions = {}): Promise<Store> {
  const database = new Database(location, options);
  await database.open();
  return postgresStore(database);
}

export function postgresStore(database: Database): Store {
  const query = (text: string, values?: readonly unknown[]) => database.query(text, values);
  const answers = new Group<Answer, void>(
    async (group) => {
      await query(SQL.saveAnswers, [
        asParameter(
          REQUESTS,
          group.map(({ call, request }) => ({ hash: call.requestHash, body: request })),
        ),
        asParameter(
          CALLS,
          group.map(({ call }) => call),
        ),
        asParameter(
          WRITTEN_USES,
          group.map(({ use }) => use),
        ),
      ]);
      return group.map(() => undefined);
    },
    {
      atOnce: 1,
      largest: 500,
      heaviest: 8 * MEGABYTE,
      weight: ({ call, request }) => request.length + call.text.length + (call.reasoning?.length ?? 0),
      identity: ({ call }) => call.key,
      isCommon: isStoreLost,
    },
  );
  const lookUps = new Group<string, StoredCall | null>(
    async (keys) => {
      const rows = await query(SQL.findCalls, [keys.map(toSafeText)]);
      const found = new Map(rows.map((row) => read(CALLS, row)).map((call) => [call.key, call]));
      return keys.map((key) => found.get(key) ?? null);
    },
    { atOnce: 4, largest: 500, heaviest: 500, weight: () => 1, identity: (key) => key, isCommon: isStoreLost },
  );

  return {
    location: database.address.shown,
    contents: postgresContents(database),
    async describe() {
      const [row] = await query(SQL.describe);
      return { kind: "PostgreSQL", ...z.object({ version: z.string(), bytes: z.number() }).parse(row) };
    },
    check: () => damageOf(database),
    findCall: (key) => lookUps.add(key),
    recordAnswer: (call, request, use) => answers.add({ call, request, use: { ...use, written: randomUUID() } }),
    async recordUses(uses) {
      const rounds = apart(uses.map((use) => ({ ...use, written: randomUUID() })));
      if (rounds.length === 0) return;
      await database.transaction(async (client) => {
        for (const round of rounds) await client.query(SQL.saveUses, [asParameter(WRITTEN_USES, round)]);
      });
    },
    async recordFailure(use, request) {
      await query(SQL.saveFailure, [
        asParameter(REQUESTS, [{ hash: use.requestHash, body: request }]),
        asParameter(WRITTEN_USES, [{ ...use, written: randomUUID() }]),
      ]);
    },
    async findUse(runId, key) {
      const [row] = await query(SQL.findUse, [runId, key].map(toSafe));
      return row ? read(USES, row) : null;
    },
    async findRequest(hash) {
      const [row] = await query(SQL.findRequest, [toSafeText(hash)]);
      return row ? read(REQUESTS, row).body : null;
    },
    async countCalls() {
      const [row] = await query(SQL.countCalls);
      return countRow.parse(row).count;
    },

    async createRun(run) {
      const parameter = asParameter(RUNS, [{ ...run, command: toJsonWords(run.command) }]);
      let attempts = 0;
      await database.use(async (client) => {
        attempts += 1;
        // Found on a second attempt, it is the one that the first attempt made.
        await client.query(attempts === 1 ? SQL.createRun : `${SQL.createRun} ON CONFLICT DO NOTHING`, [parameter]);
      });
    },
    async updateRun(id, changes) {
      const names = Object.keys(changes);
      if (names.length === 0) return;
      const assignments = names.map((name, index) => `${RUNS.columns.column(name)} = $${index + 2}`).join(", ");
      await query(`UPDATE fabula.runs SET ${assignments} WHERE id = $1`, [id, ...Object.values(changes)].map(toSafe));
    },
    async findRun(id) {
      const [row] = await query(SQL.findRun, [toSafeText(id)]);
      return row ? (read(RUNS, row) satisfies StoredRun) : null;
    },
    async listRuns(filter, page) {
      const { startedAt, id } = placeOf(page);
      const rows = await query(SQL.listRuns, [...filterParameters(filter), startedAt, id, page.limit]);
      return rows.map((row) => read(RUNS, row));
    },
    async countRuns(filter) {
      const [row] = await query(SQL.countRuns, filterParameters(filter));
      return countRow.parse(row).count;
    },
    async openToWorkers(ids) {
      const rows = await query(SQL.openToWorkers, [ids.map(toSafeText)]);
      return new Set(rows.map((row) => idRow.parse(row).id));
    },
    async failures(runId) {
      return (await query(SQL.failures, [toSafeText(runId)])).map((row) => read(FAILURES, row));
    },
    async totals(runId): Promise<UseTotal[]> {
      return (await query(SQL.totals, [toSafeText(runId)])).map((row) => read(TOTALS, row));
    },
    async runCalls(runId, { limit, after }, filter) {
      const rows = await query(SQL.runCalls, [toSafeText(runId), after ?? 0, limit, ...callFilterValues(filter)]);
      return rows.map((row) => ({
        ...read(USES, row, "use_"),
        position: z.number().parse(row.position),
        answer: row.call_key === null ? null : read(CALLS, row, "call_"),
      }));
    },
    async recordEvents(events) {
      const [first] = events;
      if (!first) return;
      const written = randomUUID();
      const parameter = asParameter(
        WRITTEN_EVENTS,
        events.map((event) => ({ ...event, written })),
      );
      let attempts = 0;
      await database.use(async (client) => {
        attempts += 1;
        const isThere =
          attempts > 1 && (await client.query(SQL.areEventsThere, [toSafeText(first.runId), written])).rowCount === 1;
        if (!isThere) await client.query(SQL.saveEvents, [parameter]);
      });
    },
    async events(runId) {
      return (await query(SQL.events, [toSafeText(runId)])).map((row) => read(EVENTS, row));
    },

    async saveMetadata(metadata) {
      await query(SQL.saveMetadata, [asParameter(METADATA, [metadata])]);
    },
    async findMetadata(runId, name) {
      const [row] = await query(SQL.findMetadata, [runId, name].map(toSafe));
      return row ? read(METADATA, row) : null;
    },

    async saveBatch(batch) {
      await query(SQL.saveBatch, [asParameter(BATCHES, [{ ...batch, keys: toJsonWords(batch.keys) }])]);
    },
    async openBatches(model) {
      return (await query(SQL.openBatches, [toSafeText(model)])).map((row) => read(BATCHES, row));
    },

    async close() {
      await answers.settled();
      await lookUps.settled();
      await database.close();
    },
  };
}

/** In order, and in parts that name no use twice: one statement cannot change a row twice. Nearly always it is one part. */
function apart<T extends CallUse>(uses: readonly T[]): T[][] {
  const rounds: Map<string, T>[] = [];
  for (const use of uses) {
    const name = JSON.stringify([use.runId, use.key]);
    const round = rounds.find((one) => !one.has(name));
    if (round) round.set(name, use);
    else rounds.push(new Map([[name, use]]));
  }
  return rounds.map((round) => [...round.values()]);
}

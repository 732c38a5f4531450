import { randomUUID } from "node:crypto";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { toSafe } from "../columns.ts";
import { toJsonWords } from "../json-words.ts";
import { filterValues, placeOf } from "../run-filter.ts";
import { toSafeText } from "../safe-text.ts";
import type { CallUse, RunFilter, Store, StoredCall, StoredRun, UseTotal } from "../store.ts";
import { Database, type DatabaseOptions } from "./database.ts";
import { Group } from "./group.ts";
import { postgresContents } from "./postgres-contents.ts";
import {
  asParameter,
  BATCHES,
  CALLS,
  EVENTS,
  FAILURES,
  insertFrom,
  PAPERS,
  REQUESTS,
  RUNS,
  read,
  TOTALS,
  USES,
  upsert,
  WRITTEN_EVENTS,
  WRITTEN_USES,
} from "./tables.ts";

interface Answer {
  readonly call: StoredCall;
  readonly request: string;
  readonly use: CallUse & { readonly written: string };
}

const saveUses = (parameter: string) => `${insertFrom(WRITTEN_USES, parameter)}
  ON CONFLICT (run_id, key) DO UPDATE SET outcome = excluded.outcome, at = excluded.at, reason = excluded.reason,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, written = excluded.written,
    cost = coalesce(uses.cost, 0) + coalesce(excluded.cost, 0)
  WHERE NOT (uses.outcome = 'asked' AND excluded.outcome = 'cached') AND uses.written IS DISTINCT FROM excluded.written`;

/** The words of a command are searched as they were typed, not as JSON escapes them. */
const RUN_FILTER = `($1::text IS NULL OR r.status = $1)
  AND ($2::text IS NULL OR r.seen_at < $2) AND ($3::text IS NULL OR r.seen_at >= $3)
  AND ($4::text IS NULL OR r.id ILIKE $4 OR r.note ILIKE $4 OR (
    SELECT string_agg(word, ' ' ORDER BY place)
    FROM json_array_elements_text(r.command::json) WITH ORDINALITY AS words (word, place)) ILIKE $4)`;

function filterParameters(filter: RunFilter): unknown[] {
  const { status, seenBefore, seenSince, search } = filterValues(filter);
  return [status, seenBefore, seenSince, search];
}

const SQL = {
  // One statement: the answer, what was asked and the run's use of it are there together or not at all.
  saveAnswers: `
    WITH request AS (${insertFrom(REQUESTS, "$1")} ORDER BY hash ON CONFLICT DO NOTHING),
      call AS (${upsert(CALLS, "$2", "key")})
    ${saveUses("$3")}`,
  saveUses: saveUses("$1"),
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
    WHERE ${RUN_FILTER} AND (r.started_at, r.id) < ($5, $6) ORDER BY r.started_at DESC, r.id DESC LIMIT $7`,
  countRuns: `SELECT count(*) AS count FROM fabula.runs r WHERE ${RUN_FILTER}`,
  failures: `
    SELECT coalesce(u.reason, 'unknown') COLLATE "C" AS reason, count(*) AS calls FROM fabula.uses u
    WHERE u.run_id = $1 AND u.outcome = 'failed' GROUP BY 1 ORDER BY calls DESC, reason`,
  // Costs are added up as decimals: the sum of binary fractions would depend on the order in which workers wrote them.
  totals: `
    SELECT u.outcome, u.model, u.purpose, count(*) AS calls, coalesce(sum(u.cost::numeric), 0)::double precision AS cost,
      sum(u.input_tokens)::bigint AS "inputTokens", sum(u.output_tokens)::bigint AS "outputTokens"
    FROM fabula.uses u WHERE u.run_id = $1 GROUP BY u.outcome, u.model, u.purpose ORDER BY u.model, u.purpose, u.outcome`,
  // The page is taken first, so that its length, not the size of the store, decides how many calls are looked up.
  runCalls: `
    SELECT ${USES.columns.select("u", "use_")}, ${CALLS.columns.select("c", "call_")}, u.position
    FROM (SELECT * FROM fabula.uses WHERE run_id = $1 AND position > $2 ORDER BY position LIMIT $3) u
    LEFT JOIN fabula.calls c ON c.key = u.key AND u.outcome <> 'failed' ORDER BY u.position`,
  saveEvents: insertFrom(WRITTEN_EVENTS, "$1"),
  areEventsThere: "SELECT 1 FROM fabula.events WHERE run_id = $1 AND written = $2 LIMIT 1",
  events: `SELECT ${EVENTS.columns.select("e")} FROM fabula.events e WHERE e.run_id = $1 ORDER BY e.position`,
  savePaper: `${insertFrom(PAPERS, "$1")} ON CONFLICT (run_id, name) DO UPDATE SET body = excluded.body, at = excluded.at`,
  findPaper: `SELECT ${PAPERS.columns.select("p")} FROM fabula.papers p WHERE p.run_id = $1 AND p.name = $2`,
  saveBatch: upsert(BATCHES, "$1", "token"),
  openBatches: `
    SELECT ${BATCHES.columns.select("b")} FROM fabula.batches b
    WHERE b.model = $1 AND NOT b.collected ORDER BY b.submitted_at`,
};

const countRow = z.object({ count: z.number() });
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
    findCall: (key) => lookUps.add(key),
    recordAnswer: (call, request, use) => answers.add({ call, request, use: { ...use, written: randomUUID() } }),
    async recordUses(uses) {
      const rounds = apart(uses.map((use) => ({ ...use, written: randomUUID() })));
      if (rounds.length === 0) return;
      await database.transaction(async (client) => {
        for (const round of rounds) await client.query(SQL.saveUses, [asParameter(WRITTEN_USES, round)]);
      });
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
    async failures(runId) {
      return (await query(SQL.failures, [toSafeText(runId)])).map((row) => read(FAILURES, row));
    },
    async totals(runId): Promise<UseTotal[]> {
      return (await query(SQL.totals, [toSafeText(runId)])).map((row) => read(TOTALS, row));
    },
    async runCalls(runId, { limit, after }) {
      const rows = await query(SQL.runCalls, [toSafeText(runId), after ?? 0, limit]);
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

    async savePaper(paper) {
      await query(SQL.savePaper, [asParameter(PAPERS, [paper])]);
    },
    async findPaper(runId, name) {
      const [row] = await query(SQL.findPaper, [runId, name].map(toSafe));
      return row ? read(PAPERS, row) : null;
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

import { comparisonSql } from "../run-comparison.ts";
import {
  BATCHES,
  CALLS,
  EVENTS,
  insertFrom,
  METADATA,
  REQUESTS,
  RUNS,
  USES,
  upsert,
  WRITTEN_EVENTS,
  WRITTEN_USES,
} from "./tables.ts";

const saveUses = (parameter: string) => `${insertFrom(WRITTEN_USES, parameter)}
  ON CONFLICT (run_id, key) DO UPDATE SET outcome = excluded.outcome, at = excluded.at, reason = excluded.reason,
    request_hash = excluded.request_hash,
    input_tokens = excluded.input_tokens, output_tokens = excluded.output_tokens, written = excluded.written,
    cost = uses.cost + excluded.cost
  WHERE NOT (uses.outcome = 'asked' AND excluded.outcome = 'cached') AND uses.written IS DISTINCT FROM excluded.written`;

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
export const SQL = {
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
    SELECT u.outcome, u.model, u.purpose, count(*) AS calls,
      sum(u.cost::numeric)::double precision AS cost, count(*) - count(u.cost) AS "unpricedCalls",
      sum(u.input_tokens)::bigint AS "inputTokens", sum(u.output_tokens)::bigint AS "outputTokens"
    FROM fabula.uses u WHERE u.run_id = $1 GROUP BY u.outcome, u.model, u.purpose ORDER BY u.model, u.purpose, u.outcome`,
  // The page is taken first, so that its length, not the size of the store, decides how many calls are looked up.
  runCalls: `
    SELECT ${USES.columns.select("u", "use_")}, ${CALLS.columns.select("c", "call_")}, u.position
    FROM (
      SELECT * FROM fabula.uses
      WHERE run_id = $1 AND position > $2 AND ($4::text IS NULL OR model = $4)
        AND ($5::text IS NULL OR purpose = $5) AND ($6::text IS NULL OR outcome = $6)
      ORDER BY position LIMIT $3) u
    LEFT JOIN fabula.calls c ON c.key = u.key AND u.outcome <> 'failed' ORDER BY u.position`,
  comparison: comparisonSql("fabula.", (number) => `$${number}`),
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

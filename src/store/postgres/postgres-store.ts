import { randomUUID } from "node:crypto";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { toSafe } from "../columns.ts";
import { toJsonWords } from "../json-words.ts";
import type { CallUse, StoredCall, StoredRun, UseTotal } from "../records.ts";
import { readOverlap } from "../run-comparison.ts";
import { callFilterValues, filterValues, placeOf } from "../run-filter.ts";
import { toSafeText } from "../safe-text.ts";
import type { RunFilter, Store } from "../store.ts";
import { Database, type DatabaseOptions } from "./database.ts";
import { Group } from "./group.ts";
import { postgresContents } from "./postgres-contents.ts";
import { SQL } from "./statements.ts";
import {
  asParameter,
  BATCHES,
  CALLS,
  EVENTS,
  FAILURES,
  METADATA,
  REQUESTS,
  RUNS,
  read,
  TOTALS,
  USES,
  WRITTEN_EVENTS,
  WRITTEN_USES,
} from "./tables.ts";

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
    async compareRuns(left, right, { rows, characters }) {
      const runs = [left, right].map(toSafeText);
      const [counts] = await query(SQL.comparison.counts, runs);
      return readOverlap(counts, await query(SQL.comparison.rows, [...runs, characters, rows]));
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

import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type pg from "pg";
import { from as copyFrom } from "pg-copy-streams";
import { z } from "zod";
import {
  type ContentPage,
  type Contents,
  type ContentTable,
  onConflict,
  type Place,
  pick,
  type RawRow,
} from "../contents.ts";
import type { Database } from "./database.ts";
import { inTransaction } from "./transaction.ts";

const CHUNK_CHARACTERS = 256 * 1024;

type Value = string | number | boolean | null;

/** Rows into a table by COPY, which is several times as fast as INSERT. */
async function copyIn(
  client: pg.PoolClient,
  table: string,
  columns: readonly string[],
  rows: Iterable<readonly Value[]>,
): Promise<void> {
  const stream = client.query(copyFrom(`COPY ${table} (${columns.join(", ")}) FROM STDIN`));
  await pipeline(Readable.from(chunks(rows)), stream);
}

function* chunks(rows: Iterable<readonly Value[]>): Generator<string> {
  let chunk = "";
  for (const row of rows) {
    chunk += `${row.map(field).join("\t")}\n`;
    if (chunk.length >= CHUNK_CHARACTERS) {
      yield chunk;
      chunk = "";
    }
  }
  if (chunk !== "") yield chunk;
}

const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function field(value: Value): string {
  if (value === null) return "\\N";
  return typeof value === "string" ? value.replace(/[\\\t\n\r]/g, (found) => ESCAPES[found] ?? found) : String(value);
}

const placedSchema = z.object({ place: z.union([z.string(), z.number()]) });
const countSchema = z.object({ count: z.number() });
const runSchema = z.object({ run_id: z.string() });

export function postgresContents(database: Database): Contents {
  return {
    async count({ name }) {
      const [row] = await database.query(`SELECT count(*) AS count FROM fabula.${name}`);
      return countSchema.parse(row).count;
    },
    async page({ name, place }, names, after, limit): Promise<ContentPage> {
      const condition = after === null ? "" : `WHERE ${place} > $2`;
      const rows = await database.query(
        `SELECT ${names.join(", ")}, ${place} AS place FROM fabula.${name} ${condition} ORDER BY ${place} LIMIT $1`,
        after === null ? [limit] : [limit, after],
      );
      const last = rows.at(-1);
      const next: Place | null = rows.length < limit || !last ? null : placedSchema.parse(last).place;
      return { rows: rows.map((row) => pick(names, row)), next };
    },
    async find({ name, identity }, names, like) {
      const wanted = identity.map((_, index) => `$${index + 1}::text[]`).join(", ");
      const rows = await database.query(
        `SELECT ${names.map((column) => `t.${column}`).join(", ")} FROM fabula.${name} t
         JOIN unnest(${wanted}) AS wanted (${identity.join(", ")}) USING (${identity.join(", ")})`,
        identity.map((column) => like.map((row) => row[column])),
      );
      return rows.map((row) => pick(names, row));
    },
    add: (table, rows) => add(database, table, rows),
    async runsWithEvents(after, limit) {
      const rows = await database.query(
        "SELECT DISTINCT run_id FROM fabula.events WHERE run_id > $1 ORDER BY run_id LIMIT $2",
        [after ?? "", limit],
      );
      return rows.map((row) => runSchema.parse(row).run_id);
    },
    async settle() {
      await database.use((client) => client.query("ANALYZE fabula.calls, fabula.uses, fabula.requests, fabula.runs"));
    },
  };
}

/** COPY cannot look at what is there, so rows go into a table of this connection first and from there to their place. */
async function add(database: Database, table: ContentTable, rows: readonly RawRow[]): Promise<number> {
  const { name, columns, identity } = table;
  const list = columns.join(", ");
  // Uses keep the order they came in; the rest is written by identity, so that two copies at once wait in one direction.
  const order = table.place === "position" ? "ordinal" : identity.join(", ");
  return database.use((client) =>
    inTransaction(client, async () => {
      await client.query(
        `CREATE TEMPORARY TABLE IF NOT EXISTS incoming_${name} ON COMMIT DELETE ROWS AS
         SELECT 0 AS ordinal, ${list} FROM fabula.${name} WITH NO DATA`,
      );
      const values = rows.map((row, ordinal) => [ordinal, ...columns.map((column) => row[column] ?? null)]);
      await copyIn(client, `incoming_${name}`, ["ordinal", ...columns], values);
      const { rowCount } = await client.query(
        `INSERT INTO fabula.${name} (${list}) SELECT ${list} FROM incoming_${name} ORDER BY ${order} ${onConflict(table)}`,
      );
      return rowCount ?? 0;
    }),
  );
}

import { z } from "zod";
import { sumBy } from "../../stats/distribution.ts";
import {
  type ContentPage,
  type Contents,
  type ContentTable,
  onConflict,
  type Place,
  pick,
  type RawRow,
} from "../contents.ts";
import type { Connection, Statement } from "./connection.ts";

const rowSchema = z.record(z.string(), z.unknown());
const placeSchema = z.union([z.string(), z.number()]);
const countSchema = z.object({ count: z.number() });
const runSchema = z.object({ run_id: z.string() });

export function sqliteContents(database: Connection): Contents {
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
      const insert = statement(insertInto(table));
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

function insertInto(table: ContentTable): string {
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

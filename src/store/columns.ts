import type { z } from "zod";
import { fromSafeText, toSafeText } from "./safe-text.ts";

/** The columns of a table, taken from the schema of what it holds: `inputTokens` is the column `input_tokens`. */
export interface Columns {
  readonly names: readonly string[];
  /** The names as the database has them, in the same order. */
  readonly inDatabase: readonly string[];
  column(name: string): string;
  /** `t.input_tokens AS "prefix_inputTokens", …` */
  select(table: string, prefix?: string): string;
  values(row: Readonly<Record<string, unknown>>): unknown[];
  /** What `select` gave, as it was before `values`. */
  row(row: unknown, prefix?: string): Record<string, unknown>;
}

export function columns(schema: z.ZodObject): Columns {
  const names = Object.keys(schema.shape);
  return {
    names,
    inDatabase: names.map(snakeCase),
    column: (name) => {
      if (!names.includes(name)) throw new Error(`no column for "${name}"`);
      return snakeCase(name);
    },
    select: (table, prefix = "") => names.map((name) => `${table}.${snakeCase(name)} AS "${prefix}${name}"`).join(", "),
    values: (row) => names.map((name) => toSafe(row[name] ?? null)),
    row: (row, prefix = "") => {
      const values = Object(row);
      return Object.fromEntries(names.map((name) => [name, fromSafe(values[prefix + name])]));
    },
  };
}

/** For the right side of `ON CONFLICT … DO UPDATE SET`: every column but the identity, as it would have been inserted. */
export function takeNew({ inDatabase }: Columns, identity: string): string {
  return inDatabase
    .filter((column) => column !== identity)
    .map((column) => `${column} = excluded.${column}`)
    .join(", ");
}

export function toSafe(value: unknown): unknown {
  return typeof value === "string" ? toSafeText(value) : value;
}

function fromSafe(value: unknown): unknown {
  return typeof value === "string" ? fromSafeText(value) : value;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

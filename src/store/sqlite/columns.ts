import type { z } from "zod";

/** The columns of a table, taken from the schema of what it holds: `inputTokens` is the column `input_tokens`. */
export interface Columns {
  readonly names: readonly string[];
  column(name: string): string;
  /** `t.input_tokens AS prefix_inputTokens, …` */
  select(table: string, prefix?: string): string;
  values(row: Readonly<Record<string, unknown>>): unknown[];
  unprefixed(row: Readonly<Record<string, unknown>>, prefix: string): Record<string, unknown>;
}

export function columns(schema: z.ZodObject): Columns {
  const names = Object.keys(schema.shape);
  return {
    names,
    column: (name) => {
      if (!names.includes(name)) throw new Error(`no column for "${name}"`);
      return snakeCase(name);
    },
    select: (table, prefix = "") => names.map((name) => `${table}.${snakeCase(name)} AS ${prefix}${name}`).join(", "),
    values: (row) => names.map((name) => row[name] ?? null),
    unprefixed: (row, prefix) => Object.fromEntries(names.map((name) => [name, row[prefix + name]])),
  };
}

export function insertInto(table: string, { names }: Columns): string {
  const list = names.map(snakeCase).join(", ");
  return `INSERT INTO ${table} (${list}) VALUES (${names.map(() => "?").join(", ")})`;
}

/** Unlike `INSERT OR REPLACE`, this keeps the row's place. */
export function upsertInto(table: string, all: Columns, identity: string): string {
  const updates = all.names
    .filter((name) => name !== identity)
    .map((name) => `${snakeCase(name)} = excluded.${snakeCase(name)}`);
  return `${insertInto(table, all)} ON CONFLICT (${snakeCase(identity)}) DO UPDATE SET ${updates.join(", ")}`;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

import { z } from "zod";
import { callUseSchema, runMetadataSchema, storedBatchSchema, storedCallSchema, storedRunSchema } from "./records.ts";
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

/**
 * What a use of a call becomes when the same run reports on it once more. A paid answer stays one: another worker that finds it
 * stored, or whose own try failed meanwhile, adds only what that try cost.
 */
export const LATER_USE = ["outcome", "at", "reason", "request_hash", "input_tokens", "output_tokens"]
  .map(
    (column) =>
      `${column} = CASE uses.outcome WHEN 'asked' THEN CASE excluded.outcome WHEN 'asked' THEN excluded.${column} ELSE uses.${column} END ELSE excluded.${column} END`,
  )
  .concat("cost = uses.cost + excluded.cost")
  .join(", ");

export function toSafe(value: unknown): unknown {
  return typeof value === "string" ? toSafeText(value) : value;
}

function fromSafe(value: unknown): unknown {
  return typeof value === "string" ? fromSafeText(value) : value;
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A row as the database has it: names and safe text of its columns, the same whichever database it is. */
const rawRowSchema = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type RawRow = z.infer<typeof rawRowSchema>;

export type TableName = "requests" | "calls" | "runs" | "uses" | "run_metadata" | "batches";

/** What copying needs to know of a table. The conditions are SQL that SQLite and PostgreSQL read alike. */
export interface ContentTable {
  readonly name: TableName;
  readonly columns: readonly string[];
  /** What makes a row the same row in another store. */
  readonly identity: readonly string[];
  /** What tells an earlier state of a row from a later one. */
  readonly state: readonly string[];
  /** Rows are read in this order, and written so. */
  readonly place: string;
  /** When a row that comes replaces the one that is there; never when null. */
  readonly replacesWhen: string | null;
  /** The same condition for rows in hand. */
  isLater(row: RawRow, than: RawRow): boolean;
}

/** Moments are written so that they compare as text. */
const isAfter = (moment: RawRow[string] | undefined, other: RawRow[string] | undefined) =>
  String(moment ?? "") > String(other ?? "");

/** Of two rows with the same identity the one of the later moment stands. */
const latestStands = (table: string, moment: string): Pick<ContentTable, "state" | "replacesWhen" | "isLater"> => ({
  state: [moment],
  replacesWhen: `excluded.${moment} > ${table}.${moment}`,
  isLater: (row, than) => isAfter(row[moment], than[moment]),
});

/** In the order of copying: what others refer to comes first, so that an interrupted copy holds no answer without its request. */
export const CONTENT_TABLES: readonly ContentTable[] = [
  {
    name: "requests",
    columns: ["hash", "body"],
    identity: ["hash"],
    state: [],
    place: "hash",
    replacesWhen: null,
    isLater: () => false,
  },
  {
    name: "calls",
    columns: columns(storedCallSchema).inDatabase,
    identity: ["key"],
    place: "key",
    ...latestStands("calls", "answered_at"),
  },
  {
    name: "runs",
    columns: columns(storedRunSchema).inDatabase,
    identity: ["id"],
    state: ["seen_at", "finished_at"],
    place: "id",
    replacesWhen: `excluded.seen_at > runs.seen_at
      OR (excluded.seen_at = runs.seen_at AND runs.finished_at IS NULL AND excluded.finished_at IS NOT NULL)`,
    isLater: (row, than) =>
      isAfter(row.seen_at, than.seen_at) ||
      (row.seen_at === than.seen_at && than.finished_at === null && row.finished_at !== null),
  },
  {
    name: "uses",
    columns: columns(callUseSchema).inDatabase,
    identity: ["run_id", "key"],
    place: "position",
    ...latestStands("uses", "at"),
  },
  {
    name: "run_metadata",
    columns: columns(runMetadataSchema).inDatabase,
    identity: ["run_id", "name"],
    place: "position",
    ...latestStands("run_metadata", "at"),
  },
  {
    name: "batches",
    columns: columns(storedBatchSchema).inDatabase,
    identity: ["token"],
    state: ["provider_id", "collected"],
    place: "token",
    replacesWhen: `NOT batches.collected
      AND (excluded.collected OR (batches.provider_id IS NULL AND excluded.provider_id IS NOT NULL))`,
    isLater: (row, than) =>
      than.collected === false && (row.collected === true || (than.provider_id === null && row.provider_id !== null)),
  },
];

export type Place = string | number;

export interface ContentPage {
  readonly rows: readonly RawRow[];
  /** Where the next page starts; null after the last row. */
  readonly next: Place | null;
}

/** Everything a store holds, table by table, as it is: for copying a store whole. Events are copied by run, as the store gives them. */
export interface Contents {
  count(table: ContentTable): Promise<number>;
  page(table: ContentTable, names: readonly string[], after: Place | null, limit: number): Promise<ContentPage>;
  /** Those of these rows that are there, by their identity, in any order. */
  find(table: ContentTable, names: readonly string[], like: readonly RawRow[]): Promise<RawRow[]>;
  /** Adds rows that are not there and replaces those that are there in an earlier state; says how many. All or nothing. */
  add(table: ContentTable, rows: readonly RawRow[]): Promise<number>;
  /** The runs that events tell of, by name. */
  runsWithEvents(after: string | null, limit: number): Promise<string[]>;
  /** After much was added: what the database wants to know before it is asked. */
  settle(): Promise<void>;
}

/** These columns of what a database returned; drivers add things of their own. */
export function pick(names: readonly string[], row: Readonly<Record<string, unknown>>): RawRow {
  return rawRowSchema.parse(Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
}

export function identityOf({ identity }: ContentTable, row: RawRow): string {
  return JSON.stringify(identity.map((name) => row[name]));
}

/** `ON CONFLICT …` for rows that come from another store. */
export function onConflict({ columns, identity, replacesWhen }: ContentTable): string {
  const where = `ON CONFLICT (${identity.join(", ")})`;
  if (replacesWhen === null) return `${where} DO NOTHING`;
  const updates = columns.filter((name) => !identity.includes(name)).map((name) => `${name} = excluded.${name}`);
  return `${where} DO UPDATE SET ${updates.join(", ")} WHERE ${replacesWhen}`;
}

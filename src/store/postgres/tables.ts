import { z } from "zod";
import { type Columns, columns, takeNew } from "../columns.ts";
import { jsonWords } from "../json-words.ts";
import {
  callUseSchema,
  failureCountSchema,
  runEventSchema,
  runMetadataSchema,
  storedBatchSchema,
  storedCallSchema,
  storedRunSchema,
  useTotalSchema,
} from "../records.ts";
import type { Row } from "./database.ts";

/** A table's columns, and how a row of it becomes what it stands for. */
interface Table<T> {
  readonly name: string;
  readonly columns: Columns;
  readonly row: z.ZodType<T>;
}

export const CALLS = table("fabula.calls", storedCallSchema);
export const USES = table("fabula.uses", callUseSchema);
export const METADATA = table("fabula.run_metadata", runMetadataSchema);
export const EVENTS = table("fabula.events", runEventSchema);
/** What a run used, added up: no table, but rows all the same. */
export const TOTALS = table("totals", useTotalSchema);
export const FAILURES = table("failures", failureCountSchema);
/** What is asked with an answer, by its hash. */
export const REQUESTS = table("fabula.requests", z.object({ hash: z.string(), body: z.string() }));
/** With the name of the write that brought the row: one that is sent again is recognised by it. */
export const WRITTEN_USES = table("fabula.uses", callUseSchema.extend({ written: z.uuid() }));
export const WRITTEN_EVENTS = table("fabula.events", runEventSchema.extend({ written: z.uuid() }));
export const RUNS = {
  ...table("fabula.runs", storedRunSchema),
  row: storedRunSchema.extend({ command: jsonWords }),
};
export const BATCHES = {
  ...table("fabula.batches", storedBatchSchema),
  row: storedBatchSchema.extend({ keys: jsonWords }),
};

function table<T extends z.ZodObject>(name: string, row: T) {
  return { name, columns: columns(row), row };
}

export function read<T>({ columns, row }: Table<T>, found: Row, prefix = ""): T {
  return row.parse(columns.row(found, prefix));
}

/** Rows as one parameter; the table itself says what type each value has. Names are the database's. */
export function asParameter({ columns }: Table<unknown>, rows: readonly object[]): string {
  return JSON.stringify(
    rows.map((row) => {
      const values = columns.values({ ...row });
      return Object.fromEntries(columns.inDatabase.map((column, index) => [column, values[index]]));
    }),
  );
}

/** `INSERT INTO calls (…) SELECT … FROM` the rows in a parameter. */
export function insertFrom({ name, columns }: Table<unknown>, parameter: string): string {
  const list = columns.inDatabase.join(", ");
  return `INSERT INTO ${name} (${list}) SELECT ${list} FROM json_populate_recordset(NULL::${name}, ${parameter}::json)`;
}

/** In the order of the identity: two writers that meet the same rows then wait for each other, and never in a circle. */
export function upsert(table: Table<unknown>, parameter: string, identity: string): string {
  const update = `DO UPDATE SET ${takeNew(table.columns, identity)}`;
  return `${insertFrom(table, parameter)} ORDER BY ${identity} ON CONFLICT (${identity}) ${update}`;
}

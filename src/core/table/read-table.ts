import { readFile } from "node:fs/promises";
import { z } from "zod";
import { FabulaError } from "../errors.ts";
import { jsonLines } from "../json-lines.ts";
import { loadedWhenCalled } from "../remembered.ts";
import type { Table } from "./table.ts";

const rowSchema = z.record(z.string(), z.unknown());
const READERS = {
  csv: loadedWhenCalled(async () => (await import("./csv-table.ts")).readCsv),
  jsonl: readJsonLinesTable,
  json: readJson,
  parquet: readParquet,
} as const;

/** Reads CSV (comma, semicolon or tab), JSONL, a JSON array of objects, or Parquet, by the file's name; `-` is CSV on standard input. */
export async function readTable(path: string): Promise<Table> {
  const table = await READERS[formatOf(path)](path);
  if (table.rows.length === 0) {
    throw new FabulaError("E_TABLE_EMPTY", `"${path}" has no rows: a heading and at least one row are needed.`);
  }
  return table;
}

function formatOf(path: string): keyof typeof READERS {
  const name = path.toLowerCase().replace(/\.gz$/, "");
  if (path === "-" || /\.(csv|tsv|txt)$/.test(name)) return "csv";
  if (/\.(jsonl|ndjson)$/.test(name)) return "jsonl";
  if (/\.json$/.test(name)) return "json";
  if (/\.(parquet|pq)$/.test(name)) return "parquet";
  throw new FabulaError(
    "E_TABLE_FORMAT",
    `"${path}" is not a kind of table that Fabula reads: use .csv, .tsv, .jsonl, .json or .parquet.`,
  );
}

async function readJsonLinesTable(path: string): Promise<Table> {
  const rows: Record<string, unknown>[] = [];
  for await (const row of jsonLines(path, rowSchema)) rows.push(row);
  return { source: path, columns: columnsOf(rows), rows };
}

async function readJson(path: string): Promise<Table> {
  let document: unknown;
  try {
    document = JSON.parse(await readFile(path, "utf8"));
  } catch (cause) {
    const advice = cause instanceof SyntaxError ? "it is not valid JSON" : "it cannot be read; check the path";
    throw new FabulaError("E_TABLE_READ", `"${path}": ${advice}.`, { cause });
  }
  const rows = z.array(rowSchema).safeParse(document);
  if (!rows.success) throw new FabulaError("E_TABLE_READ", `"${path}" must hold a JSON array of objects, one per row.`);
  return { source: path, columns: columnsOf(rows.data), rows: rows.data };
}

function columnsOf(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/** Parquet of any compression, read in plain JavaScript that is loaded when there is such a file. */
async function readParquet(path: string): Promise<Table> {
  const [{ asyncBufferFromFile, parquetReadObjects }, { compressors }] = await Promise.all([
    import("hyparquet"),
    import("hyparquet-compressors"),
  ]);
  try {
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
    return { source: path, columns: Object.keys(rows[0] ?? {}), rows };
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const advice = missing ? "there is no such file. Check the path" : "it is not readable as Parquet";
    throw new FabulaError("E_TABLE_READ", `"${path}": ${advice}.`, { cause });
  }
}

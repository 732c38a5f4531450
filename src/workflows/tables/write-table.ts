import { extname } from "node:path";
import { csvLine } from "../../core/csv.ts";
import { FabulaError } from "../../core/errors.ts";
import { writeWholeFile } from "../../core/files/write-whole-file.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import type { TableColumn, TableRow } from "../../report/tables/table-column.ts";

export const TABLE_ENDINGS = ["csv", "jsonl", "parquet"] as const;
export type TableEnding = (typeof TABLE_ENDINGS)[number];

/** The kind of table a file's name asks for; null when it asks for none. */
export function tableEnding(path: string): TableEnding | null {
  const ending = extname(path).slice(1).toLowerCase();
  return TABLE_ENDINGS.find((known) => known === ending) ?? null;
}

/** Writes rows as CSV, JSONL or Parquet, as the file's name asks; the file appears whole or not at all. */
export async function writeTable(
  path: string,
  columns: readonly TableColumn[],
  rows: AsyncIterable<TableRow> | Iterable<TableRow>,
): Promise<void> {
  const ending = tableEnding(path);
  switch (ending) {
    case "csv":
      return writeWholeFile(path, csvText(columns, rows));
    case "jsonl":
      return writeJsonLines(path, rows);
    case "parquet": {
      const { writeParquet } = await import("../runs/write-parquet.ts");
      return writeParquet(path, columns, eachOf(rows));
    }
    case null:
      throw new FabulaError("E_USAGE", `--out ${path}: end the file's name with .csv, .jsonl or .parquet.`);
    default:
      return ending satisfies never;
  }
}

async function* csvText(
  columns: readonly TableColumn[],
  rows: AsyncIterable<TableRow> | Iterable<TableRow>,
): AsyncGenerator<string> {
  yield `${csvLine(columns.map(({ name }) => name))}\n`;
  for await (const row of rows) yield `${csvLine(columns.map(({ name }) => row[name] ?? null))}\n`;
}

async function* eachOf<Row>(rows: AsyncIterable<Row> | Iterable<Row>): AsyncGenerator<Row> {
  yield* rows;
}

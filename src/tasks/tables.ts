import { rm } from "node:fs/promises";
import { extname } from "node:path";
import { z } from "zod";
import { csvLine } from "../core/csv.ts";
import { FabulaError } from "../core/errors.ts";
import { writeWholeFile } from "../core/files.ts";
import { jsonLines, writeJsonLines } from "../core/json-lines.ts";
import { type Verdict, verdictSchema } from "../core/verdict.ts";
import type { TableColumn, TableRow } from "../report/tables.ts";

export const TABLE_ENDINGS = ["csv", "jsonl", "parquet"] as const;
export type TableEnding = (typeof TABLE_ENDINGS)[number];

/** The kind of table that a file's name asks for; null if none. */
export function tableEnding(path: string): TableEnding | null {
  const ending = extname(path).slice(1).toLowerCase();
  return TABLE_ENDINGS.find((known) => known === ending) ?? null;
}

/** Writes rows as CSV, JSONL or Parquet, depending on the file's name; the file appears only when it is complete. */
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
      const { writeParquet } = await import("./runs/export-run.ts");
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

const COLUMNS = [
  { name: "id", type: "STRING" },
  { name: "criterion", type: "STRING" },
  { name: "score", type: "DOUBLE" },
  { name: "low", type: "DOUBLE" },
  { name: "high", type: "DOUBLE" },
  { name: "minimum", type: "DOUBLE" },
  { name: "maximum", type: "DOUBLE" },
  { name: "unscored", type: "STRING" },
  { name: "caveat", type: "STRING" },
] as const satisfies readonly TableColumn[];

const itemSchema = z.looseObject({
  id: z.union([z.string(), z.number()]),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  overall: verdictSchema,
  caveat: z.string().optional(),
  criteria: z.record(z.string(), verdictSchema),
});

/**
 * Scores texts into `output`. Scores are first written as JSONL, one text at a time, and then converted to other
 * formats, with one row per text and criterion.
 */
export async function scoresInto<Result>(
  output: string,
  keep: readonly string[],
  score: (lines: string) => Promise<Result>,
): Promise<Result> {
  const ending = output === "-" ? null : tableEnding(output);
  if (ending === null || ending === "jsonl") return score(output);
  const lines = `${output}.${process.pid}.jsonl`;
  try {
    const result = await score(lines);
    // Nothing to convert if workers do the work.
    if (result !== null) await writeTable(output, withKept(keep), rowsOf(lines, keep));
    return result;
  } finally {
    await rm(lines, { force: true });
  }
}

function withKept(keep: readonly string[]): TableColumn[] {
  const own = keep.find((name) => COLUMNS.some((column) => column.name === name));
  if (own !== undefined) {
    throw new FabulaError("E_USAGE", `--keep ${own}: the table has a column of that name already; rename yours.`);
  }
  return [...COLUMNS, ...keep.map((name) => ({ name, type: "STRING" as const }))];
}

function inCell(value: unknown): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

async function* rowsOf(file: string, keep: readonly string[]): AsyncGenerator<TableRow> {
  for await (const { id, scale, overall, caveat, criteria, ...fields } of jsonLines(file, itemSchema)) {
    const kept = Object.fromEntries(keep.map((name) => [name, inCell(fields[name])]));
    const about = { ...scale, caveat: caveat ?? null, ...kept };
    for (const [criterion, verdict] of [["overall", overall] as const, ...Object.entries(criteria)]) {
      yield { id: String(id), criterion, ...figures(verdict), ...about };
    }
  }
}

function figures(verdict: Verdict): TableRow {
  if (verdict.kind === "unscored") return { score: null, low: null, high: null, unscored: verdict.reason };
  const [low, high] = verdict.interval ?? [null, null];
  return { score: verdict.score, low, high, unscored: null };
}

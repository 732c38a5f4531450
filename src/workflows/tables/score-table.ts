import { rm } from "node:fs/promises";
import { z } from "zod";
import { FabulaError } from "../../core/errors.ts";
import { jsonLines } from "../../core/json-lines.ts";
import { type Verdict, verdictSchema } from "../../core/verdict.ts";
import type { TableColumn, TableRow } from "../../report/tables/table-column.ts";
import { tableEnding, writeTable } from "./write-table.ts";

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
 * Has texts scored into `output`, whatever kind of file it names. Scores are made as JSONL, a text at a time; a table is made
 * from that, one row per text and criterion.
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
    // Nothing is written where the work was left to others.
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

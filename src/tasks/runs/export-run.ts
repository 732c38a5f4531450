import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { fileWriter, parquetWriteRows } from "hyparquet-writer";
import { csvLine } from "../../core/csv.ts";
import { FabulaError } from "../../core/errors.ts";
import { makeFolder, writeFailure } from "../../core/files.ts";
import { serialised, writeLines } from "../../core/json-lines.ts";
import { findRun } from "../../runner/run-record.ts";
import {
  type Comparison,
  type CopyCounts,
  type CopyServices,
  compareContents,
  copyContents,
} from "../../store/copy-contents.ts";
import { isPostgres, withoutPassword } from "../../store/postgres/address.ts";
import type { RunCall } from "../../store/records.ts";
import type { Store } from "../../store/store.ts";
import { requestOf } from "../evidence.ts";
import { withStore } from "./past-runs.ts";

export type ParquetColumn = { readonly name: string; readonly type: "STRING" | "DOUBLE" };

/** Rows in memory at once; including the request, a row may hold a whole chapter. */
const ROWS_PER_GROUP = 200;

/** Writes rows as they arrive; the file appears only when it is complete. */
export async function writeParquet(
  path: string,
  columns: readonly ParquetColumn[],
  rows: AsyncIterable<Readonly<Record<string, string | number | null | undefined>>>,
): Promise<void> {
  const unfinished = `${path}.${process.pid}.unfinished`;
  try {
    await parquetWriteRows({
      writer: fileWriter(unfinished),
      rows,
      columns: columns.map((column) => ({ ...column, nullable: true })),
      rowGroupSize: ROWS_PER_GROUP,
    });
    await rename(unfinished, path);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw writeFailure(path, cause);
  }
}

export const EXPORT_FORMATS = ["jsonl", "csv", "parquet"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

export interface ExportOptions {
  readonly format: ExportFormat;
  /** A path, or `-` for standard output, which does not take Parquet. */
  readonly out: string;
  /** Include the requests, which may hold whole chapters. */
  readonly requests: boolean;
}

const PAGE = 200;
const FIELDS = [
  "run",
  "key",
  "outcome",
  "reason",
  "model",
  "purpose",
  "sample",
  "cost",
  "stop",
  "inputTokens",
  "outputTokens",
  "cachedInputTokens",
  "reasoningTokens",
  "latencyMilliseconds",
  "attempts",
  "at",
  "servedBy",
  "text",
  "reasoning",
] as const;
const NUMBERS: ReadonlySet<string> = new Set<(typeof FIELDS)[number]>([
  "sample",
  "cost",
  "inputTokens",
  "outputTokens",
  "cachedInputTokens",
  "reasoningTokens",
  "latencyMilliseconds",
  "attempts",
]);
type Line = Readonly<Record<(typeof FIELDS)[number], string | number | null>>;

/**
 * Exports every call of a run, one line each, page by page, so that a run of any size needs little memory. Returns
 * the number of calls.
 */
export async function exportRun(location: string, id: string, options: ExportOptions): Promise<number> {
  return withStore(location, async (store) => {
    await findRun(store, id);
    if (options.out !== "-") await makeFolderOf(options.out);
    let count = 0;
    async function* counted() {
      for await (const line of lines(store, id, options.requests)) {
        count += 1;
        yield line;
      }
    }
    switch (options.format) {
      case "jsonl":
        await writeLines(options.out, serialised(counted()));
        break;
      case "csv":
        await writeCsv(options.out, counted(), options.requests);
        break;
      case "parquet":
        await writeParquet(options.out, parquetColumns(options.requests), counted());
        break;
      default:
        options.format satisfies never;
    }
    return count;
  });
}

async function* lines(store: Store, id: string, withRequests: boolean) {
  for (let after: number | null = null; ; ) {
    const page = await store.runCalls(id, { limit: PAGE, after });
    const last = page.at(-1);
    if (!last) return;
    for (const call of page) {
      const request = withRequests ? await requestOf(store, call) : null;
      yield { ...lineOf(call), ...(withRequests ? { request } : {}) };
    }
    after = last.position;
  }
}

function lineOf({ runId, key, outcome, reason, model, purpose, cost, at, answer }: RunCall): Line {
  return {
    run: runId,
    key,
    outcome,
    reason,
    model,
    purpose,
    sample: answer?.sample ?? null,
    cost,
    stop: answer?.stop ?? null,
    inputTokens: answer?.inputTokens ?? null,
    outputTokens: answer?.outputTokens ?? null,
    cachedInputTokens: answer?.cachedInputTokens ?? null,
    reasoningTokens: answer?.reasoningTokens ?? null,
    latencyMilliseconds: answer?.latencyMilliseconds ?? null,
    attempts: answer?.attempts ?? null,
    at,
    servedBy: answer?.servedBy ?? null,
    text: answer?.text ?? null,
    reasoning: answer?.reasoning ?? null,
  };
}

function parquetColumns(withRequests: boolean): ParquetColumn[] {
  const names = withRequests ? [...FIELDS, "request"] : FIELDS;
  return names.map((name) => ({ name, type: NUMBERS.has(name) ? "DOUBLE" : "STRING" }));
}

async function makeFolderOf(path: string): Promise<void> {
  await makeFolder(dirname(path)).catch((cause: unknown) => {
    throw writeFailure(path, cause);
  });
}

async function writeCsv(
  out: string,
  rows: AsyncIterable<Line & { request?: string | null }>,
  withRequests: boolean,
): Promise<void> {
  async function* text() {
    yield `${csvLine(withRequests ? [...FIELDS, "request"] : FIELDS)}\n`;
    for await (const row of rows) {
      const fields = FIELDS.map((name) => row[name]);
      yield `${csvLine(withRequests ? [...fields, row.request ?? null] : fields)}\n`;
    }
  }
  await writeLines(out, text());
}

export interface CopiedStore {
  readonly from: string;
  readonly to: string;
  readonly copied: CopyCounts;
  /** Null if it was not requested. */
  readonly comparison: Comparison | null;
}

/** Copies everything from one store to another, of any kind, and compares the two. */
export async function copyStore(
  { from, to, compare }: { readonly from: string; readonly to: string; readonly compare: boolean },
  services: CopyServices,
): Promise<CopiedStore> {
  if (!isPostgres(from) && !existsSync(from)) {
    throw new FabulaError("E_STORE_MISSING", `There is no store at ${from}: give the one to copy with --from.`);
  }
  if (nameOf(from) === nameOf(to)) {
    throw new FabulaError(
      "E_STORE_SAME",
      `--from and --to are both ${withoutPassword(from)}: give another store to one.`,
    );
  }
  return withStore(from, (source) =>
    withStore(to, async (target) => {
      const copied = await copyContents(source, target, services).catch((error: unknown) => {
        throw services.signal.aborted ? interrupted(error) : error;
      });
      const comparison = compare ? await compareContents(source, target, services) : null;
      if (comparison && comparison.differences > 0) throw differ(comparison, target.location);
      return { from: source.location, to: target.location, copied, comparison };
    }),
  );
}

function interrupted(cause: unknown): FabulaError {
  return new FabulaError(
    "E_INTERRUPTED",
    "Interrupted: what was copied stays, and the same command continues from there.",
    {
      cause,
    },
  );
}

function nameOf(location: string): string {
  return isPostgres(location) ? location : resolve(location);
}

function differ({ differences, different, digests, rows }: Comparison, target: string): FabulaError {
  return new FabulaError(
    "E_COPY_DIFFERS",
    `${differences} of ${rows} rows are missing in ${target} or differ there, such as ${different[0]}: if a run was writing meanwhile, copy again when it has ended.`,
    { evidence: { different, digests } },
  );
}

import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { FabulaError } from "../errors.ts";
import type { Table } from "./table.ts";

/** Parquet of any compression, read in plain JavaScript. */
export async function readParquet(path: string): Promise<Table> {
  try {
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(path), compressors });
    return { source: path, columns: Object.keys(rows[0] ?? {}), rows };
  } catch (cause) {
    const missing = cause instanceof Error && "code" in cause && cause.code === "ENOENT";
    const advice = missing ? "there is no such file. Check the path" : "it is not readable as Parquet";
    throw new FabulaError("E_TABLE_READ", `"${path}": ${advice}.`, { cause });
  }
}

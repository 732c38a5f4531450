import { rename, rm } from "node:fs/promises";
import { fileWriter, parquetWriteRows } from "hyparquet-writer";
import { writeFailure } from "../../core/files/write-failure.ts";

export type ParquetColumn = { readonly name: string; readonly type: "STRING" | "DOUBLE" };

/** Rows that are in memory at once: with what was asked, a row may hold a whole chapter. */
const ROWS_PER_GROUP = 200;

/** Writes rows as they come; the file appears whole or not at all. */
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

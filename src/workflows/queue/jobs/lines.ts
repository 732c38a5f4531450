import type { PieceDraft } from "../shared-runs.ts";

/** Rows in batches, each a piece with a label that says which rows it holds. */
export async function* batches<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  size: number,
  dataOf: (rows: readonly Row[]) => unknown,
  word: string,
): AsyncGenerator<PieceDraft> {
  let batch: Row[] = [];
  let start = 1;
  const draft = () => ({ label: `${word} ${start}–${start + batch.length - 1}`, data: dataOf(batch) });
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield draft();
    start += batch.length;
    batch = [];
  }
  if (batch.length > 0) yield draft();
}

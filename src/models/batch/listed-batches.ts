import { z } from "zod";
import { type BatchConnection, batchExchange, parseBatchReply } from "./batch-http.ts";

interface BatchList<T> {
  readonly path: string;
  /** The name of the parameter that takes the last id of the page before. */
  readonly cursor: string;
  readonly schema: z.ZodType<T>;
}

const PAGE = 100;
const CLOCKS_DIFFER_MILLISECONDS = 120_000;

/** The provider's batches, newest first, back to those made when ours was submitted. */
export async function* batchesSince<T extends { readonly id: string; readonly createdAt: number }>(
  connection: BatchConnection,
  { path, cursor, schema }: BatchList<T>,
  submittedAt: string,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const since = Date.parse(submittedAt) - CLOCKS_DIFFER_MILLISECONDS;
  const pageSchema = z.object({ data: z.array(schema), has_more: z.boolean().default(false) });
  let after = "";
  for (;;) {
    const body = await batchExchange(connection, `${path}?limit=${PAGE}${after}`, { method: "GET", signal });
    const { data, has_more: hasMore } = parseBatchReply(connection.model, body, pageSchema);
    yield* data.filter(({ createdAt }) => createdAt >= since);
    const last = data.at(-1);
    if (!hasMore || !last || last.createdAt < since) return;
    after = `&${cursor}=${encodeURIComponent(last.id)}`;
  }
}

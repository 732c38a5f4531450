import { z } from "zod";
import { sum } from "../../stats/distribution.ts";
import {
  type BatchConnection,
  type BatchGateway,
  type BatchResult,
  type BatchState,
  batchExchange,
  batchResults,
  parseBatchReply,
} from "./batch-http.ts";

interface BatchList<T> {
  readonly path: string;
  /** The name of the parameter for the last id of the previous page. */
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

const identified = z.object({ id: z.string() });
const batchSchema = z.object({ id: z.string(), processing_status: z.enum(["in_progress", "canceling", "ended"]) });
const listedSchema = batchSchema
  .extend({ created_at: z.iso.datetime({ offset: true }), request_counts: z.record(z.string(), z.number().int()) })
  .transform(({ id, processing_status: status, created_at: createdAt, request_counts: counts }) => ({
    id,
    createdAt: Date.parse(createdAt),
    ended: status === "ended",
    size: sum(Object.values(counts)),
  }));
const lineSchema = z.object({
  custom_id: z.string(),
  result: z.discriminatedUnion("type", [
    z.object({ type: z.literal("succeeded"), message: z.unknown() }),
    z.object({ type: z.literal("errored"), error: z.unknown() }),
    z.object({ type: z.literal("canceled") }),
    z.object({ type: z.literal("expired") }),
  ]),
});
const errorTypeSchema = z.object({ error: z.object({ type: z.string() }) });

/** A batch is created when its upload is complete. On a slow line this takes minutes, but never a day. */
const LONGEST_UPLOAD_MILLISECONDS = 24 * 3600 * 1000;

/** Anthropic's message batches. */
export function anthropicBatches(connection: BatchConnection): BatchGateway {
  const { model } = connection;
  const get = (path: string, signal: AbortSignal) => batchExchange(connection, path, { method: "GET", signal });
  const results = (id: string, signal: AbortSignal) =>
    batchResults(connection, `/messages/batches/${id}/results`, lineSchema.transform(resultOf), signal);
  /** One call from each batch that was searched. */
  const members = new Map<string, string>();
  const memberOf = async (id: string, signal: AbortSignal): Promise<string | undefined> => {
    if (!members.has(id)) {
      for await (const result of results(id, signal)) {
        members.set(id, result.id);
        break;
      }
    }
    return members.get(id);
  };
  return {
    async submit(_token, items, signal) {
      const batch = await batchExchange(connection, "/messages/batches", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ requests: items.map(({ id, body }) => ({ custom_id: id, params: body })) }),
        signal,
      });
      return parseBatchReply(model, batch, identified).id;
    },

    /**
     * These batches do not carry our token: which calls a batch contains can be seen only in its results, after it
     * has ended.
     */
    async find({ keys, submittedAt, held }, signal) {
      const list = { path: "/messages/batches", cursor: "after_id", schema: listedSchema };
      const latest = Date.parse(submittedAt) + LONGEST_UPLOAD_MILLISECONDS;
      let undecided = false;
      for await (const { id, createdAt, ended, size } of batchesSince(connection, list, submittedAt, signal)) {
        if (held.has(id) || size !== keys.length || createdAt > latest) continue;
        const member = ended ? await memberOf(id, signal) : undefined;
        if (member !== undefined && keys.includes(member)) return { kind: "found", id };
        undecided ||= !ended;
      }
      return { kind: undecided ? "undecided" : "absent" };
    },

    async state(id, signal): Promise<BatchState> {
      const batch = parseBatchReply(model, await get(`/messages/batches/${id}`, signal), batchSchema);
      return batch.processing_status === "ended" ? "ended" : "working";
    },

    results,
  };
}

function resultOf({ custom_id: id, result }: z.infer<typeof lineSchema>): BatchResult {
  switch (result.type) {
    case "succeeded":
      return { id, status: 200, body: JSON.stringify(result.message) };
    case "errored":
      return { id, status: statusOf(result.error), body: JSON.stringify(result.error) };
    case "canceled":
    case "expired":
      return { id, status: 503, body: JSON.stringify({ error: { message: `the batch ${result.type}` } }) };
    default:
      return result satisfies never;
  }
}

function statusOf(error: unknown): number {
  const parsed = errorTypeSchema.safeParse(error);
  return parsed.success && parsed.data.error.type === "invalid_request_error" ? 400 : 500;
}

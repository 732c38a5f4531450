import { z } from "zod";
import { sum } from "../../stats/distribution/sum.ts";
import type { BatchGateway, BatchResult, BatchState } from "./batch-gateway.ts";
import { type BatchConnection, batchExchange, batchResults, parseBatchReply } from "./batch-http.ts";

const identified = z.object({ id: z.string() });
const batchSchema = z.object({ id: z.string(), processing_status: z.enum(["in_progress", "canceling", "ended"]) });
const listSchema = z.object({
  data: z.array(
    z.object({
      id: z.string(),
      created_at: z.iso.datetime({ offset: true }),
      request_counts: z.record(z.string(), z.number().int()),
    }),
  ),
});
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

const CLOCKS_DIFFER_MILLISECONDS = 120_000;

/** Anthropic's message batches. */
export function anthropicBatches(connection: BatchConnection): BatchGateway {
  const { model } = connection;
  const get = (path: string, signal: AbortSignal) => batchExchange(connection, path, { method: "GET", signal });
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

    /** These batches carry no token of ours; one of the same size, made at that moment, is the one, unless it is known as another. */
    async find({ size, submittedAt, held }, signal) {
      const { data } = parseBatchReply(model, await get("/messages/batches?limit=100", signal), listSchema);
      const then = Date.parse(submittedAt);
      const match = data.find(({ id, created_at, request_counts }) => {
        const total = sum(Object.values(request_counts));
        return !held.has(id) && total === size && Math.abs(Date.parse(created_at) - then) < CLOCKS_DIFFER_MILLISECONDS;
      });
      return match?.id ?? null;
    },

    async state(id, signal): Promise<BatchState> {
      const batch = parseBatchReply(model, await get(`/messages/batches/${id}`, signal), batchSchema);
      return batch.processing_status === "ended" ? "ended" : "working";
    },

    results(id, signal) {
      return batchResults(connection, `/messages/batches/${id}/results`, lineSchema.transform(resultOf), signal);
    },
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

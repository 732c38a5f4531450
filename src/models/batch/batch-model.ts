import { z } from "zod";
import { systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { CLOUDS } from "../adapters/clouds.ts";
import type { ChatReply, ChatRequest } from "../chat-model.ts";
import { type ChatModelOptions, createChatModel } from "../create-chat-model.ts";
import { parseJudgeName } from "../judge-name.ts";
import { anthropicBatches, batchesSince } from "./anthropic-batches.ts";
import {
  type BatchConnection,
  type BatchGateway,
  type BatchResult,
  type BatchState,
  batchExchange,
  batchResults,
  parseBatchReply,
} from "./batch-http.ts";

const identified = z.object({ id: z.string() });
const batchSchema = z.object({
  id: z.string(),
  status: z.string(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
});
const listedSchema = z
  .object({ id: z.string(), created_at: z.number(), metadata: z.record(z.string(), z.string()).nullish() })
  .transform(({ id, created_at: seconds, metadata }) => ({ id, createdAt: seconds * 1000, metadata }));
const lineSchema = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number().int(), body: z.unknown() }).nullish(),
  error: z.object({ message: z.string().nullish() }).nullish(),
});

const TOKEN = "fabula";

/** OpenAI's batch API: a file of requests, a batch over it, a file of results. The batch carries our token as metadata. */
function openaiBatches(connection: BatchConnection): BatchGateway {
  const { model } = connection;
  const get = (path: string, signal: AbortSignal) => batchExchange(connection, path, { method: "GET", signal });
  return {
    async submit(token, items, signal) {
      const lines = items.map(({ id, body }) =>
        JSON.stringify({ custom_id: id, method: "POST", url: "/v1/chat/completions", body }),
      );
      const form = new FormData();
      form.set("purpose", "batch");
      form.set("file", new Blob([lines.join("\n")]), "requests.jsonl");
      const file = await batchExchange(connection, "/files", { method: "POST", body: form, signal });
      const batch = await batchExchange(connection, "/batches", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({
          input_file_id: parseBatchReply(model, file, identified).id,
          endpoint: "/v1/chat/completions",
          completion_window: "24h",
          metadata: { [TOKEN]: token },
        }),
        signal,
      });
      return parseBatchReply(model, batch, identified).id;
    },

    async find({ token, submittedAt }, signal) {
      const list = { path: "/batches", cursor: "after", schema: listedSchema };
      for await (const { id, metadata } of batchesSince(connection, list, submittedAt, signal)) {
        if (metadata?.[TOKEN] === token) return { kind: "found", id };
      }
      return { kind: "absent" };
    },

    async state(id, signal): Promise<BatchState> {
      const { status } = parseBatchReply(model, await get(`/batches/${id}`, signal), batchSchema);
      if (status === "completed" || status === "expired" || status === "cancelled") return "ended";
      return status === "failed" ? "failed" : "working";
    },

    async *results(id, signal): AsyncGenerator<BatchResult> {
      const batch = parseBatchReply(model, await get(`/batches/${id}`, signal), batchSchema);
      for (const file of [batch.output_file_id, batch.error_file_id]) {
        if (file) yield* batchResults(connection, `/files/${file}/content`, lineSchema.transform(resultOf), signal);
      }
    },
  };
}

function resultOf({ custom_id: id, response, error }: z.infer<typeof lineSchema>): BatchResult {
  return response
    ? { id, status: response.status_code, body: JSON.stringify(response.body) }
    : { id, status: 500, body: JSON.stringify({ error: { message: error?.message ?? "no answer" } }) };
}

/** A model whose requests can be answered in a batch. */
export interface BatchModel {
  readonly gateway: BatchGateway;
  /** The request in the provider's own format. */
  encode(request: ChatRequest): Promise<unknown>;
  /** Decodes the reply; a failure becomes a `ModelError`, as if it had been sent alone. */
  decode(request: ChatRequest, result: BatchResult): Promise<ChatReply>;
}

class Captured extends Error {}

/** The ordinary adapter encodes and decodes, with a `fetch` that captures the request or returns the answer. */
export function createBatchModel(name: string, options: ChatModelOptions): BatchModel {
  const withFetch = (transport: typeof fetch) => createChatModel(name, { ...options, fetch: transport });
  const signal = new AbortController().signal;
  return {
    gateway: gatewayOf(name, options),
    async encode(request) {
      let body: unknown;
      const model = await withFetch(async (_address, init) => {
        body = JSON.parse(String(init?.body));
        throw new Captured();
      });
      await model.complete(request, signal).catch((error: unknown) => {
        if (body === undefined) throw error;
      });
      return body;
    },
    async decode(request, { status, body }) {
      const headers = { "content-type": "application/json" };
      const model = await withFetch(async () => new Response(body, { status, headers }));
      return model.complete(request, signal);
    },
  };
}

function gatewayOf(name: string, { connections, fetch: given, clock = systemClock }: ChatModelOptions): BatchGateway {
  const { provider } = parseJudgeName(name);
  if (provider !== "openai" && provider !== "anthropic") {
    throw new FabulaError("E_NO_BATCH", `--batch works with openai: and anthropic: judges; ${name} has no batch API.`);
  }
  const { key = "", baseUrl } = connections[provider] ?? {};
  const { address, headers } = CLOUDS[provider];
  const connection: BatchConnection = {
    model: name,
    secrets: [key],
    fetch: given ?? fetch,
    clock,
    baseUrl: baseUrl ?? address,
    headers: headers(key),
  };
  return provider === "openai" ? openaiBatches(connection) : anthropicBatches(connection);
}

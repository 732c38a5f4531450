import { systemClock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import type { ChatReply, ChatRequest } from "../chat-model.ts";
import { type ChatModelOptions, createChatModel } from "../create-chat-model.ts";
import { parseJudgeName } from "../judge-name.ts";
import { anthropicBatches } from "./anthropic-batches.ts";
import type { BatchGateway, BatchResult } from "./batch-gateway.ts";
import type { BatchConnection } from "./batch-http.ts";
import { openaiBatches } from "./openai-batches.ts";

/** A model whose requests can be answered in a batch. */
export interface BatchModel {
  readonly gateway: BatchGateway;
  /** The request in the provider's own format. */
  encode(request: ChatRequest): Promise<unknown>;
  /** The reply in that answer; what went wrong comes out as a `ModelError`, as if it had been asked alone. */
  decode(request: ChatRequest, result: BatchResult): Promise<ChatReply>;
}

class Captured extends Error {}

/** Encoding and decoding are done by the ordinary adapter with a `fetch` that catches the request or hands in the answer. */
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
  const shared = { model: name, secrets: [key], fetch: given ?? fetch, clock };
  const connection: BatchConnection =
    provider === "openai"
      ? { ...shared, baseUrl: baseUrl ?? "https://api.openai.com/v1", headers: { authorization: `Bearer ${key}` } }
      : {
          ...shared,
          baseUrl: baseUrl ?? "https://api.anthropic.com/v1",
          headers: { "x-api-key": key, "anthropic-version": "2023-06-01" },
        };
  return provider === "openai" ? openaiBatches(connection) : anthropicBatches(connection);
}

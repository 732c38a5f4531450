import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { ChatModel, ChatRequest } from "../chat-model.ts";
import { estimateInputTokens } from "../estimate-tokens.ts";
import { ModelError } from "../model-error.ts";
import { splitReasoning } from "../split-reasoning.ts";
import { httpFailure } from "./failure.ts";

export interface OllamaOptions {
  readonly id: string;
  readonly model: string;
  readonly baseUrl: string;
  readonly contextTokens: number | null;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
}

const replySchema = z.object({
  model: z.string(),
  message: z.object({ content: z.string(), thinking: z.string().optional() }),
  done_reason: z.string().optional(),
  prompt_eval_count: z.number().int().nonnegative().default(0),
  eval_count: z.number().int().nonnegative().default(0),
});

const REPLY_TOKENS = 4096;
const SMALLEST_CONTEXT = 8192;

/**
 * Ollama by its own API. Its OpenAI-compatible one cannot set the context length, which is short by default, and cuts a
 * long prompt silently: a judge that saw the last pages of a novel would answer as if it had read it all.
 */
export function ollamaModel({ id, model, baseUrl, contextTokens, clock, fetch }: OllamaOptions): ChatModel {
  return {
    id,
    contextTokens,
    origin: baseUrl,
    async complete(request, signal) {
      const started = clock.now().getTime();
      const fail = (status: number | null, body: string, cause: unknown) =>
        httpFailure({
          model: id,
          status,
          headers: {},
          body,
          cause,
          secrets: [],
          now: clock.now(),
          isCutOff: status === 200,
        });
      let status: number | null = null;
      let body: string;
      try {
        const response = await fetch(`${baseUrl}/api/chat`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(requestBody(model, request)),
          signal,
        });
        status = response.status;
        body = await response.text();
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        throw fail(status, "", cause);
      }
      if (status !== 200) throw fail(status, body, null);
      const reply = readReply(id, body);
      const { answer, reasoning } = splitReasoning(reply.message.content);
      return {
        text: answer,
        reasoning: reply.message.thinking ?? reasoning,
        stop: reply.done_reason === "length" ? "length" : "stop",
        usage: {
          inputTokens: reply.prompt_eval_count,
          outputTokens: reply.eval_count,
          cachedInputTokens: 0,
          reasoningTokens: 0,
        },
        model: reply.model,
        latencyMilliseconds: clock.now().getTime() - started,
      };
    },
  };
}

function requestBody(model: string, request: ChatRequest) {
  const reply = request.maximumTokens ?? REPLY_TOKENS;
  return {
    model,
    messages: request.messages,
    stream: false,
    ...(request.schema ? { format: request.schema.schema } : {}),
    options: {
      num_ctx: Math.max(SMALLEST_CONTEXT, estimateInputTokens(request) + reply),
      num_predict: reply,
      ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
      ...(request.seed === undefined ? {} : { seed: request.seed }),
    },
  };
}

function readReply(id: string, body: string) {
  try {
    return replySchema.parse(JSON.parse(body));
  } catch (cause) {
    throw new ModelError("malformed", id, `${id} sent a reply that is not the API's format.`, {
      cause,
      evidence: body.slice(0, 4000),
    });
  }
}

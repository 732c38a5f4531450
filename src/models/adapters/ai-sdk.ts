import {
  APICallError,
  type JSONSchema7,
  type LanguageModelV3,
  type LanguageModelV3CallOptions,
  type LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import type { ChatModel, ChatReply, ChatRequest, StopReason } from "../chat-model.ts";
import { ModelError } from "../model-error.ts";
import { isStrictSchema, schemaInWords } from "../reply-schema.ts";
import { splitReasoning } from "../split-reasoning.ts";
import { readAllowance } from "./allowance.ts";
import { httpFailure } from "./failure.ts";

export interface AiSdkOptions {
  readonly id: string;
  readonly contextTokens: number | null;
  readonly model: LanguageModelV3;
  /** Tokens allowed for thinking on top of a reply's limit: providers count both together. */
  readonly thinkingTokens: number;
  readonly origin?: string;
  /** Never shown: taken out of every error. */
  readonly secrets: readonly string[];
  readonly clock: Clock;
}

/**
 * Any AI SDK provider as a `ChatModel`. It speaks to the provider's own interface, not to `generateText`: keys, retries,
 * limits and logging are the runner's, and the reply keeps its stop reason, usage and rate-limit headers.
 */
export function aiSdkModel(options: AiSdkOptions): ChatModel {
  const { id, contextTokens, model, thinkingTokens, origin, secrets, clock } = options;
  // Some OpenAI-compatible servers know no schemas. The first refusal is remembered; from then on the prompt says it.
  let takesSchemas = true;

  async function generate(request: ChatRequest, withSchema: boolean, signal: AbortSignal): Promise<ChatReply> {
    const started = clock.now().getTime();
    let result: LanguageModelV3GenerateResult;
    try {
      result = await model.doGenerate(callOptions(request, withSchema, thinkingTokens, signal));
    } catch (cause) {
      throw failure(cause, signal);
    }
    return readResult(result, id, started, clock.now());
  }

  function failure(cause: unknown, signal: AbortSignal): unknown {
    if (signal.aborted) return signal.reason;
    const known = { model: id, secrets, now: clock.now() };
    if (!APICallError.isInstance(cause)) return httpFailure({ ...known, status: null, headers: {}, body: "", cause });
    return httpFailure({
      ...known,
      status: cause.statusCode ?? null,
      isCutOff: brokeMidway(cause),
      headers: cause.responseHeaders ?? {},
      body: cause.responseBody ?? "",
      cause,
    });
  }

  return {
    id,
    contextTokens,
    ...(origin === undefined ? {} : { origin }),
    async complete(request, signal) {
      // Other calls may be refused while this one waits, so it goes by what it sent itself.
      const withSchema = takesSchemas;
      try {
        return await generate(request, withSchema, signal);
      } catch (error) {
        if (!request.schema || !withSchema || !refusesSchemas(error)) throw error;
        takesSchemas = false;
        return generate(request, false, signal);
      }
    },
  };
}

function callOptions(
  request: ChatRequest,
  withSchema: boolean,
  thinkingTokens: number,
  signal: AbortSignal,
): LanguageModelV3CallOptions {
  const { schema } = request;
  const prompt: LanguageModelV3CallOptions["prompt"] = request.messages.map(({ role, content }) =>
    role === "system" ? { role, content } : { role, content: [{ type: "text", text: content }] },
  );
  if (schema && !withSchema) prompt.push({ role: "user", content: [{ type: "text", text: schemaInWords(schema) }] });
  return {
    prompt,
    abortSignal: signal,
    ...(request.temperature === undefined ? {} : { temperature: request.temperature }),
    ...(request.seed === undefined ? {} : { seed: request.seed }),
    ...(request.maximumTokens === undefined ? {} : { maxOutputTokens: request.maximumTokens + thinkingTokens }),
    ...(request.idempotencyKey === undefined ? {} : { headers: { "idempotency-key": request.idempotencyKey } }),
    ...(schema && withSchema
      ? { responseFormat: { type: "json", name: schema.name, schema: schema.schema as JSONSchema7 } }
      : {}),
    ...(schema ? { providerOptions: { openai: { strictJsonSchema: isStrictSchema(schema.schema) } } } : {}),
  };
}

function readResult(result: LanguageModelV3GenerateResult, id: string, started: number, now: Date): ChatReply {
  const part = (type: "text" | "reasoning") =>
    result.content.flatMap((content) => (content.type === type ? [content.text] : [])).join("");
  const { inputTokens, outputTokens } = result.usage;
  const refusal = refusalText(result.response?.body);
  const allowance = readAllowance(result.response?.headers ?? {}, now);
  const { answer, reasoning } = splitReasoning(part("text"));
  const text = answer || (refusal ?? "");
  const stop = refusal === null ? stopReason(result.finishReason.unified) : "refusal";
  if (text === "" && reasoning === null && stop === "stop") {
    throw new ModelError("malformed", id, `${id} sent an empty reply.`, { evidence: result.response?.body });
  }
  return {
    text,
    reasoning: part("reasoning") || reasoning,
    stop,
    usage: {
      inputTokens: inputTokens.total ?? 0,
      outputTokens: outputTokens.total ?? 0,
      cachedInputTokens: inputTokens.cacheRead ?? 0,
      reasoningTokens: outputTokens.reasoning ?? 0,
    },
    model: result.response?.modelId ?? id,
    latencyMilliseconds: now.getTime() - started,
    ...(allowance ? { allowance } : {}),
  };
}

function stopReason(reason: LanguageModelV3GenerateResult["finishReason"]["unified"]): StopReason {
  switch (reason) {
    case "stop":
    case "tool-calls":
      return "stop";
    case "length":
      return "length";
    case "content-filter":
      return "refusal";
    case "error":
    case "other":
      return "other";
    default:
      return reason satisfies never;
  }
}

const refusalSchema = z.object({
  choices: z.tuple([z.object({ message: z.object({ refusal: z.string().min(1) }) })]).rest(z.unknown()),
});

/** OpenAI reports a refusal in a separate field, with an ordinary stop reason. */
function refusalText(body: unknown): string | null {
  const parsed = refusalSchema.safeParse(body);
  return parsed.success ? parsed.data.choices[0].message.refusal : null;
}

function refusesSchemas(error: unknown): boolean {
  return (
    error instanceof ModelError &&
    error.failure === "rejected" &&
    /response_format|json_schema|schema|structured|grammar|output_config|tool/i.test(
      `${error.message} ${error.evidence}`,
    )
  );
}

/** The first line said all was well, and then the connection broke: the reply was cut off on the way, not malformed. */
function brokeMidway(error: APICallError): boolean {
  if (error.statusCode === undefined || error.statusCode >= 300) return false;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TypeError || ("code" in cause && /^(UND_ERR|ECONN|EPIPE)/.test(String(cause.code)))) {
      return !(cause instanceof SyntaxError);
    }
  }
  return false;
}

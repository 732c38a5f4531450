import type {
  APICallError,
  JSONSchema7,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
} from "@ai-sdk/provider";
import { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { FabulaError } from "../../core/errors.ts";
import { withOptionalPackage } from "../../core/loading/optional-package.ts";
import { sum } from "../../stats/distribution.ts";
import type { Allowance, ChatModel, ChatReply, ChatRequest, StopReason } from "../chat-model.ts";
import type { Connection } from "../connection.ts";
import type { JudgeName } from "../judge-name.ts";
import { ModelError } from "../model-error.ts";
import { splitReasoning } from "../read-reply.ts";
import { isStrictSchema, schemaInWords } from "../reply-schema.ts";
import { type ReportedUsage, tokenUsage, withReadableCounts } from "../transport.ts";
import { CLOUDS, type CloudProvider, packageOf } from "./clouds.ts";
import { httpFailure } from "./failure.ts";

type Headers = Readonly<Record<string, string | undefined>>;

/** Rate-limit headers as OpenAI (`x-ratelimit-…`, reset as "1m30s") and Anthropic (`anthropic-ratelimit-…`, a date) send them. */
export function readAllowance(headers: Headers, now: Date): Allowance | undefined {
  const prefix = ["x-ratelimit-", "anthropic-ratelimit-"].find((start) =>
    Object.keys(headers).some((name) => name.startsWith(start)),
  );
  if (!prefix) return undefined;
  const either = (...names: string[]) => names.map((name) => headers[prefix + name]).find((value) => value);
  const resets = [
    either("reset-requests", "requests-reset"),
    either("reset-tokens", "tokens-reset", "input-tokens-reset"),
  ].flatMap((value) => (value === undefined ? [] : [resetMilliseconds(value, now)]));
  return {
    remainingRequests: wholeNumber(either("remaining-requests", "requests-remaining")),
    remainingTokens: wholeNumber(either("remaining-tokens", "tokens-remaining", "input-tokens-remaining")),
    resetMilliseconds: resets.length > 0 ? Math.max(...resets) : null,
  };
}

function wholeNumber(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

const UNIT_MILLISECONDS: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

function resetMilliseconds(value: string, now: Date): number {
  const parts = [...value.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)];
  if (parts.length > 0 && parts.map(([part]) => part).join("") === value) {
    return sum(parts.map(([, amount, unit]) => Number(amount) * UNIT_MILLISECONDS[unit!]!));
  }
  const date = Date.parse(value);
  return Number.isNaN(date) ? 0 : Math.max(0, date - now.getTime());
}

type SdkJudge = Extract<JudgeName, { readonly provider: CloudProvider | "compatible" }>;

export interface AiSdkOptions {
  readonly id: string;
  readonly contextTokens: number | null;
  readonly judge: SdkJudge;
  readonly connection: Connection;
  readonly fetch: typeof fetch;
  /** Tokens allowed for thinking on top of a reply's limit, since providers count both together. */
  readonly thinkingTokens: number;
  readonly origin?: string;
  readonly settings?: string;
  /** Whether the provider enforces a JSON Schema; assumed by default, and turned off when it refuses one. */
  readonly schemas?: boolean;
  /** Secrets that are removed from every error. */
  readonly secrets: readonly string[];
  /** What to do if the server asks for a key and none is sent. */
  readonly missingKey?: string;
  readonly clock: Clock;
}

/**
 * Any AI SDK provider as a `ChatModel`. It uses the provider's own interface, not `generateText`: keys, retries,
 * limits and logging are the runner's job, and the reply keeps its stop reason, usage and rate-limit headers. The
 * provider's library is loaded with the first question, so a run whose answers are all stored never loads it.
 */
export function aiSdkModel(options: AiSdkOptions): ChatModel {
  const { id, contextTokens, thinkingTokens, origin, settings, clock } = options;
  let loaded: Promise<LoadedModel> | undefined;
  // Some OpenAI-compatible servers do not support schemas. The first refusal is remembered; from then on the schema
  // is in the prompt.
  let takesSchemas = options.schemas ?? true;

  async function generate(request: ChatRequest, withSchema: boolean, signal: AbortSignal): Promise<ChatReply> {
    loaded ??= loadModel(options);
    const { model, isApiError } = await loaded;
    // Other providers detect the common beginning of requests themselves; Anthropic needs a mark.
    const marksCache = model.provider.startsWith("anthropic");
    const started = clock.now().getTime();
    let result: LanguageModelV3GenerateResult;
    try {
      result = await model.doGenerate(callOptions(request, { withSchema, thinkingTokens, marksCache }, signal));
    } catch (cause) {
      throw signal.aborted ? signal.reason : failure(cause, isApiError(cause) ? cause : null, options);
    }
    const now = clock.now();
    const reply = readResult(result, id, now);
    return {
      ...reply,
      ...tokenUsage(reportedUsage(result), { request, reply, thinkingTokens }),
      latencyMilliseconds: now.getTime() - started,
    };
  }

  return {
    id,
    contextTokens,
    ...(origin === undefined ? {} : { origin }),
    ...(settings === undefined ? {} : { settings }),
    async complete(request, signal) {
      // Other calls may be refused while this one waits, so it remembers what it sent itself.
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

interface LoadedModel {
  readonly model: LanguageModelV3;
  isApiError(error: unknown): error is APICallError;
}

/** Each provider's library is loaded when one of its models is used, because together they are large. */
async function loadModel(options: AiSdkOptions): Promise<LoadedModel> {
  try {
    const { APICallError } = await import("@ai-sdk/provider");
    return { model: await sdkModel(options), isApiError: APICallError.isInstance };
  } catch (cause) {
    // Without the library no question can be answered, so this error ends the run.
    if (!(cause instanceof FabulaError)) throw cause;
    throw new ModelError("not-running", options.id, cause.message, { cause });
  }
}

async function sdkModel({ judge, connection, fetch }: AiSdkOptions): Promise<LanguageModelV3> {
  const { key, baseUrl } = connection;
  const settings = { ...(key && { apiKey: key }), fetch: withReadableCounts(fetch) };
  if (judge.provider === "compatible") {
    const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible");
    const server = { name: "compatible", baseURL: judge.baseUrl, supportsStructuredOutputs: true };
    return createOpenAICompatible({ ...settings, ...server })(judge.model);
  }
  const { address, load } = CLOUDS[judge.provider];
  // Always passed: otherwise, the libraries take an address from the environment, for which the key may not be meant.
  const baseURL = baseUrl ?? address;
  const create = await withOptionalPackage(() => load({ ...settings, baseURL }), packageOf(judge.provider));
  return create(judge.model);
}

/** What went wrong; `answer` is the provider's, if there was one. */
function failure(
  cause: unknown,
  answer: APICallError | null,
  { id, secrets, missingKey, clock }: AiSdkOptions,
): ModelError {
  return httpFailure({
    model: id,
    secrets,
    now: clock.now(),
    ...(missingKey === undefined ? {} : { missingKey }),
    status: answer?.statusCode ?? null,
    isCutOff: answer !== null && brokeMidway(answer),
    headers: answer?.responseHeaders ?? {},
    body: answer?.responseBody ?? "",
    cause,
  });
}

/**
 * What vLLM and SGLang need in order to continue a last message of the model's own; llama.cpp continues it by itself.
 */
const CONTINUE = { continue_final_message: true, add_generation_prompt: false };

function callOptions(
  request: ChatRequest,
  { withSchema, thinkingTokens, marksCache }: { withSchema: boolean; thinkingTokens: number; marksCache: boolean },
  signal: AbortSignal,
): LanguageModelV3CallOptions {
  const { schema } = request;
  const last = request.messages.at(-1);
  const prompt: LanguageModelV3CallOptions["prompt"] = request.messages.map((message) => {
    const { role, content } = message;
    if (role === "system") return { role, content };
    const { sharedPrefix = 0 } = message === last && marksCache ? request : {};
    if (sharedPrefix === 0) return { role, content: [{ type: "text", text: content }] };
    const keep = { anthropic: { cacheControl: { type: "ephemeral" } } };
    const shared = { type: "text" as const, text: content.slice(0, sharedPrefix), providerOptions: keep };
    return { role, content: [shared, { type: "text", text: content.slice(sharedPrefix) }] };
  });
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
    ...(last?.role === "assistant" ? { providerOptions: { compatible: CONTINUE } } : {}),
  };
}

function reportedUsage({ usage: { inputTokens, outputTokens } }: LanguageModelV3GenerateResult): ReportedUsage {
  return {
    inputTokens: inputTokens.total,
    outputTokens: outputTokens.total,
    cachedInputTokens: inputTokens.cacheRead,
    reasoningTokens: outputTokens.reasoning,
  };
}

function readResult(
  result: LanguageModelV3GenerateResult,
  id: string,
  now: Date,
): Omit<ChatReply, "usage" | "latencyMilliseconds"> {
  const part = (type: "text" | "reasoning") =>
    result.content.flatMap((content) => (content.type === type ? [content.text] : [])).join("");
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
    model: result.response?.modelId ?? id,
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

/**
 * The status line said all was well, and then the connection broke: the reply was cut off on the way, not malformed.
 */
function brokeMidway(error: APICallError): boolean {
  if (error.statusCode === undefined || error.statusCode >= 300) return false;
  for (let cause: unknown = error.cause; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof TypeError || ("code" in cause && /^(UND_ERR|ECONN|EPIPE)/.test(String(cause.code)))) {
      return !(cause instanceof SyntaxError);
    }
  }
  return false;
}

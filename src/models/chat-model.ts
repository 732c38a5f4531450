import { estimateTokens } from "../core/estimate-tokens.ts";
import { sumBy } from "../stats/distribution.ts";

/** A message of a request, with its role. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The schema of a reply: a JSON Schema (as written by `z.toJSONSchema`) with a name that providers can show. */
export interface ReplySchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** The purpose of a call, by which costs are counted. */
export type CallPurpose =
  | "summariser"
  | "judge"
  | "writer"
  | "synopsis"
  | "refiner"
  | "answerer"
  | "structurer"
  | "probe";

export interface ChatRequest {
  /**
   * How many characters of the last message are shared with other requests, such as a whole book before different
   * questions, for providers that need to be told what to cache. Not part of the key.
   */
  readonly sharedPrefix?: number;
  readonly purpose: CallPurpose;
  readonly messages: readonly ChatMessage[];
  readonly schema?: ReplySchema;
  readonly temperature?: number;
  readonly seed?: number;
  readonly maximumTokens?: number;
  /** The number of the repeat: two requests that differ only here are two calls, asked and paid for separately. */
  readonly sample: number;
  /** What else the answer depends on besides the prompt, such as a rubric's hash; part of the call's key. */
  readonly basis?: string;
  /**
   * How many times earlier runs got nothing readable for this question. Each time is a separate call, so it is part
   * of the key.
   */
  readonly retry?: number;
  /** Why the same question is repeated, for the record of the run. Not part of the key. */
  readonly again?: string;
  /** How many calls the caller may make for this one answer, including this one; for plans. Not part of the key. */
  readonly attempts?: number;
  /** How many tokens the reply usually has, if known; for plans. Not part of the key. */
  readonly usualTokens?: number;
  /** Makes a usable placeholder reply if there is no schema; for plans, which send nothing. Not part of the key. */
  readonly layout?: (words: string) => string;
  /** Set by the runner: identifies the call for servers that can answer a repeated request without billing it twice. */
  readonly idempotencyKey?: string;
}

export interface TokenUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
}

/** `length`: cut off by the token limit. `refusal`: the model or its filter would not answer. */
export type StopReason = "stop" | "length" | "refusal" | "other";

export interface ChatReply {
  readonly text: string;
  /** Thinking that the provider returns separately from the answer; it is never read as a verdict. */
  readonly reasoning: string | null;
  readonly stop: StopReason;
  readonly usage: TokenUsage;
  /** The provider's own token counts were missing or impossible; `usage` is an estimate from the texts. */
  readonly usageIsEstimated?: boolean;
  /** The model named by the provider in the reply, which may be a dated version of the requested one. */
  readonly model: string;
  readonly latencyMilliseconds: number;
  /** The reply is from an earlier run: if it cannot be read, the question may be asked again. */
  readonly recalled?: boolean;
  /** Not written by a model: a placeholder while a run is planned. */
  readonly isPlaceholder?: boolean;
  /** What the provider states about its limits in this reply. */
  readonly allowance?: Allowance;
}

/** What is left of a provider's rate limit, and when it fills up again. */
export interface Allowance {
  readonly remainingRequests: number | null;
  readonly remainingTokens: number | null;
  readonly resetMilliseconds: number | null;
}

/**
 * A language model as Fabula uses it. Methods get one and need not know about storage; the runner wraps any of them
 * into one that stores answers, pays once, keeps to the budget and survives a crash.
 */
export interface ChatModel {
  /** `openai:gpt-4o`, `MODEL@http://host/v1`: what a user gives as `--judge`. */
  readonly id: string;
  /** Its address, if it is not its provider's usual one; part of the key of its calls. */
  readonly origin?: string;
  /** A hash of the user's own settings that change its answers, such as headers; part of the key of its calls. */
  readonly settings?: string;
  /** How many tokens fit into one request and its reply; null if unknown. */
  readonly contextTokens: number | null;
  complete(request: ChatRequest, signal: AbortSignal): Promise<ChatReply>;
}

const TOKENS_PER_MESSAGE = 6;

/** A request may hold a whole book, and is estimated when it is asked, planned and paid for: its messages are counted once. */
const counted = new WeakMap<ChatRequest["messages"], number>();

export function estimateInputTokens({ messages, schema }: ChatRequest): number {
  let said = counted.get(messages);
  if (said === undefined) {
    said = sumBy(messages, ({ content }) => estimateTokens(content) + TOKENS_PER_MESSAGE);
    counted.set(messages, said);
  }
  return said + (schema ? estimateTokens(JSON.stringify(schema.schema)) : 0);
}

import { estimateTokens } from "../core/estimate-tokens.ts";
import { sumBy } from "../stats/distribution.ts";

/** Who said what in a request. */
export interface ChatMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** The shape a reply must have: a JSON Schema (as `z.toJSONSchema` writes it) with a name that providers can show. */
export interface ReplySchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** What a call is for: costs are counted by purpose. */
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
   * How many characters of the last message other requests share, such as a whole book before different questions: a provider that must
   * be told what to keep is told. Not part of the key.
   */
  readonly sharedPrefix?: number;
  readonly purpose: CallPurpose;
  readonly messages: readonly ChatMessage[];
  readonly schema?: ReplySchema;
  readonly temperature?: number;
  readonly seed?: number;
  readonly maximumTokens?: number;
  /** Which repeat this is: two requests that differ only here are two calls, asked and paid separately. */
  readonly sample: number;
  /** What else the answer depends on beyond the words of the prompt, such as a rubric's hash: part of the call's key. */
  readonly basis?: string;
  /** How many times earlier runs got nothing readable for this question; each time is a call of its own, so it is part of the key. */
  readonly retry?: number;
  /** Why the same is asked once more, when it is: for the record of the run. Not part of the key. */
  readonly again?: string;
  /** How many calls the caller may make for this one answer, this one included: for plans. Not part of the key. */
  readonly attempts?: number;
  /** How many tokens a reply to it usually takes, where that is known: for plans. Not part of the key. */
  readonly usualTokens?: number;
  /** Builds a usable placeholder reply where there is no schema: for plans, which send nothing. Not part of the key. */
  readonly layout?: (words: string) => string;
  /** Set by the runner: names the call to servers that know how to answer a repeated request without a second bill. */
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
  /** Thinking that the provider shows apart from the answer; never read as a verdict. */
  readonly reasoning: string | null;
  readonly stop: StopReason;
  readonly usage: TokenUsage;
  /** The provider's own token counts were missing or impossible; `usage` is an estimate from the texts. */
  readonly usageIsEstimated?: boolean;
  /** The model as the provider names it in the reply, which may be a dated version of the one asked for. */
  readonly model: string;
  readonly latencyMilliseconds: number;
  /** An earlier run got this reply: where it cannot be read, it may be asked for again. */
  readonly recalled?: boolean;
  /** No model wrote this: it stands in for a reply while a run is planned. */
  readonly isPlaceholder?: boolean;
  /** What the provider said about its limits in this reply. */
  readonly allowance?: Allowance;
}

/** What is left of a provider's rate limit, and when it fills up again. */
export interface Allowance {
  readonly remainingRequests: number | null;
  readonly remainingTokens: number | null;
  readonly resetMilliseconds: number | null;
}

/**
 * A language model as Fabula sees it. Methods receive one and know nothing of durability; `runner` wraps any of them into
 * one that stores answers, pays once, keeps to the budget and survives a crash.
 */
export interface ChatModel {
  /** `openai:gpt-4o`, `MODEL@http://host/v1`: what a user types after `--judge`. */
  readonly id: string;
  /** Where it is reached, when that is not its provider's usual address: part of the key of its calls. */
  readonly origin?: string;
  /** Names the user's own settings that change its answers, such as headers: part of the key of its calls. */
  readonly settings?: string;
  /** How many tokens fit into one request and its reply, or null when it is not known. */
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

import { estimateTokens } from "../core/estimate-tokens.ts";
import type { ChatMessage, StopReason } from "../models/chat-model.ts";
import { sumBy } from "../stats/distribution.ts";

/** A request as the simulated server understood it, whichever provider's format it came in. */
export interface SimulatedRequest {
  readonly model: string;
  readonly messages: readonly ChatMessage[];
  readonly schema: Readonly<Record<string, unknown>> | null;
  readonly temperature: number | null;
  readonly seed: number | null;
  readonly maximumTokens: number | null;
  readonly stream: boolean;
}

export interface SimulatedReply {
  readonly text: string;
  readonly reasoning?: string;
  readonly stop?: StopReason;
}

/** A reply with what it would be billed for. */
export interface BilledReply {
  readonly id: string;
  readonly model: string;
  readonly text: string;
  readonly reasoning: string | null;
  readonly stop: StopReason;
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One provider's format: where its requests go, how they are read and how its replies are written. */
export interface Dialect {
  /** Where a request for a reply goes. What the path names (`?<model>`) counts as a field of the request. */
  readonly path: RegExp;
  /** Where its models are listed, and the list; without this, as OpenAI lists them. */
  list?(models: readonly string[]): readonly [path: string, list: unknown];
  read(body: unknown): SimulatedRequest;
  /** The whole reply as one JSON document. */
  document(reply: BilledReply, request: SimulatedRequest): unknown;
  /** The reply as server-sent events, each `[event name or null, data]`; null when the dialect has no stream here. */
  events(reply: BilledReply, request: SimulatedRequest): readonly (readonly [string | null, string])[] | null;
  error(type: string, message: string): unknown;
}

export function bill(id: string, request: SimulatedRequest, reply: SimulatedReply): BilledReply {
  const { text, stop } = cutToLimit(reply, request.maximumTokens);
  return {
    id,
    model: request.model,
    text,
    reasoning: reply.reasoning ?? null,
    stop,
    inputTokens: sumBy(request.messages, ({ content }) => wireTokens(content)),
    outputTokens: wireTokens(text) + wireTokens(reply.reasoning ?? ""),
  };
}

/** Fewer than the planner's estimate, which errs upwards, as real tokenisers give fewer. */
export function wireTokens(text: string): number {
  return Math.ceil(estimateTokens(text) * 0.85);
}

function cutToLimit({ text, stop = "stop" }: SimulatedReply, limit: number | null): { text: string; stop: StopReason } {
  if (limit === null || wireTokens(text) <= limit) return { text, stop };
  return { text: text.slice(0, limit * 4), stop: "length" };
}

/** A text in pieces, as a stream brings it. */
export function inChunks(text: string, size = 24): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) => text.slice(at * size, (at + 1) * size));
}

import { estimateTokens } from "../core/estimate-tokens.ts";
import type { ChatReply, ChatRequest, TokenUsage } from "./chat-model.ts";
import { estimateInputTokens } from "./estimate-tokens.ts";

/** Token counts as a provider gave them: anything, or nothing. */
export type ReportedUsage = { readonly [Count in keyof TokenUsage]?: unknown };

/** What was asked for and what came back: it decides which counts are possible. */
interface Exchange {
  readonly request: ChatRequest;
  readonly reply: Pick<ChatReply, "text" | "reasoning">;
  /** Tokens that the model was allowed to think with. */
  readonly thinkingTokens?: number;
}

/** Instructions that a provider adds to a prompt, such as those for a schema. */
const HIDDEN_PROMPT_TOKENS = 16_384;
/** No model of today thinks longer without showing it. */
const HIDDEN_THINKING_TOKENS = 262_144;
/** Our estimate errs upwards, but never by this much. */
const FEWEST_OF_ESTIMATE = 1 / 8;

/**
 * The token counts of a reply. What it cost and what is left of the budget follow from them, so a provider is believed only
 * where its counts are possible: a count that is missing, negative, no whole number, or far from the length of the texts is
 * unknown, and an estimate that errs upwards takes its place.
 */
export function tokenUsage(
  reported: ReportedUsage,
  { request, reply, thinkingTokens = 0 }: Exchange,
): Pick<ChatReply, "usage" | "usageIsEstimated"> {
  const { text, reasoning } = reply;
  const prompt = estimateInputTokens(request);
  const answer = estimateTokens(text);
  // The estimate errs upwards: where the limit was probably kept, the reply was no longer than that.
  const limit = request.maximumTokens ?? Number.POSITIVE_INFINITY;
  const likelyAnswer = answer < 2 * limit ? Math.min(answer, limit) : answer;
  const thinking = reasoning === null ? thinkingTokens : estimateTokens(reasoning);
  // A token stands for at least a byte; twice that leaves room for what marks where a message begins and ends.
  const longestPrompt = 2 * bytesOf(JSON.stringify([request.messages, request.schema ?? null]));
  const longestReply = Math.max((request.maximumTokens ?? 0) + thinkingTokens, 2 * bytesOf(text + (reasoning ?? "")));
  const inputTokens = count(reported.inputTokens, fewest(prompt), longestPrompt + HIDDEN_PROMPT_TOKENS);
  const outputTokens = count(reported.outputTokens, fewest(answer), longestReply + HIDDEN_THINKING_TOKENS);
  const usage = { inputTokens: inputTokens ?? prompt, outputTokens: outputTokens ?? likelyAnswer + thinking };
  return {
    usage: {
      ...usage,
      // Parts of the above. An impossible one is left out: then nothing counts as cheaper than it is.
      cachedInputTokens: count(reported.cachedInputTokens, 0, usage.inputTokens) ?? 0,
      reasoningTokens: count(reported.reasoningTokens, 0, usage.outputTokens) ?? 0,
    },
    ...(inputTokens === null || outputTokens === null ? { usageIsEstimated: true } : {}),
  };
}

function fewest(estimate: number): number {
  return Math.ceil(estimate * FEWEST_OF_ESTIMATE);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function count(reported: unknown, least: number, most: number): number | null {
  return Number.isSafeInteger(reported) && Number(reported) >= least && Number(reported) <= most
    ? Number(reported)
    : null;
}

/**
 * A provider's library refuses a whole reply, which is paid for, because of a token count that is no number. Such a count
 * becomes 0 before the library sees it, and `tokenUsage` takes that for unknown.
 */
export function withReadableCounts(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (!response.ok || !response.body) return response;
    const chunks: Uint8Array[] = [];
    const readable = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk) => void chunks.push(chunk),
      flush: (controller) => controller.enqueue(readableCounts(Buffer.concat(chunks))),
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(readable), { status, statusText, headers });
  };
}

/** As the providers name them, and as Anthropic's library insists on them. */
const COUNT = /(?:_tokens|TokenCount)$/;
const REQUIRED = { input_tokens: 0, output_tokens: 0 };

function readableCounts(body: Buffer): Uint8Array {
  try {
    const document: unknown = JSON.parse(body.toString("utf8"), (name, value: unknown) =>
      COUNT.test(name) && !Number.isFinite(value) ? 0 : value,
    );
    if (typeof document !== "object" || document === null || "usageMetadata" in document) return write(document);
    const usage = "usage" in document && typeof document.usage === "object" ? document.usage : {};
    return write({ ...document, usage: { ...REQUIRED, ...usage } });
  } catch {
    // The library says what is wrong with it.
    return body;
  }
}

function write(document: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(document));
}

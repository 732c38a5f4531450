import type { ChatRequest } from "../../models/chat-model.ts";
import { estimateInputTokens } from "../../models/estimate-tokens.ts";
import { costOf, type Price } from "../../models/prices.ts";

export interface CostEstimate {
  readonly inputTokens: number;
  /** What a reply to such a request usually takes. */
  readonly expectedOutputTokens: number;
  /** The limit of the reply, with what the model may think beforehand. */
  readonly maximumOutputTokens: number;
  /** Null when the price is not known. */
  readonly expected: number | null;
  /** The most the call may cost: the limit of the reply, used to the last token. */
  readonly maximum: number | null;
}

const REPLY_TOKENS_WITHOUT_LIMIT = 4096;
const EXPECTED_SHARE_OF_LIMIT = 0.5;
const EXPECTED_AT_MOST = 1200;
const EXPECTED_SHARE_OF_THINKING = 0.25;

export function estimateCost(request: ChatRequest, price: Price | null, batched: boolean): CostEstimate {
  const inputTokens = estimateInputTokens(request);
  const thinking = price?.thinking ?? 0;
  const replyLimit = request.maximumTokens ?? price?.reply ?? REPLY_TOKENS_WITHOUT_LIMIT;
  const limit = request.maximumTokens === undefined ? replyLimit : replyLimit + thinking;
  const expectedReply =
    request.usualTokens ?? Math.min(EXPECTED_AT_MOST, Math.ceil(replyLimit * EXPECTED_SHARE_OF_LIMIT));
  const expectedOutputTokens = expectedReply + Math.ceil(thinking * EXPECTED_SHARE_OF_THINKING);
  const cost = (outputTokens: number) =>
    price && costOf(price, { inputTokens, outputTokens, cachedInputTokens: 0, reasoningTokens: 0 }, batched);
  return {
    inputTokens,
    expectedOutputTokens,
    maximumOutputTokens: limit,
    expected: cost(expectedOutputTokens),
    maximum: cost(limit),
  };
}

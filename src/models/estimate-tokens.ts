import { estimateTokens } from "../core/estimate-tokens.ts";
import { sumBy } from "../stats/distribution.ts";
import type { ChatRequest } from "./chat-model.ts";

const TOKENS_PER_MESSAGE = 6;

export function estimateInputTokens({ messages, schema }: ChatRequest): number {
  const said = sumBy(messages, ({ content }) => estimateTokens(content) + TOKENS_PER_MESSAGE);
  return said + (schema ? estimateTokens(JSON.stringify(schema.schema)) : 0);
}

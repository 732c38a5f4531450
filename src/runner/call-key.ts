import { contentHash } from "../core/hash.ts";
import type { ChatRequest } from "../models/chat-model.ts";

/**
 * Everything that changes an answer, and nothing else: the model with its address, the parameters, the rendered prompt,
 * the schema, what the asker says it depends on, and the sample number. Resume, cache and re-judging all rest on this key.
 */
export function callKey(modelId: string, request: ChatRequest): string {
  return contentHash({ model: modelId, ...answerDependsOn(request), sample: request.sample });
}

/** What was asked, as it is kept in the store: equal for all samples of the same request. */
export function answerDependsOn({ messages, schema, temperature, seed, maximumTokens, basis }: ChatRequest) {
  return { messages, schema, temperature, seed, maximumTokens, basis };
}

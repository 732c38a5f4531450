import { canonicalJson, contentHash, sha256 } from "../core/hash.ts";
import type { ChatModel, ChatRequest } from "../models/chat-model.ts";

/** A request by its content: what was asked, as it is kept in the store, and the names it goes by. */
export interface CallIdentity {
  readonly key: string;
  /** Everything about the request that changes an answer, apart from the model: equal for all samples. */
  readonly body: string;
  readonly requestHash: string;
}

/**
 * The key holds everything that changes an answer, and nothing else: the model with its address, the parameters, the
 * rendered prompt, the schema, what the asker says it depends on, and the sample number. Resume, cache and re-judging all
 * rest on it.
 */
export function identify({ id, origin }: Pick<ChatModel, "id" | "origin">, request: ChatRequest): CallIdentity {
  const { messages, schema, temperature, seed, maximumTokens, basis } = request;
  const body = canonicalJson({ messages, schema, temperature, seed, maximumTokens, basis });
  const requestHash = sha256(body);
  return { key: contentHash({ model: id, origin, request: requestHash, sample: request.sample }), body, requestHash };
}

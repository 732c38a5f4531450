import { canonicalJson, contentHash, sha256 } from "../core/hash.ts";
import { splitLabel } from "../core/wording.ts";
import type { ChatModel, ChatRequest } from "../models/chat-model.ts";

/** A request by its content: what was asked, as it is kept in the store, and the names it goes by. */
export interface CallIdentity {
  readonly key: string;
  /** Everything about the request that changes an answer, apart from the model: equal for all samples. */
  readonly body: string;
  readonly requestHash: string;
}

/**
 * The key holds everything that changes an answer, and nothing else: the model with its address and the user's own settings
 * of it, but not what the user calls it, the parameters, the rendered prompt, the schema, what the asker says it depends on, the sample number, and how often it was
 * asked in vain. Resume, cache and re-judging all
 * rest on it.
 */
export function identify(
  { id, origin, settings }: Pick<ChatModel, "id" | "origin" | "settings">,
  request: ChatRequest,
): CallIdentity {
  const { messages, schema, temperature, seed, maximumTokens, basis } = request;
  const body = canonicalJson({ messages, schema, temperature, seed, maximumTokens, basis });
  const requestHash = sha256(body);
  const [model] = splitLabel(id);
  const key = contentHash({
    model,
    origin,
    settings,
    request: requestHash,
    sample: request.sample,
    retry: request.retry,
  });
  return { key, body, requestHash };
}

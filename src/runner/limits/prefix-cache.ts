import { createHash } from "node:crypto";
import type { ChatRequest } from "../../models/chat-model.ts";

/** Providers cache the beginning of a request in steps of about this many tokens… */
const STEP_TOKENS = 128;
/** …and only beginnings at least this long. */
const LEAST_TOKENS = 1024;
const CHARACTERS_PER_TOKEN = 4;

/**
 * Foresees what a provider's prefix cache would hold: how much of a request's beginning was already sent by an earlier one.
 * An estimate, since providers forget and do not promise; what was really cached comes with the reply.
 */
export class PrefixCache {
  readonly #seen = new Set<string>();

  /** The share of the request's text that an earlier request began with. */
  admit({ messages }: Pick<ChatRequest, "messages">): number {
    const text = messages.map(({ role, content }) => `${role}\n${content}`).join("\n");
    const step = STEP_TOKENS * CHARACTERS_PER_TOKEN;
    const hash = createHash("sha256");
    let known = 0;
    let unbroken = true;
    for (let at = 0; at + step <= text.length; at += step) {
      const prefix = hash
        .update(text.slice(at, at + step))
        .copy()
        .digest("base64");
      unbroken &&= this.#seen.has(prefix);
      if (unbroken) known = at + step;
      this.#seen.add(prefix);
    }
    return known < LEAST_TOKENS * CHARACTERS_PER_TOKEN ? 0 : known / text.length;
  }
}

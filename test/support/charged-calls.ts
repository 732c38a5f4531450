import type { ChatModel } from "../../src/models/chat-model.ts";
import { ModelError } from "../../src/models/model-error.ts";

/** What one reply of the provider below costs. */
export function chargeFor(inputTokens = 20): number {
  return (inputTokens * 0.15 + 150 * 0.6) / 1e6;
}

/** A provider that counts what it charges. Its reply of a certain number is charged and does not arrive whole. */
export class ChargingProvider {
  billed = 0;
  replies = 0;
  readonly model: ChatModel;

  constructor({ inputTokens = 20, brokenReply = 0 }: { inputTokens?: number; brokenReply?: number } = {}) {
    this.model = {
      id: "openai:gpt-4o-mini",
      contextTokens: null,
      complete: async () => {
        const number = ++this.replies;
        const usage = { inputTokens, outputTokens: 150, cachedInputTokens: 0, reasoningTokens: 0 };
        this.billed += chargeFor(inputTokens);
        await new Promise(setImmediate);
        if (number === brokenReply) throw new ModelError("malformed", this.model.id, "The reply broke off.");
        return { text: "answer", reasoning: null, stop: "stop", usage, model: "m", latencyMilliseconds: 1 };
      },
    };
  }
}

/** Asks everything side by side; how many were answered. */
export async function countAnswered(model: ChatModel, questions: readonly string[]): Promise<number> {
  const asked = questions.map((content) =>
    model.complete(
      { purpose: "judge", sample: 0, maximumTokens: 300, messages: [{ role: "user", content }] },
      new AbortController().signal,
    ),
  );
  return (await Promise.allSettled(asked)).filter(({ status }) => status === "fulfilled").length;
}

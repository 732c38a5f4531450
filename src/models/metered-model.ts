import type { ChatModel } from "./chat-model.ts";
import { costOf, type Price } from "./prices.ts";

/** What the calls of one piece of work came to, whoever paid for them and when. */
export interface Meter {
  readonly calls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  /** US dollars; calls without a known price count as nothing. */
  readonly cost: number;
}

/** A model that counts what passes through it: one for each book, when several share a run. */
export function meteredModel(model: ChatModel, price: Price | null): { model: ChatModel; read(): Meter } {
  let meter: Meter = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, cost: 0 };
  return {
    read: () => meter,
    model: {
      id: model.id,
      contextTokens: model.contextTokens,
      async complete(request, signal) {
        const reply = await model.complete(request, signal);
        const { inputTokens, cachedInputTokens, outputTokens } = reply.usage;
        meter = {
          calls: meter.calls + 1,
          inputTokens: meter.inputTokens + inputTokens,
          cachedInputTokens: meter.cachedInputTokens + cachedInputTokens,
          outputTokens: meter.outputTokens + outputTokens,
          cost: meter.cost + (price ? costOf(price, reply.usage) : 0),
        };
        return reply;
      },
    },
  };
}

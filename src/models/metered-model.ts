import { type Cost, costOfCalls } from "../core/cost.ts";
import type { ChatModel } from "./chat-model.ts";
import { isCovered } from "./judge-name.ts";
import { costOf, type Price } from "./prices.ts";

/** The calls and cost of one piece of work, whether paid for now or earlier. */
export interface Meter extends Cost {
  readonly calls: number;
  readonly unpricedCalls: number;
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
}

/** A model that counts what passes through it: one for each book, when several share a run. */
export function meteredModel(
  model: ChatModel,
  price: Price | null,
  batched: boolean,
): { model: ChatModel; read(): Meter } {
  const total = { calls: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 };
  let known = 0;
  return {
    read: () => {
      const unknown = price ? 0 : total.calls;
      return { ...total, ...(isCovered(model.id) ? costOfCalls(known, 0, unknown) : costOfCalls(known, unknown)) };
    },
    model: {
      id: model.id,
      get contextTokens() {
        return model.contextTokens;
      },
      async complete(request, signal) {
        const reply = await model.complete(request, signal);
        total.calls += 1;
        total.inputTokens += reply.usage.inputTokens;
        total.cachedInputTokens += reply.usage.cachedInputTokens;
        total.outputTokens += reply.usage.outputTokens;
        if (price) known += costOf(price, reply.usage, batched);
        return reply;
      },
    },
  };
}

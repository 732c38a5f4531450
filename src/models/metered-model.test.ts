import { describe, expect, it } from "vitest";
import { meteredModel } from "./ask.ts";
import type { ChatModel, ChatRequest } from "./chat-model.ts";

const request: ChatRequest = { purpose: "judge", sample: 0, messages: [{ role: "user", content: "x" }] };
const signal = new AbortController().signal;

/** Each reply takes a million tokens in and a million out. */
const model: ChatModel = {
  id: "openai:m",
  contextTokens: null,
  complete: async () => ({
    text: "",
    reasoning: null,
    stop: "stop",
    usage: { inputTokens: 1_000_000, outputTokens: 1_000_000, cachedInputTokens: 0, reasoningTokens: 0 },
    model: "m",
    latencyMilliseconds: 0,
  }),
};
const price = { input: 2, output: 8, batch: 0.5 };

describe("the cost of a piece of work", () => {
  it("is the price of batches when its calls went out in batches", async () => {
    const [alone, batched] = [meteredModel(model, price, false), meteredModel(model, price, true)];
    await Promise.all([alone.model.complete(request, signal), batched.model.complete(request, signal)]);
    expect(alone.read()).toMatchObject({ cost: 10 });
    expect(batched.read()).toMatchObject({ cost: 5 });
  });
});

it("says how much a local model takes once it is loaded", () => {
  let contextTokens: number | null = null;
  const local: ChatModel = {
    ...model,
    get contextTokens() {
      return contextTokens;
    },
  };
  const metered = meteredModel(local, null, false);
  expect(metered.model.contextTokens).toBeNull();
  contextTokens = 4096;
  expect(metered.model.contextTokens).toBe(4096);
});

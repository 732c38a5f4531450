import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { askForJson } from "../../src/models/ask-for-json.ts";
import type { ChatRequest } from "../../src/models/chat-model.ts";
import { createChatModel } from "../../src/models/create-chat-model.ts";
import { ModelError, type ModelFailure } from "../../src/models/model-error.ts";
import { createSimulatedServer, type Fault, type SimulatedServerOptions } from "../../src/testing/index.ts";

const verdict = z.object({ score: z.number().min(0).max(100), review: z.string() });
const request: ChatRequest = {
  purpose: "judge",
  sample: 0,
  temperature: 0,
  maximumTokens: 500,
  messages: [
    { role: "system", content: "You are a strict critic." },
    { role: "user", content: "Judge this story: once upon a time." },
  ],
};

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanUp.splice(0)) await close();
});

/** Every provider's client against a real HTTP server: they must behave alike. */
describe.each([
  "openai:gpt-4o",
  "anthropic:claude-sonnet-4-5",
  "google:gemini-2.5-flash",
  "ollama:qwen3",
  "compatible",
])("the chat model %s", (provider) => {
  async function start(options: SimulatedServerOptions = {}) {
    const server = await createSimulatedServer(options);
    cleanUp.push(server.close);
    const name = provider === "compatible" ? server.judge("local-model") : provider;
    return { server, name, model: await createChatModel(name, { connections: server.connections }) };
  }
  const ask = async (options: SimulatedServerOptions, changes: Partial<ChatRequest> = {}) => {
    const { model } = await start(options);
    return model.complete({ ...request, ...changes }, new AbortController().signal);
  };

  it("answers with text, stop reason, usage and latency", async () => {
    const reply = await ask({ reply: () => "Forty-two." });
    expect(reply).toMatchObject({ text: "Forty-two.", stop: "stop" });
    expect(reply.usage.inputTokens).toBeGreaterThan(10);
    expect(reply.usage.outputTokens).toBeGreaterThan(0);
    expect(reply.latencyMilliseconds).toBeGreaterThanOrEqual(0);
  });

  it("sends the system message, temperature and limit as given", async () => {
    let seen: unknown;
    await ask({
      reply: (asked) => {
        seen = asked;
        return "yes";
      },
    });
    expect(seen).toMatchObject({ messages: request.messages, temperature: 0, maximumTokens: 500 });
  });

  it("gives a value of the shape asked for", async () => {
    const { model } = await start();
    const { reading } = await askForJson(
      model,
      request,
      { name: "verdict", schema: verdict },
      new AbortController().signal,
    );
    expect(reading).toMatchObject({ kind: "read", value: { review: expect.stringContaining("Placeholder") } });
  });

  it("says when the reply was cut off", async () => {
    const reply = await ask({ reply: () => "word ".repeat(1000) }, { maximumTokens: 20 });
    expect(reply.stop).toBe("length");
  });

  it.each<[Fault, ModelFailure]>([
    ["rate-limit", "rate-limited"],
    ["overloaded", "overloaded"],
    ["server-error", "server"],
    ["drop", "connection"],
    ["drop-midway", "cut-off"],
    ["malformed-body", "malformed"],
  ])("turns the fault %s into the failure %s, worth another try", async (fault, failure) => {
    const error = await ask({ faults: { [fault]: 1 }, retryAfterSeconds: 7 }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ModelError);
    expect(error).toMatchObject({ failure, isRetryable: true });
    if (fault === "rate-limit" && !provider.startsWith("ollama")) {
      expect(error).toMatchObject({ retryAfterMilliseconds: 7000 });
    }
  });

  it("says that a server is gone which was there", async () => {
    const { server, model } = await start();
    await model.complete(request, new AbortController().signal);
    await server.close();
    cleanUp.length = 0;
    await expect(model.complete(request, new AbortController().signal)).rejects.toMatchObject({
      failure: "connection",
      message: expect.stringContaining("could not be reached"),
    });
  });

  it("stops when told to", async () => {
    const { model } = await start({ faults: { hang: 1 } });
    const reason = new Error("enough");
    const abort = new AbortController();
    setTimeout(() => abort.abort(reason), 50);
    await expect(model.complete(request, abort.signal)).rejects.toBe(reason);
  });

  it.skipIf(provider.startsWith("ollama"))("names a wrong key without showing it", async () => {
    const server = await createSimulatedServer({ key: "the-right-key-0123456789" });
    cleanUp.push(server.close);
    const name = provider === "compatible" ? server.judge("local-model") : provider;
    const wrong = { key: "sk-wrong-key-0123456789", baseUrl: server.connections.openai!.baseUrl! };
    const model = await createChatModel(name, {
      connections: {
        openai: wrong,
        anthropic: wrong,
        google: { ...wrong, baseUrl: server.connections.google!.baseUrl! },
        compatible: wrong,
      },
    });
    const error = await model.complete(request, new AbortController().signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ failure: "authentication", hopeless: true });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)) + String((error as Error).stack)).not.toContain(
      "sk-wrong-key",
    );
  });

  it.skipIf(provider.startsWith("google") || provider.startsWith("ollama"))(
    "tells a refusal from an answer",
    async () => {
      expect(await ask({ faults: { refusal: 1 } })).toMatchObject({ stop: "refusal" });
    },
  );
});

describe("an OpenAI-compatible server that knows no schemas", () => {
  it("is asked in words instead, from the first refusal on", async () => {
    const asked: string[] = [];
    const server = await createSimulatedServer({
      schemas: false,
      reply: ({ messages }) => {
        asked.push(messages.at(-1)!.content);
        return 'Here you are: {"score": 71, "review": "Lively."}';
      },
    });
    cleanUp.push(server.close);
    const model = await createChatModel(server.judge("plain"), { connections: {} });
    for (const sample of [0, 1]) {
      const { reading } = await askForJson(
        model,
        { ...request, sample },
        { name: "verdict", schema: verdict },
        new AbortController().signal,
      );
      expect(reading).toEqual({ kind: "read", value: { score: 71, review: "Lively." } });
    }
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain("JSON Schema");
  });

  it("answers all of eight calls that were under way when it first refused", async () => {
    const server = await createSimulatedServer({ schemas: false, reply: () => '{"score": 71, "review": "Lively."}' });
    cleanUp.push(server.close);
    const model = await createChatModel(server.judge("plain"), { connections: {} });
    const readings = await Promise.all(
      Array.from({ length: 8 }, (_, sample) =>
        askForJson(
          model,
          { ...request, sample },
          { name: "verdict", schema: verdict },
          new AbortController().signal,
        ).then(
          ({ reading }) => reading.kind,
          (error: unknown) => String(error),
        ),
      ),
    );
    expect(readings).toEqual(Array.from({ length: 8 }, () => "read"));
  });
});

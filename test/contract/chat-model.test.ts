import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { judgeInWords } from "../../src/core/wording.ts";
import { CLOUD_PROVIDERS, CLOUDS } from "../../src/models/adapters/clouds.ts";
import { asJson, ask } from "../../src/models/ask.ts";
import type { ChatRequest } from "../../src/models/chat-model.ts";
import { connectionsFromEnvironment } from "../../src/models/connection.ts";
import { createChatModel, modelIdentity } from "../../src/models/create-chat-model.ts";
import { ModelError, type ModelFailure } from "../../src/models/model-error.ts";
import { mayLeave } from "../../src/models/transport.ts";
import { identify } from "../../src/runner/call-records.ts";
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
  ...CLOUD_PROVIDERS.map((name) => `${name}:${CLOUDS[name].suggested}`),
  "ollama:qwen3",
  "compatible",
  // One of those that hold a model to a schema, and one that does not: the others are lines of data like them.
  "openrouter:anthropic/claude-sonnet-4.5",
  "deepseek:deepseek-v4-flash",
])("the chat model %s", (provider) => {
  async function start(options: SimulatedServerOptions = {}) {
    const server = await createSimulatedServer(options);
    cleanUp.push(server.close);
    const name = provider === "compatible" ? server.judge("local-model") : provider;
    return { server, name, model: await createChatModel(name, { connections: server.connections }) };
  }
  const complete = async (options: SimulatedServerOptions, changes: Partial<ChatRequest> = {}) => {
    const { model } = await start(options);
    return model.complete({ ...request, ...changes }, new AbortController().signal);
  };

  it("answers with text, stop reason, usage and latency", async () => {
    const reply = await complete({ reply: () => "Forty-two." });
    expect(reply).toMatchObject({ text: "Forty-two.", stop: "stop" });
    expect(reply.usage.inputTokens).toBeGreaterThan(10);
    expect(reply.usage.outputTokens).toBeGreaterThan(0);
    expect(reply.latencyMilliseconds).toBeGreaterThanOrEqual(0);
  });

  it.each<[string, unknown]>([
    ["negative", -500_000],
    ["immense", 1e300],
    ["beyond anything that was said", 5_000_000],
    ["zero", 0],
    ["no whole number", 12.5],
    ["no number", "12"],
    ["missing", undefined],
  ])("keeps a reply whose token counts are %s, and estimates them from the texts", async (_what, count) => {
    const text = "Forty-two is the answer to that, as everybody knows.";
    const wrong = { inputTokens: count, outputTokens: count };
    const { text: said, usage, usageIsEstimated } = await complete({ reply: () => text, reportedUsage: () => wrong });
    expect(said).toBe(text);
    expect(usageIsEstimated).toBe(true);
    const right = await complete({ reply: () => text });
    expect(right.usageIsEstimated).toBeUndefined();
    for (const name of ["inputTokens", "outputTokens"] as const) {
      expect(Number.isInteger(usage[name])).toBe(true);
      expect(usage[name]).toBeGreaterThanOrEqual(right.usage[name]);
      expect(usage[name]).toBeLessThan(right.usage[name] * 3 + 10);
    }
    expect(usage).toMatchObject({ cachedInputTokens: 0, reasoningTokens: 0 });
  });

  it("sends the system message, temperature and limit as given", async () => {
    let seen: unknown;
    await complete({
      reply: (asked) => {
        seen = asked;
        return "yes";
      },
    });
    expect(seen).toMatchObject({ messages: request.messages, temperature: 0, maximumTokens: 500 });
  });

  it("gives a value of the shape asked for", async () => {
    const { model } = await start();
    const answer = await ask(model, { ...request, ...asJson("verdict", verdict) }, new AbortController().signal);
    expect(answer).toMatchObject({ kind: "answered", value: { review: expect.stringContaining("Placeholder") } });
  });

  it("says when the reply was cut off", async () => {
    const reply = await complete({ reply: () => "word ".repeat(1000) }, { maximumTokens: 20 });
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
    const error = await complete({ faults: { [fault]: 1 }, retryAfterSeconds: 7 }).catch((thrown: unknown) => thrown);
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

  it("asks at the last moment whether its request may still leave", async () => {
    const { model, server } = await start();
    const { signal } = new AbortController();
    let asked = 0;
    mayLeave.set(signal, () => {
      asked += 1;
      return false;
    });
    await expect(model.complete(request, signal)).rejects.toThrow();
    expect(asked).toBe(1);
    expect(server.exchanges).toEqual([]);
    mayLeave.set(signal, () => true);
    await model.complete(request, signal);
    expect(server.exchanges).toHaveLength(1);
  });

  it.skipIf(provider.startsWith("ollama"))("names a wrong key without showing it", async () => {
    const server = await createSimulatedServer({ key: "the-right-key-0123456789" });
    cleanUp.push(server.close);
    const name = provider === "compatible" ? server.judge("local-model") : provider;
    const wrong = Object.entries(server.connections).map(([of, known]) => [
      of,
      { ...known, key: "sk-wrong-key-0123456789" },
    ]);
    const model = await createChatModel(name, { connections: Object.fromEntries(wrong) });
    const error = await model.complete(request, new AbortController().signal).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ failure: "authentication", hopeless: true });
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error)) + String((error as Error).stack)).not.toContain(
      "sk-wrong-key",
    );
  });

  it.skipIf(provider.startsWith("google") || provider.startsWith("ollama"))(
    "tells a refusal from an answer",
    async () => {
      expect(await complete({ faults: { refusal: 1 } })).toMatchObject({ stop: "refusal" });
    },
  );
});

describe("a provider that is a line of data", () => {
  it("is asked at its own address with its own key, and says what is missing", async () => {
    const environment = { MISTRAL_API_KEY: "m-key", AZURE_OPENAI_API_KEY: "a-key", AWS_BEARER_TOKEN_BEDROCK: "b-key" };
    const sent: { url: string; key: string | null }[] = [];
    const recorded = (async (input, init) => {
      sent.push({ url: String(input), key: new Headers(init?.headers).get("authorization") });
      return new Response("{}", { status: 401 });
    }) as typeof fetch;
    const askOne = async (name: string, more: Record<string, string> = {}) => {
      const connections = connectionsFromEnvironment({ ...environment, ...more });
      const model = await createChatModel(name, { connections, fetch: recorded });
      await model.complete(request, new AbortController().signal).catch(() => {});
    };
    await askOne("mistral:mistral-large-2512");
    await askOne("azure:my-deployment", { AZURE_OPENAI_ENDPOINT: "https://mine.openai.azure.com/" });
    await askOne("bedrock:openai.gpt-oss-120b-1:0", { AWS_REGION: "eu-central-1" });
    await askOne("vllm:org/model", { VLLM_BASE_URL: "http://gpu.local:9000/v1/" });
    expect(sent).toEqual([
      { url: "https://api.mistral.ai/v1/chat/completions", key: "Bearer m-key" },
      { url: "https://mine.openai.azure.com/openai/v1/chat/completions", key: "Bearer a-key" },
      { url: "https://bedrock-runtime.eu-central-1.amazonaws.com/openai/v1/chat/completions", key: "Bearer b-key" },
      { url: "http://gpu.local:9000/v1/chat/completions", key: null },
    ]);
    await expect(askOne("azure:my-deployment")).rejects.toThrow(/set AZURE_OPENAI_ENDPOINT in the environment/);
    await expect(askOne("groq:llama-3.3-70b-versatile")).rejects.toThrow(/No key for Groq: set GROQ_API_KEY/);
  });
});

describe("a judge under a name of the user's own", () => {
  const judges = {
    careful: { judge: "openai:gpt-5", name: "Careful reader", options: { reasoning_effort: "high" } },
    quick: { judge: "openai:gpt-5", headers: { "x-team": "novels" }, context: 9000 },
    plain: { judge: "openai:gpt-5", name: "Just a name" },
  };

  it("is sent with its own fields and headers", async () => {
    const sent: { effort: unknown; team: string | null }[] = [];
    const recorded = (async (_input, init) => {
      const body = JSON.parse(String(init?.body));
      sent.push({ effort: body.reasoning_effort, team: new Headers(init?.headers).get("x-team") });
      return new Response("{}", { status: 401 });
    }) as typeof fetch;
    for (const name of ["careful", "quick"]) {
      const model = await createChatModel(name, { connections: { openai: { key: "any" }, judges }, fetch: recorded });
      expect(model.contextTokens).toBe(name === "quick" ? 9000 : null);
      await model.complete(request, new AbortController().signal).catch(() => {});
    }
    expect(sent).toEqual([
      { effort: "high", team: null },
      { effort: undefined, team: "novels" },
    ]);
  });

  it("is another judge where a setting changes its answers, and the same where only its name differs", () => {
    const key = (name: string) => identify(modelIdentity(name, { connections: { judges } }), request).key;
    expect(new Set(["careful", "quick", "plain"].map(key)).size).toBe(3);
    expect(key("plain")).toBe(key("openai:gpt-5"));
    expect(modelIdentity("careful", { connections: { judges } }).id).toBe("openai:gpt-5#Careful reader");
    expect(judgeInWords("openai:gpt-5#Careful reader")).toBe("Careful reader");
  });
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
      const question = { ...request, sample, ...asJson("verdict", verdict) };
      const answer = await ask(model, question, new AbortController().signal);
      expect(answer).toMatchObject({ kind: "answered", value: { score: 71, review: "Lively." } });
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
        ask(model, { ...request, sample, ...asJson("verdict", verdict) }, new AbortController().signal).then(
          ({ kind }) => kind,
          (error: unknown) => String(error),
        ),
      ),
    );
    expect(readings).toEqual(Array.from({ length: 8 }, () => "answered"));
  });
});

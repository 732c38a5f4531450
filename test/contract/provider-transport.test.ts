import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { afterEach, describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/core/clock.ts";
import { createBatchModel } from "../../src/models/batch/batch-model.ts";
import type { ChatRequest } from "../../src/models/chat-model.ts";
import type { ModelConnections } from "../../src/models/connection.ts";
import { createChatModel } from "../../src/models/create-chat-model.ts";
import { reachProvider } from "../../src/models/reach-provider.ts";
import { createSimulatedServer } from "../../src/testing/index.ts";
import { type LoopbackServer, loopbackServer, SILENT_ADDRESS } from "../support/loopback-server.ts";

const KEY = "sk-the-users-key-0123456789";
const MANUSCRIPT = "Once upon a time there was a manuscript.";
const request: ChatRequest = {
  purpose: "judge",
  sample: 0,
  maximumTokens: 100,
  messages: [{ role: "user", content: MANUSCRIPT }],
};

const cleanUp: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of cleanUp.splice(0)) await close();
});

async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<LoopbackServer> {
  const server = await loopbackServer(answer);
  cleanUp.push(server.close);
  return server;
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it should have failed"),
    (error: unknown) => error,
  );

const connectionsTo = (url: string): ModelConnections => ({
  openai: { key: KEY, baseUrl: `${url}/v1` },
  anthropic: { key: KEY, baseUrl: `${url}/v1` },
  google: { key: KEY, baseUrl: `${url}/v1beta` },
  compatible: { key: KEY, baseUrl: `${url}/v1` },
  ollama: { baseUrl: url },
});
const never = () => new AbortController().signal;

/** Everything of ours that speaks to a provider. */
const WAYS: Readonly<Record<string, (url: string) => Promise<unknown>>> = {
  ...Object.fromEntries(
    ["openai:gpt-4o", "anthropic:claude-sonnet-4-5", "google:gemini-2.5-flash", "ollama:qwen3", "compatible"].map(
      (provider) => [
        provider,
        async (url: string) => {
          const name = provider === "compatible" ? `some-model@${url}/v1` : provider;
          const model = await createChatModel(name, { connections: connectionsTo(url) });
          return model.complete(request, never());
        },
      ],
    ),
  ),
  ...Object.fromEntries(
    ["openai:gpt-4o", "anthropic:claude-sonnet-4-5"].map((name) => [
      `a batch of ${name}`,
      (url: string) =>
        createBatchModel(name, { connections: connectionsTo(url) }).gateway.submit(
          "token",
          [{ id: "one", body: { text: MANUSCRIPT } }],
          never(),
        ),
    ]),
  ),
};

describe.each(Object.entries(WAYS))("a request by %s", (name, ask) => {
  it.each([301, 302, 303, 307, 308])(
    "takes neither key nor manuscript to where a %i redirect points",
    async (status) => {
      const thief = await serve((_request, response) => response.end("{}"));
      const server = await serve((_request, response) => {
        response.writeHead(status, { location: `${thief.url}/v1/elsewhere` }).end();
      });
      const error = await failureOf(ask(server.url));
      expect(error).toMatchObject({ failure: "redirected", isRetryable: false, hopeless: true });
      expect(String(error)).toContain(thief.url);
      expect(thief.received).toEqual([]);
      expect(server.received).toHaveLength(1);
    },
  );

  it("ends with one sentence when a reply grows without end", async () => {
    let sent = 0;
    const endless = function* () {
      for (const piece = Buffer.alloc(1024 * 1024, "a"); ; sent += piece.length) yield piece;
    };
    const server = await serve((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      // It ends when the client has had enough.
      pipeline(Readable.from(endless()), response).catch(() => {});
    });
    const error = await failureOf(ask(server.url));
    expect(error).toMatchObject({ code: "E_MODEL_TOO_LARGE", failure: "too-large", isRetryable: false });
    expect(String(error)).toMatch(/MB/);
    expect(sent).toBeLessThan(200 * 1024 * 1024);
    expect(server.received).toHaveLength(1);
  });

  it("fails at once, and says what to start, when nobody listens on this machine", async () => {
    const error = await failureOf(ask(SILENT_ADDRESS));
    expect(error).toMatchObject({ failure: "not-running", isRetryable: false, hopeless: true });
    expect(String(error)).toContain(name.startsWith("ollama") ? "`ollama serve`" : "start it");
  });
});

describe("a key", () => {
  const connections: ModelConnections = { compatible: { key: KEY, baseUrl: "https://models.example.com/v1" } };

  it.each<[string, (url: string) => Promise<unknown>]>([
    ["a judge", async (url) => (await createChatModel(`m@${url}/v1`, { connections })).complete(request, never())],
  ])("is not sent to another address than its own, which the name of %s gives", async (_what, ask) => {
    const server = await serve((_request, response) => response.writeHead(401).end("{}"));
    expect(await failureOf(ask(server.url))).toMatchObject({ failure: "authentication" });
    expect(server.received).toHaveLength(1);
    expect(JSON.stringify(server.received)).not.toContain(KEY);
  });

  it("is sent to every path of the origin that it is for", async () => {
    const server = await serve((_request, response) => response.writeHead(401).end("{}"));
    const own: ModelConnections = { compatible: { key: KEY, baseUrl: server.url } };
    const model = await createChatModel(`m@${server.url}/v1`, { connections: own });
    expect(await failureOf(model.complete(request, never()))).toMatchObject({
      message: expect.stringContaining("refused the key"),
    });
    expect(JSON.stringify(server.received)).toContain(KEY);
  });

  it.each([
    ["openai:gpt-4o", "OPENAI_BASE_URL", "https://api.openai.com"],
    ["anthropic:claude-sonnet-4-5", "ANTHROPIC_BASE_URL", "https://api.anthropic.com"],
  ])("that a program gives for %s goes to the provider, whatever %s says", async (name, variable, origin) => {
    vi.stubEnv(variable, "https://elsewhere.example.com/v1");
    cleanUp.push(async () => void vi.unstubAllEnvs());
    const asked: string[] = [];
    const model = await createChatModel(name, {
      connections: { openai: { key: KEY }, anthropic: { key: KEY } },
      fetch: async (input) => {
        asked.push(new URL(input instanceof Request ? input.url : input).origin);
        return new Response("{}", { status: 401 });
      },
    });
    await failureOf(model.complete(request, never()));
    expect(asked).toEqual([origin]);
  });
});

it("refuses a reply whose announced length is over the limit before reading it", async () => {
  const server = await serve((_request, response) => {
    response.writeHead(200, { "content-length": 1_500_000_000 }).flushHeaders();
  });
  await expect(WAYS["openai:gpt-4o"]!(server.url)).rejects.toMatchObject({ failure: "too-large" });
});

it("follows a redirect within the same origin, with the request as it was", async () => {
  const simulated = await createSimulatedServer({ key: KEY, reply: () => "Here." });
  cleanUp.push(simulated.close);
  const proxied = await serve(async (incoming, response) => {
    if (incoming.url?.startsWith("/v1/old")) {
      response.writeHead(308, { location: incoming.url.replace("/v1/old", "/v1/new") }).end();
      return;
    }
    const { body } = proxied.received.at(-1)!;
    const answer = await fetch(`${simulated.url}/v1${incoming.url?.slice("/v1/new".length)}`, {
      method: "POST",
      headers: { authorization: incoming.headers.authorization ?? "", "content-type": "application/json" },
      body,
    });
    response.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
  const model = await createChatModel(`m@${proxied.url}/v1/old`, { connections: connectionsTo(proxied.url) });
  expect(await model.complete(request, never())).toMatchObject({ text: "Here." });
});

it("gives up on a server that redirects in circles", async () => {
  const server = await serve((incoming, response) => {
    response.writeHead(307, { location: incoming.url! }).end();
  });
  await expect(WAYS.compatible!(server.url)).rejects.toMatchObject({ failure: "redirected" });
  expect(server.received.length).toBeLessThan(10);
});

it("asks a local server again that answered before and is away for a moment", async () => {
  const server = await createSimulatedServer();
  const model = await createChatModel(server.judge("m"), { connections: {} });
  await model.complete(request, never());
  await server.close();
  await expect(model.complete(request, never())).rejects.toMatchObject({
    failure: "connection",
    isRetryable: true,
  });
});

describe("fabula doctor", () => {
  const services = { fetch, clock: systemClock, signal: never() };

  it("takes no key to where a redirect points", async () => {
    const thief = await serve((_request, response) => response.end('{"data":[]}'));
    const server = await serve((_request, response) => {
      response.writeHead(302, { location: thief.url }).end();
    });
    const reach = await reachProvider("openai", { key: KEY, baseUrl: `${server.url}/v1` }, services);
    expect(reach).toMatchObject({ kind: "unreachable", reason: expect.stringContaining(thief.url) });
    expect(thief.received).toEqual([]);
  });

  it("says to start Ollama when it is not running", async () => {
    const reach = await reachProvider("ollama", { baseUrl: SILENT_ADDRESS }, services);
    expect(reach).toMatchObject({ kind: "unreachable", reason: expect.stringContaining("`ollama serve`") });
  });
});

describe("the results of a batch", () => {
  const LINES = 40;
  const line = (index: number) =>
    JSON.stringify({ custom_id: `item-${index}`, response: { status_code: 200, body: { text: "é".repeat(400_000) } } });

  it("are read whole though they are larger than one reply may be", async () => {
    const server = await serve((incoming, response) => {
      if (incoming.url?.startsWith("/v1/batches/")) {
        response.end(JSON.stringify({ id: "b", status: "completed", output_file_id: "f" }));
        return;
      }
      response.end(Array.from({ length: LINES }, (_, index) => line(index)).join("\n"));
    });
    const { gateway } = createBatchModel("openai:gpt-4o", { connections: connectionsTo(server.url) });
    const ids: string[] = [];
    for await (const { id, status } of gateway.results("b", never())) if (status === 200) ids.push(id);
    expect(ids).toEqual(Array.from({ length: LINES }, (_, index) => `item-${index}`));
  });
});

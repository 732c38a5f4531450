import { setMaxListeners } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";
import { type Clock, systemClock } from "../core/clock.ts";
import { sha256 } from "../core/hash.ts";
import { seededRandom } from "../core/random.ts";
import { CLOUD_PROVIDERS, CLOUDS } from "../models/adapters/clouds.ts";
import type { ModelConnections } from "../models/connection.ts";
import { NAMED_PROVIDERS } from "../models/providers.ts";
import { DIALECTS, openaiDialect } from "./dialects.ts";
import { SimulatedBatches } from "./simulated-batches.ts";
import { type BilledReply, bill, type Dialect, type SimulatedRequest } from "./simulated-exchange.ts";
import {
  chooseFault,
  type Fault,
  type FaultRates,
  type ReplyHandler,
  seededReply,
  seedFrom,
  simulate,
} from "./simulated-model.ts";

const MODELS = ["simulated-small", "simulated-large"];

/** The format of a request to this path. */
const dialectAt = (path: string) => DIALECTS.find((dialect) => dialect.path.test(path));

/** The models that the server says it has, as the provider of this path would list them. */
function catalogue(path: string): unknown {
  for (const dialect of DIALECTS) {
    const [at, list] = dialect.list?.(MODELS) ?? [];
    if (at === path) return list;
  }
  return { object: "list", data: MODELS.map((id) => ({ id, object: "model", type: "model" })) };
}

export interface SimulatedServerOptions {
  readonly seed?: number;
  readonly reply?: ReplyHandler;
  /** Milliseconds before a reply: one number, or the least and the most. */
  readonly latency?: number | readonly [number, number];
  readonly faults?: FaultRates;
  /** A key that requests must carry; any or none is accepted by default. */
  readonly key?: string;
  /** Whether a schema is understood; when not, a request with one is rejected, as some local servers do. */
  readonly schemas?: boolean;
  /** Whether a request repeated with the same idempotency key gets the first answer again, unbilled. */
  readonly idempotent?: boolean;
  /** The token counts that replies report, from the true ones, for a server that miscounts. It bills the true ones. */
  readonly reportedUsage?: (billed: SimulatedUsage) => { readonly [Count in keyof SimulatedUsage]?: unknown };
  readonly retryAfterSeconds?: number;
  /** How long a batch takes. */
  readonly batchMilliseconds?: number;
  /** Whether batches can only be submitted just now: their state, their results and the list of them answer 503. */
  readonly batchesDown?: () => boolean;
  readonly port?: number;
  readonly clock?: Clock;
}

export interface SimulatedUsage {
  readonly inputTokens: number;
  readonly outputTokens: number;
}

/** One request that reached the server, and what became of it. */
export interface SimulatedExchange {
  readonly path: string;
  /** Hash of the body: equal for equal requests. */
  readonly body: string;
  readonly idempotencyKey: string | null;
  readonly fault: Fault | null;
  /** When it arrived and when the server was done with it, in milliseconds since 1970. */
  readonly at: number;
  endedAt: number | null;
  /** `answered` is billed. `repeated` is an answer given again. `abandoned`: the client went away before the end. */
  outcome: "pending" | "answered" | "repeated" | "failed" | "abandoned";
  /** What the provider would bill for. */
  billed: SimulatedUsage | null;
}

export interface SimulatedServer {
  readonly url: string;
  readonly exchanges: readonly SimulatedExchange[];
  /** Name of a judge on this server: `MODEL@http://127.0.0.1:PORT/v1`. */
  judge(model: string): string;
  /** Points every provider's client at this server. */
  readonly connections: ModelConnections;
  close(): Promise<void>;
}

const KEY = "simulated-key";

/**
 * A server that speaks the formats of OpenAI, Anthropic, Google and Ollama on the loopback interface and answers with
 * seeded replies and, on request, with faults. For tests, demonstrations and benchmarks: it reads nothing and judges
 * nothing.
 *
 * @example
 * ```ts
 * const server = await createSimulatedServer({ seed: 7, faults: { "rate-limit": 0.1 } });
 * const model = await createChatModel(server.judge("any-model"), { connections: server.connections });
 * console.log(server.exchanges.length); // requests that reached the server so far
 * await server.close();
 * ```
 */
export async function createSimulatedServer(options: SimulatedServerOptions = {}): Promise<SimulatedServer> {
  const { seed = 1, reply = seededReply, latency = 0, faults = {}, schemas = true, clock = systemClock } = options;
  const exchanges: SimulatedExchange[] = [];
  const occurrences = new Map<string, number>();
  const givenAnswers = new Map<string, { payload: string; contentType: string }>();
  const closing = new AbortController();
  setMaxListeners(0, closing.signal);
  const batches = new SimulatedBatches(answerItem, clock, options.batchMilliseconds ?? 0);

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, searchParams: query } = new URL(request.url ?? "/", "http://localhost");
    const bytes = await readAll(request);
    const contentType = request.headers["content-type"] ?? "";
    const batch = await batches.handle({ method: request.method ?? "", path, query, contentType, body: bytes });
    if (batch && request.method === "GET" && options.batchesDown?.()) {
      return sendJson(response, 503, { error: { message: "The batch API is down." } });
    }
    if (batch && "json" in batch) return sendJson(response, 200, batch.json);
    if (batch)
      return send(response, 200, "application/jsonl", batch.lines.map((line) => JSON.stringify(line)).join("\n"));
    const body = bytes.toString("utf8");
    if (request.method === "GET") return sendJson(response, 200, catalogue(path));
    const dialect = dialectAt(path);
    if (!dialect) return sendJson(response, 404, { error: { message: `no such path: ${path}` } });
    if (options.key !== undefined && !carriesKey(request, options.key)) {
      return sendJson(response, 401, dialect.error("authentication_error", "Incorrect API key provided."));
    }
    const asked = readRequest(path, body, dialect);
    if (asked instanceof Error) {
      const detail = `Cannot read the request: ${asked.message}`;
      return sendJson(response, 400, dialect.error("invalid_request_error", detail));
    }
    if (asked.schema && !schemas) {
      return sendJson(response, 400, dialect.error("invalid_request_error", "response_format is not supported."));
    }
    const exchange = note(path, sha256(body), request.headers["idempotency-key"]?.toString() ?? null);
    response.once("close", () => {
      exchange.endedAt = clock.now().getTime();
      if (!response.writableFinished && exchange.outcome === "pending") exchange.outcome = "abandoned";
    });
    await answer(asked, exchange, response, dialect);
  }

  /** Records a request, with the fault to inject. */
  function note(path: string, hash: string, idempotencyKey: string | null): SimulatedExchange {
    const occurrence = occurrences.get(hash) ?? 0;
    occurrences.set(hash, occurrence + 1);
    const exchange: SimulatedExchange = {
      path,
      body: hash,
      idempotencyKey,
      fault: chooseFault(faults, seed, hash, occurrence),
      at: clock.now().getTime(),
      endedAt: null,
      outcome: "pending",
      billed: null,
    };
    exchanges.push(exchange);
    return exchange;
  }

  function documentOf(dialect: Dialect, billed: BilledReply, asked: SimulatedRequest): unknown {
    const { inputTokens, outputTokens } = billed;
    const reported = options.reportedUsage?.({ inputTokens, outputTokens }) ?? { inputTokens, outputTokens };
    return dialect.document({ ...billed, ...(reported as SimulatedUsage) }, asked);
  }

  async function answer(
    asked: SimulatedRequest,
    exchange: SimulatedExchange,
    response: ServerResponse,
    dialect: Dialect,
  ): Promise<void> {
    const { fault, body: hash } = exchange;
    const key = options.idempotent ? exchange.idempotencyKey : null;
    const earlier = key === null ? undefined : givenAnswers.get(key);
    if (earlier) {
      exchange.outcome = "repeated";
      return send(response, 200, earlier.contentType, earlier.payload);
    }

    await clock.sleep(delayFor(latency, seedFrom(`${seed}:${hash}`)), closing.signal);
    if (response.destroyed) return;
    if (fault && (await injectFault(fault, response, dialect, options.retryAfterSeconds))) {
      exchange.outcome = "failed";
      return;
    }
    const billed = bill(`simulated-${hash.slice(0, 12)}`, asked, await simulate(asked, reply, seed, fault));
    const events = asked.stream ? dialect.events(billed, asked) : null;
    const payload = events
      ? events.map(([name, data]) => `${name ? `event: ${name}\n` : ""}data: ${data}\n\n`).join("")
      : JSON.stringify(documentOf(dialect, billed, asked));
    const contentType = events ? "text/event-stream" : "application/json";
    if (fault === "drop-midway") {
      exchange.outcome = "failed";
      // The provider has written the whole reply.
      exchange.billed = { inputTokens: billed.inputTokens, outputTokens: billed.outputTokens };
      response.writeHead(200, { "content-type": contentType, "content-length": Buffer.byteLength(payload) });
      response.write(payload.slice(0, payload.length / 2), () => response.destroy());
      return;
    }
    response.once("finish", () => {
      exchange.outcome = "answered";
      exchange.billed = { inputTokens: billed.inputTokens, outputTokens: billed.outputTokens };
    });
    if (key !== null) givenAnswers.set(key, { payload, contentType });
    send(response, 200, contentType, fault === "malformed-body" ? payload.slice(0, payload.length / 2) : payload);
  }

  /** One item of a batch. Only server errors and odd replies can happen: there is no connection to lose. */
  async function answerItem(path: string, body: unknown): Promise<{ status: number; document: unknown }> {
    const dialect = dialectAt(path) ?? openaiDialect;
    const asked = dialect.read(body);
    const hash = sha256(JSON.stringify(body));
    const exchange = note(`batch:${path}`, hash, null);
    exchange.endedAt = exchange.at;
    if (exchange.fault === "server-error") {
      exchange.outcome = "failed";
      return { status: 500, document: dialect.error("server_error", "The server had an error.") };
    }
    const billed = bill(`simulated-${hash.slice(0, 12)}`, asked, await simulate(asked, reply, seed, exchange.fault));
    exchange.outcome = "answered";
    exchange.billed = { inputTokens: billed.inputTokens, outputTokens: billed.outputTokens };
    return { status: 200, document: documentOf(dialect, billed, asked) };
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      if (closing.signal.aborted || response.headersSent) response.destroy();
      else sendJson(response, 500, { error: { message: `The simulated server failed: ${error}` } });
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const cloud = (path: string) => ({ key: options.key ?? KEY, baseUrl: url + path });
  return {
    url,
    exchanges,
    judge: (model) => `${model}@${url}/v1`,
    connections: {
      ...Object.fromEntries(NAMED_PROVIDERS.map((name) => [name, cloud("/v1")])),
      ...Object.fromEntries(CLOUD_PROVIDERS.map((name) => [name, cloud(new URL(CLOUDS[name].address).pathname)])),
      compatible: cloud("/v1"),
      ollama: { baseUrl: url },
    },
    async close() {
      closing.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function readRequest(path: string, body: string, dialect: Dialect): SimulatedRequest | Error {
  try {
    const fields = z.record(z.string(), z.unknown()).parse(JSON.parse(body));
    return dialect.read({ ...fields, ...dialect.path.exec(path)?.groups });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** In a header in which one of the providers expects it. */
function carriesKey(request: IncomingMessage, key: string): boolean {
  const expected = CLOUD_PROVIDERS.flatMap((provider) => Object.entries(CLOUDS[provider].headers(key)));
  return expected.some(([name, value]) => value.includes(key) && request.headers[name] === value);
}

function delayFor(latency: number | readonly [number, number], seed: number): number {
  if (typeof latency === "number") return latency;
  const [least, most] = latency;
  return least + seededRandom(seed)() * (most - least);
}

/** Applies a fault to the response. True when the fault is the whole answer, false when a reply still has to be sent. */
async function injectFault(
  fault: Fault,
  response: ServerResponse,
  dialect: Dialect,
  retryAfterSeconds: number | undefined,
): Promise<boolean> {
  switch (fault) {
    case "rate-limit":
      if (retryAfterSeconds !== undefined) response.setHeader("retry-after", retryAfterSeconds);
      sendJson(response, 429, dialect.error("rate_limit_error", "Rate limit reached."));
      return true;
    case "overloaded":
      sendJson(response, 529, dialect.error("overloaded_error", "Overloaded."));
      return true;
    case "server-error":
      sendJson(response, 500, dialect.error("server_error", "The server had an error."));
      return true;
    case "drop":
      response.destroy();
      return true;
    case "hang":
      await new Promise((resolve) => response.once("close", resolve));
      return true;
    case "drop-midway":
    case "malformed-body":
    case "prose":
    case "truncated":
    case "wrong-shape":
    case "refusal":
      return false;
    default:
      return fault satisfies never;
  }
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of request) chunks.push(chunk as Uint8Array);
  return Buffer.concat(chunks);
}

function sendJson(response: ServerResponse, status: number, document: unknown): void {
  send(response, status, "application/json", JSON.stringify(document));
}

function send(response: ServerResponse, status: number, contentType: string, payload: string): void {
  response.writeHead(status, { "content-type": contentType, "content-length": Buffer.byteLength(payload) });
  response.end(payload);
}

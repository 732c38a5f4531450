import { isIPv6 } from "node:net";
import { isLoopback } from "../core/loopback.ts";
import type { Connection, ModelConnections } from "./connection.ts";
import { ModelError } from "./model-error.ts";
import { addressFor, NAMED_PROVIDERS, providerLine } from "./providers.ts";

const PORT = 11434;
/** No host, or what a server takes for every address of its machine. */
const ANY_HOST = /^(?:0\.0\.0\.0|\[::\])?(?=[:/]|$)/;

/**
 * The address in `OLLAMA_HOST`, read as Ollama reads it (`getOllamaHost` in its `envconfig/config.go`): without a scheme
 * the port is Ollama's own unless another is given, with one it is the scheme's. A server that listens on every address is
 * reached on this machine.
 */
function ollamaAddress(value: string): string {
  const written = value.replace(/^[\s"']+|[\s"'/]+$/g, "");
  const scheme = /^https?:\/\//i.exec(written)?.[0];
  const rest = written.slice(scheme?.length ?? 0);
  const host = (isIPv6(rest) ? `[${rest}]` : rest).replace(ANY_HOST, "127.0.0.1");
  return scheme ? scheme + host : `http://${host.replace(/^[^/]+/, withPort)}`;
}

function withPort(authority: string): string {
  return /:\d+$/.test(authority) ? authority : `${authority}:${PORT}`;
}

/** Keys and addresses from the environment, under the names their providers use. The environment is an argument: only the edges of the program read it. */
export function connectionsFromEnvironment(environment: NodeJS.ProcessEnv): ModelConnections {
  const connection = (key: string | undefined, baseUrl: string | undefined): Connection => ({
    ...(key ? { key } : {}),
    ...(baseUrl ? { baseUrl: baseUrl.replace(/\/+$/, "") } : {}),
  });
  const named = NAMED_PROVIDERS.map((name) => {
    const { key, address } = providerLine(name);
    const baseUrl = addressFor(name, environment);
    // The usual address is no part of a call's key.
    return [name, connection(environment[key], baseUrl === address ? undefined : baseUrl)] as const;
  });
  return {
    ...Object.fromEntries(named.filter(([, { key, baseUrl }]) => key !== undefined || baseUrl !== undefined)),
    openai: connection(environment.OPENAI_API_KEY, environment.OPENAI_BASE_URL),
    anthropic: connection(environment.ANTHROPIC_API_KEY, environment.ANTHROPIC_BASE_URL),
    google: connection(
      environment.GOOGLE_GENERATIVE_AI_API_KEY ?? environment.GEMINI_API_KEY,
      environment.GOOGLE_GENERATIVE_AI_BASE_URL,
    ),
    compatible: connection(environment.FABULA_API_KEY, environment.FABULA_BASE_URL),
    llama: environment.FABULA_LLAMA ? { folder: environment.FABULA_LLAMA } : {},
    ollama: environment.OLLAMA_HOST ? { baseUrl: ollamaAddress(environment.OLLAMA_HOST) } : {},
  };
}

const MEGABYTE = 1024 * 1024;

/** The longest replies of today's models have about a megabyte. */
export const LARGEST_REPLY = 16 * MEGABYTE;
/** Thousands of replies in one file: a quarter of a megabyte for each of the largest batch. */
export const LARGEST_BATCH_RESULTS = 512 * MEGABYTE;

/** The same response, which fails instead of growing past the limit. */
export function limitedReply(model: string, response: Response, largest: number): Response {
  if (!response.body) return response;
  const announced = Number(response.headers.get("content-length") ?? Number.NaN);
  if (announced > largest) {
    response.body.cancel().catch(() => {});
    throw tooLarge(model, largest);
  }
  // HTTP itself ends a body at its announced length, but that length is of the packed form.
  if (announced <= largest && !response.headers.has("content-encoding")) return response;
  let size = 0;
  const counted = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength;
      if (size > largest) controller.error(tooLarge(model, largest));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
}

function tooLarge(model: string, largest: number): ModelError {
  return new ModelError(
    "too-large",
    model,
    `${model} sent a reply of more than ${largest / MEGABYTE} MB, which was not read to its end: check the model's address.`,
  );
}

/** Whether a call to this host, as `URL` writes it, stays on this machine. 0.0.0.0 does as a target, though not as a listener. */
export function isThisMachine(hostname: string): boolean {
  return isLoopback(hostname) || hostname === "0.0.0.0";
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/**
 * Sends a request and follows redirects that stay on the same origin and keep the request as it is. `fetch` by itself
 * would take a manuscript to any address that the server names, and a key in any header but `authorization`.
 */
async function followWithinOrigin(
  model: string,
  send: typeof fetch,
  input: Parameters<typeof fetch>[0],
  init: RequestInit | undefined,
): Promise<Response> {
  let url = new URL(input instanceof Request ? input.url : input);
  for (let redirects = 0; ; redirects++) {
    const response = await send(redirects === 0 ? input : url, { ...init, redirect: "manual" });
    const location = response.headers.get("location");
    if (!REDIRECTS.has(response.status) || location === null) return response;
    await response.body?.cancel();
    const target = URL.canParse(location, url.href) ? new URL(location, url) : null;
    if (target?.origin !== url.origin) throw leavesOrigin(model, url, target);
    const keepsRequest = response.status === 307 || response.status === 308 || (init?.method ?? "GET") === "GET";
    if (!keepsRequest || redirects >= MOST_REDIRECTS) throw leadsNowhere(model, url, response.status);
    url = target;
  }
}

function leavesOrigin(model: string, from: URL, target: URL | null): ModelError {
  return new ModelError(
    "redirected",
    model,
    `${model} at ${from.origin} redirects to ${target?.origin ?? "an unreadable address"}, and nothing was sent there: ` +
      "if you trust that address, give it as the model's own.",
  );
}

function leadsNowhere(model: string, from: URL, status: number): ModelError {
  return new ModelError(
    "redirected",
    model,
    `${model} at ${from.origin} answers with a redirect that cannot be followed (${status}): check the model's address.`,
    { status },
  );
}

/** Origins that have answered this process. One that is unreachable now may be back in a moment, so the request is retried. */
const answeredBefore = new Set<string>();

/**
 * The transport to every provider. A key or a manuscript never leaves for another origin, a reply never grows without end, and
 * a server of this machine that was never started is named at once. What goes wrong is a `ModelError`.
 */
export function guardedFetch(
  model: string,
  send: typeof fetch = fetch,
  largestReply: number = LARGEST_REPLY,
): typeof fetch {
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    let response: Response;
    try {
      response = await followWithinOrigin(model, send, input, init);
    } catch (cause) {
      throw (answeredBefore.has(origin) ? null : serverNotRunning(model, origin, cause)) ?? cause;
    }
    answeredBefore.add(origin);
    return limitedReply(model, response, largestReply);
  };
}

/** Nothing listens at an address of this machine: the server was not started, so retrying is pointless. */
function serverNotRunning(model: string, origin: string, cause: unknown): ModelError | null {
  if (!isThisMachine(new URL(origin).hostname) || !wasRefused(cause)) return null;
  const message = model.startsWith("ollama")
    ? `Ollama is not running at ${origin}: start it with \`ollama serve\`.`
    : `No server is running at ${origin}, where ${model} should be: start it, then try again.`;
  return new ModelError("not-running", model, message, { cause });
}

function wasRefused(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if ("code" in error && error.code === "ECONNREFUSED") return true;
  }
  return false;
}

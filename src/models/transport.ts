import { estimateTokens } from "../core/estimate-tokens.ts";
import { isLoopback } from "../core/loopback.ts";
import { type ChatReply, type ChatRequest, estimateInputTokens, type TokenUsage } from "./chat-model.ts";
import { ModelError } from "./model-error.ts";

/** Token counts as reported by a provider: anything, or nothing. */
export type ReportedUsage = { readonly [Count in keyof TokenUsage]?: unknown };

/** A request and its reply, which limit the possible token counts. */
interface Exchange {
  readonly request: ChatRequest;
  readonly reply: Pick<ChatReply, "text" | "reasoning">;
  /** How many tokens the model was allowed to think with. */
  readonly thinkingTokens?: number;
}

/** The most that a provider adds to a prompt, such as instructions for a schema. */
const HIDDEN_PROMPT_TOKENS = 16_384;
/** No current model thinks longer without showing it. */
const HIDDEN_THINKING_TOKENS = 262_144;
/** Our estimate is too high, but never by this factor. */
const FEWEST_OF_ESTIMATE = 1 / 8;

/**
 * The token counts of a reply. Cost and budget depend on them, so a provider's counts are used only if they are
 * possible: a count that is missing, negative, not a whole number, or far from the length of the texts is treated as
 * unknown and replaced by a cautious estimate.
 */
export function tokenUsage(
  reported: ReportedUsage,
  { request, reply, thinkingTokens = 0 }: Exchange,
): Pick<ChatReply, "usage" | "usageIsEstimated"> {
  const { text, reasoning } = reply;
  const prompt = estimateInputTokens(request);
  const answer = estimateTokens(text);
  // The estimate is cautious: if the limit was probably respected, the reply was no longer than that.
  const limit = request.maximumTokens ?? Number.POSITIVE_INFINITY;
  const likelyAnswer = answer < 2 * limit ? Math.min(answer, limit) : answer;
  const thinking = reasoning === null ? thinkingTokens : estimateTokens(reasoning);
  // A token stands for at least one byte; twice that leaves room for message separators.
  const longestPrompt = 2 * bytesOf(JSON.stringify([request.messages, request.schema ?? null]));
  const longestReply = Math.max((request.maximumTokens ?? 0) + thinkingTokens, 2 * bytesOf(text + (reasoning ?? "")));
  const inputTokens = count(reported.inputTokens, fewest(prompt), longestPrompt + HIDDEN_PROMPT_TOKENS);
  const outputTokens = count(reported.outputTokens, fewest(answer), longestReply + HIDDEN_THINKING_TOKENS);
  const usage = { inputTokens: inputTokens ?? prompt, outputTokens: outputTokens ?? likelyAnswer + thinking };
  return {
    usage: {
      ...usage,
      // These are parts of the counts above. An impossible one counts as 0, so that no cost is underestimated.
      cachedInputTokens: count(reported.cachedInputTokens, 0, usage.inputTokens) ?? 0,
      reasoningTokens: count(reported.reasoningTokens, 0, usage.outputTokens) ?? 0,
    },
    ...(inputTokens === null || outputTokens === null ? { usageIsEstimated: true } : {}),
  };
}

function fewest(estimate: number): number {
  return Math.ceil(estimate * FEWEST_OF_ESTIMATE);
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

function count(reported: unknown, least: number, most: number): number | null {
  return Number.isSafeInteger(reported) && Number(reported) >= least && Number(reported) <= most
    ? Number(reported)
    : null;
}

/**
 * A provider's library refuses a whole reply, which was paid for, because of a token count that is not a number. Such
 * a count becomes 0 before the library sees it, and `tokenUsage` treats that as unknown.
 */
export function withReadableCounts(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const response = await send(input, init);
    if (!response.ok || !response.body) return response;
    // Read on demand: piping through another stream takes twice as long.
    const readable = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          controller.enqueue(readableCounts(Buffer.from(await response.arrayBuffer())));
          controller.close();
        },
        cancel: async (reason) => {
          if (!response.bodyUsed) await response.body?.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
    const { status, statusText, headers } = response;
    return new Response(readable, { status, statusText, headers });
  };
}

/** The names that providers use, and that Anthropic's library requires. */
const COUNT = /(?:_tokens|TokenCount)$/;
const REQUIRED = { input_tokens: 0, output_tokens: 0 };

function readableCounts(body: Buffer): Uint8Array {
  try {
    const document: unknown = JSON.parse(body.toString("utf8"), (name, value: unknown) =>
      COUNT.test(name) && !Number.isFinite(value) ? 0 : value,
    );
    if (typeof document !== "object" || document === null || "usageMetadata" in document) return write(document);
    const usage = "usage" in document && typeof document.usage === "object" ? document.usage : {};
    return write({ ...document, usage: { ...REQUIRED, ...usage } });
  } catch {
    // Not JSON: the provider's library reports that better than we could here.
    return body;
  }
}

function write(document: unknown): Uint8Array {
  return Buffer.from(JSON.stringify(document));
}

const MEGABYTE = 1024 * 1024;

/** The longest replies of current models are about a megabyte. */
export const LARGEST_REPLY = 16 * MEGABYTE;
/** Thousands of replies in one file: a quarter of a megabyte for each call of the largest batch. */
export const LARGEST_BATCH_RESULTS = 512 * MEGABYTE;

/** Limits the length of a response: reading past the limit is an error. */
export function limitedReply(model: string, response: Response, largest: number): Response {
  if (!response.body) return response;
  const announced = Number(response.headers.get("content-length") ?? Number.NaN);
  if (announced > largest) {
    response.body.cancel().catch(() => {});
    throw tooLarge(model, largest);
  }
  // HTTP itself ends a body at its announced length, but that is the compressed length.
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

/**
 * Whether a call to this host, in the form `URL` gives it, stays on this machine. That is true of 0.0.0.0 as a
 * target, though not as a listener.
 */
export function isThisMachine(hostname: string): boolean {
  return isLoopback(hostname) || hostname === "0.0.0.0";
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/**
 * Sends a request and follows redirects only within the same origin and with the same request. `fetch` itself would
 * send a manuscript to any address that the server names, and a key in any header except `authorization`.
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

/**
 * Decides at the last moment, just before a request is handed to the network, whether it may still be sent. A
 * provider's library takes a while between the permission and that moment, and the process may be suspended meanwhile
 * for any length of time. It goes by the signal of the request, which every library hands on: an AsyncLocalStorage would
 * make every promise of the process more expensive.
 */
export const mayLeave = new WeakMap<AbortSignal, () => boolean>();

/**
 * Origins that have answered this process. If one is unreachable now it may be back in a moment, so the request is
 * retried.
 */
const answeredBefore = new Set<string>();

/**
 * The transport to every provider. A key or a manuscript is never sent to another origin, the length of a reply is
 * limited, and a local server that was never started is reported at once. Failures become a `ModelError`.
 */
export function guardedFetch(
  model: string,
  send: typeof fetch = fetch,
  largestReply: number = LARGEST_REPLY,
): typeof fetch {
  return async (input, init) => {
    const { origin } = new URL(input instanceof Request ? input.url : input);
    if (init?.signal && mayLeave.get(init.signal)?.() === false)
      throw new ModelError("interrupted", model, `${model} was not asked: others have taken over.`);
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

/**
 * The longest single wait, whatever a provider's `Retry-After` says. A per-minute limit has passed by then; the next
 * attempt shows whether a longer one has, and a run that gets no answer can be resumed.
 */
const LONGEST_WAIT_MILLISECONDS = 5 * 60_000;

export function cappedWait(askedMilliseconds: number): number {
  return Math.min(askedMilliseconds, LONGEST_WAIT_MILLISECONDS);
}

import { ModelError } from "../model-error.ts";
import { LARGEST_REPLY, limitedReply } from "./limited-reply.ts";
import { isThisMachine } from "./this-machine.ts";

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

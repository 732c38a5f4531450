import { ModelError } from "../model-error.ts";

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MOST_REDIRECTS = 5;

/**
 * Sends a request and follows redirects that stay on the same origin and keep the request as it is. `fetch` by itself
 * would take a manuscript to any address that the server names, and a key in any header but `authorization`.
 */
export async function followWithinOrigin(
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

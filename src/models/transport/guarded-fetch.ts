import { followWithinOrigin } from "./follow-within-origin.ts";
import { LARGEST_REPLY, limitedReply } from "./limited-reply.ts";
import { serverNotRunning } from "./server-not-running.ts";

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

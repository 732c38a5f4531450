import type { ServerResponse } from "node:http";
import type { Fault } from "./faults.ts";
import { sendJson } from "./respond.ts";
import type { Dialect } from "./simulated-exchange.ts";

/** Applies a fault to the response. True when the fault is the whole answer, false when a reply still has to be sent. */
export async function injectFault(
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

import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { httpFailure } from "../adapters/failure.ts";
import { ModelError } from "../model-error.ts";

export interface BatchConnection {
  readonly model: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

/** One exchange with a batch API; what does not work comes out as a `ModelError`. */
export async function batchExchange(
  { model, baseUrl, headers, secrets, fetch, clock }: BatchConnection,
  path: string,
  init: RequestInit,
): Promise<string> {
  const fail = (status: number | null, body: string, cause: unknown) =>
    httpFailure({ model, status, headers: {}, body, cause, secrets, now: clock.now() });
  let response: Response;
  let body: string;
  try {
    response = await fetch(baseUrl + path, { ...init, headers: { ...headers, ...init.headers } });
    body = await response.text();
  } catch (cause) {
    if (init.signal?.aborted) throw init.signal.reason;
    throw fail(null, "", cause);
  }
  if (!response.ok) throw fail(response.status, body, null);
  return body;
}

export function parseBatchReply<T>(model: string, body: string, schema: z.ZodType<T>): T {
  try {
    return schema.parse(JSON.parse(body));
  } catch (cause) {
    throw new ModelError("malformed", model, `The batch API of ${model} sent a reply that is not its format.`, {
      cause,
      evidence: body.slice(0, 2000),
    });
  }
}

export function parseBatchLines<T>(model: string, body: string, schema: z.ZodType<T>): T[] {
  return body
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseBatchReply(model, line, schema));
}

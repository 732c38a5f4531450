import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { httpFailure } from "../adapters/failure.ts";
import { ModelError } from "../model-error.ts";
import { guardedFetch } from "../transport/guarded-fetch.ts";
import { LARGEST_BATCH_RESULTS, LARGEST_REPLY } from "../transport/limited-reply.ts";

export interface BatchConnection {
  readonly model: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

/** One exchange with a batch API; what does not work comes out as a `ModelError`. */
export async function batchExchange(connection: BatchConnection, path: string, init: RequestInit): Promise<string> {
  return (await exchange(connection, path, init, LARGEST_REPLY)).toString("utf8");
}

/**
 * The lines of a file of results. It is there whole before the first line is given out, since half a file is no result, and
 * decoded line by line, since a large batch is longer than a string may be.
 */
export async function* batchLines<T>(
  connection: BatchConnection,
  path: string,
  schema: z.ZodType<T>,
  signal: AbortSignal,
): AsyncGenerator<T> {
  const file = await exchange(connection, path, { method: "GET", signal }, LARGEST_BATCH_RESULTS);
  for (let start = 0; start < file.length; ) {
    const found = file.indexOf("\n", start);
    const end = found < 0 ? file.length : found;
    const line = file.toString("utf8", start, end);
    if (line.trim() !== "") yield parseBatchReply(connection.model, line, schema);
    start = end + 1;
  }
}

async function exchange(
  { model, baseUrl, headers, secrets, fetch, clock }: BatchConnection,
  path: string,
  init: RequestInit,
  largest: number,
): Promise<Buffer> {
  const fail = (status: number | null, body: string, cause: unknown) =>
    httpFailure({ model, status, headers: {}, body, cause, secrets, now: clock.now() });
  const send = guardedFetch(model, fetch, largest);
  let response: Response;
  let body: Buffer;
  try {
    response = await send(baseUrl + path, { ...init, headers: { ...headers, ...init.headers } });
    body = Buffer.from(await response.arrayBuffer());
  } catch (cause) {
    if (init.signal?.aborted) throw init.signal.reason;
    throw fail(null, "", cause);
  }
  if (!response.ok) throw fail(response.status, body.toString("utf8"), null);
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

import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { httpFailure } from "../adapters/failure.ts";
import { ModelError } from "../model-error.ts";
import { guardedFetch, LARGEST_BATCH_RESULTS, LARGEST_REPLY } from "../transport.ts";
import type { BatchResult } from "./batch-gateway.ts";

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
 * The results in a file of lines. It is there whole before the first line is given out, since half a file is no result, and
 * decoded line by line, since a large batch is longer than a string may be. A line that cannot be read is a broken reply to
 * its own call and to no other; a file without a single call's id is no file of results.
 */
export async function* batchResults(
  connection: BatchConnection,
  path: string,
  schema: z.ZodType<BatchResult>,
  signal: AbortSignal,
): AsyncGenerator<BatchResult> {
  let stranger: string | null = null;
  let recognised = 0;
  const file = await exchange(connection, path, { method: "GET", signal }, LARGEST_BATCH_RESULTS);
  for (let start = 0; start < file.length; ) {
    const found = file.indexOf("\n", start);
    const end = found < 0 ? file.length : found;
    const line = file.toString("utf8", start, end);
    start = end + 1;
    if (line.trim() === "") continue;
    const result = parsed(line, schema) ?? brokenReply(line);
    if (result) {
      recognised += 1;
      yield result;
    } else stranger ??= line;
  }
  if (recognised === 0 && stranger !== null) throw notItsFormat(connection.model, stranger, null);
}

function parsed<T>(line: string, schema: z.ZodType<T>): T | null {
  try {
    return schema.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

/** Null when the line does not even say which call it answers. */
function brokenReply(line: string): BatchResult | null {
  const id = /"custom_id"\s*:\s*"([^"\\]+)"/.exec(line)?.[1];
  return id === undefined ? null : { id, status: 200, body: line };
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
    throw notItsFormat(model, body, cause);
  }
}

function notItsFormat(model: string, body: string, cause: unknown): ModelError {
  return new ModelError("malformed", model, `The batch API of ${model} sent a reply that is not its format.`, {
    cause,
    evidence: body.slice(0, 2000),
  });
}

import type { z } from "zod";
import type { Clock } from "../../core/clock.ts";
import { httpFailure } from "../adapters/failure.ts";
import { ModelError } from "../model-error.ts";
import { guardedFetch, LARGEST_BATCH_RESULTS, LARGEST_REPLY } from "../transport.ts";

export interface BatchConnection {
  readonly model: string;
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly fetch: typeof fetch;
  readonly clock: Clock;
}

/** One exchange with a batch API; failures become a `ModelError`. */
export async function batchExchange(connection: BatchConnection, path: string, init: RequestInit): Promise<string> {
  return (await exchange(connection, path, init, LARGEST_REPLY)).toString("utf8");
}

/**
 * The results in a file of lines. The file is downloaded completely before the first line is returned, since half a
 * file is not a result, and is decoded line by line, since a large batch is longer than a string may be. A line that
 * cannot be read is a broken reply to its own call only; a file without a single call's id is not a file of results.
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

/** Null if the line does not even say which call it answers. */
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

/** One request in a batch, in the provider's own format. */
export interface BatchItem {
  readonly id: string;
  readonly body: unknown;
}

/** The result of one item: the provider's HTTP answer, as if it had been sent alone. */
export interface BatchResult {
  readonly id: string;
  readonly status: number;
  readonly body: string;
}

export type BatchState = "working" | "ended" | "failed";

/** A batch that we tried to submit, without knowing whether it arrived. */
export interface UncertainBatch {
  readonly token: string;
  /** The ids of its items. */
  readonly keys: readonly string[];
  readonly submittedAt: string;
  /** The provider's ids of our other batches. */
  readonly held: ReadonlySet<string>;
}

/** `undecided`: a batch that may be the one does not yet show what it contains. */
export type BatchSearch =
  | { readonly kind: "found"; readonly id: string }
  | { readonly kind: "absent" }
  | { readonly kind: "undecided" };

/** A provider's API for answering many requests later at a lower price. */
export interface BatchGateway {
  /** The provider's id of the batch. */
  submit(token: string, items: readonly BatchItem[], signal: AbortSignal): Promise<string>;
  /** Looks for a batch whose submission got no reply. It returns a batch only if it is certain. */
  find(batch: UncertainBatch, signal: AbortSignal): Promise<BatchSearch>;
  state(id: string, signal: AbortSignal): Promise<BatchState>;
  results(id: string, signal: AbortSignal): AsyncIterable<BatchResult>;
}

import { z } from "zod";
import { ModelError, type ModelFailure, redact } from "../model-error.ts";

/** What an adapter knows about a failed request, whichever library sent it. */
export interface HttpFailure {
  readonly model: string;
  readonly status: number | null;
  /** The connection broke while the reply arrived: the provider had answered, and bills for it. */
  readonly isCutOff?: boolean;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
  readonly cause: unknown;
  readonly secrets: readonly string[];
  /** What to do if the server asks for a key and none was sent. */
  readonly missingKey?: string;
  readonly now: Date;
}

const EXCERPT = 240;

export function httpFailure(known: HttpFailure): ModelError {
  const { model, status, isCutOff, headers, body, cause, secrets, now } = known;
  const own = modelErrorIn(cause);
  if (own) return own;
  const failure = isCutOff ? "cut-off" : classify(status, body, cause);
  const said = redact(providerMessage(body) ?? (cause instanceof Error ? rootMessage(cause) : ""), secrets);
  return new ModelError(failure, model, sentence(failure, known, said.slice(0, EXCERPT)), {
    status,
    retryAfterMilliseconds: retryAfter(headers, now),
    evidence: redact(body.slice(0, 4000), secrets) || null,
  });
}

function classify(status: number | null, body: string, cause: unknown): ModelFailure {
  if (status === null) return isTimeout(cause) ? "timeout" : "connection";
  if (status === 401 || status === 403) return "authentication";
  if (status === 404) return "unknown-model";
  if (status === 408 || status === 504) return "timeout";
  // An exhausted quota is also sent as 429, but waiting does not refill it.
  if (status === 429)
    return /insufficient_quota|billing|credit balance/i.test(body) ? "authentication" : "rate-limited";
  if (status === 503 || status === 529) return "overloaded";
  if (status >= 500) return "server";
  if (status === 413 || /context.{0,20}length|too long|maximum context|exceeds? the (?:context|limit)/i.test(body))
    return "too-long";
  if (status >= 400) return "rejected";
  return "malformed";
}

function sentence(failure: ModelFailure, { model, status, missingKey }: HttpFailure, said: string): string {
  const detail = said ? ` (${[status, said].filter(Boolean).join(": ")})` : status ? ` (${status})` : "";
  switch (failure) {
    case "rate-limited":
      return `${model} asked us to slow down${detail}.`;
    case "overloaded":
      return `${model} is overloaded${detail}.`;
    case "server":
      return `${model} failed on its side${detail}.`;
    case "connection":
      return `${model} could not be reached${detail}.`;
    case "cut-off":
      return `The reply of ${model} was cut off on the way${detail}.`;
    case "timeout":
      return `${model} did not answer in time${detail}.`;
    case "malformed":
      return `${model} sent a reply that is not the API's format${detail}.`;
    case "authentication":
      return missingKey === undefined
        ? `${model} refused the key or the account${detail}: check the key in the environment and \`fabula doctor\`.`
        : `${model} asks for a key${detail}, and ${missingKey}.`;
    case "unknown-model":
      return `${model} is not there${detail}: check the model's name and address with \`fabula doctor\`.`;
    case "too-long":
      return `The request does not fit into ${model}${detail}: choose smaller segments or a model with a longer context.`;
    case "rejected":
      return `${model} rejected the request${detail}.`;
    case "redirected":
    case "too-large":
    case "not-running":
    case "provider-down":
    case "cost-limit":
    case "interrupted":
      return `${model} was not asked${detail}.`;
    default:
      return failure satisfies never;
  }
}

const errorBodySchema = z.object({
  error: z.union([z.string(), z.object({ message: z.string() }).transform((error) => error.message)]),
});

function providerMessage(body: string): string | null {
  try {
    const parsed = errorBodySchema.safeParse(JSON.parse(body));
    return parsed.success ? parsed.data.error : null;
  } catch {
    return null;
  }
}

/** An error of our own transport, however deep a library has wrapped it. */
function modelErrorIn(cause: unknown): ModelError | null {
  for (let error = cause; error instanceof Error; error = error.cause) if (error instanceof ModelError) return error;
  return null;
}

/** "fetch failed" says nothing; the reason (ECONNREFUSED, …) is in the innermost cause. */
function rootMessage(error: Error): string {
  let innermost = error;
  while (innermost.cause instanceof Error) innermost = innermost.cause;
  const code = "code" in innermost && typeof innermost.code === "string" ? innermost.code : "";
  return innermost.message || code || error.message;
}

function isTimeout(cause: unknown): boolean {
  for (let error = cause; error instanceof Error; error = error.cause) {
    if (error.name === "TimeoutError" || ("code" in error && /TIMEOUT|ETIMEDOUT/.test(String(error.code)))) return true;
  }
  return false;
}

/** `retry-after-ms`, `retry-after` in seconds, or `retry-after` as a date. */
export function retryAfter(headers: Readonly<Record<string, string | undefined>>, now: Date): number | null {
  const milliseconds = Number(headers["retry-after-ms"]);
  if (headers["retry-after-ms"] && Number.isFinite(milliseconds)) return Math.max(0, milliseconds);
  const value = headers["retry-after"];
  if (!value) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - now.getTime());
}

import type { Context } from "hono";
import { HTTPException } from "hono/http-exception";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { Problem } from "../../api/answers.ts";
import { FabulaError } from "../../core/errors.ts";
import { TooManyGuesses } from "./guesses.ts";

const STATUS: Readonly<Record<string, ContentfulStatusCode>> = {
  E_NOT_FOUND: 404,
  E_RUN_UNKNOWN: 404,
  E_PROFILE_MISSING: 404,
  E_CONFLICT: 409,
  E_RUN_BUSY: 409,
  E_TOO_LARGE: 413,
  E_FORBIDDEN: 403,
  E_TOKEN: 401,
  E_TOO_MANY_TRIES: 429,
  E_TOO_MUCH_WORK: 429,
  E_SHUTTING_DOWN: 503,
  E_NO_BROWSER: 501,
  E_STORE_FULL: 507,
  E_STORE_DAMAGED: 500,
  E_STORE_READ_ONLY: 500,
  E_STORE_DISK: 500,
};

/** Every answer that is not 2xx: one sentence for people, a code for programs, and never a stack. */
export function problemResponse(error: unknown, context: Context): Response {
  const { status, problem } = describe(error);
  const wait = error instanceof TooManyGuesses ? error.retryAfterSeconds : status === 429 || status === 503 ? 1 : null;
  return context.json(problem, status, {
    "cache-control": "no-store",
    ...(wait === null ? {} : { "retry-after": String(wait) }),
  });
}

/** The problem alone, for a response that has already started and whose status can no longer change. */
export function problemOf(error: unknown): Problem {
  return describe(error).problem;
}

function describe(error: unknown): { status: ContentfulStatusCode; problem: Problem } {
  if (error instanceof FabulaError) {
    const { code, message } = error;
    const status = STATUS[code] ?? (code === "E_UNEXPECTED" || code === "E_LIBRARY_DAMAGED" ? 500 : 400);
    return { status, problem: { code, message } };
  }
  if (error instanceof HTTPException && error.status === 413) {
    return { status: 413, problem: { code: "E_TOO_LARGE", message: "This upload is larger than the server accepts." } };
  }
  if (error instanceof HTTPException && error.status < 500) {
    return { status: 400, problem: { code: "E_REQUEST", message: "This request was not understood." } };
  }
  const message =
    "Something unexpected went wrong on the server: try again, and check the terminal where `fabula serve` runs.";
  return { status: 500, problem: { code: "E_UNEXPECTED", message } };
}

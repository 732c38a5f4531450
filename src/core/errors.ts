import type { ErrorCode } from "./error-codes.ts";

/**
 * An error the user can act on: a stable code for programs, one sentence for people that says what happened and what to
 * do next, and the evidence (the reply that could not be read, the path that was missing).
 *
 * @example
 * ```ts
 * try {
 *   await evaluateBook("novel.epub");
 * } catch (error) {
 *   if (error instanceof FabulaError) console.error(error.code, error.message);
 * }
 * ```
 */
export class FabulaError extends Error {
  readonly code: ErrorCode;
  readonly evidence: unknown;

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; evidence?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "FabulaError";
    this.code = code;
    this.evidence = options.evidence;
  }
}

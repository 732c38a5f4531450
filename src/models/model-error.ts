import { type ErrorCode, FabulaError } from "../core/errors.ts";

/** Why a model gave no reply, which decides what happens next: ask again, wait, or stop asking this provider. */
export type ModelFailure =
  | "rate-limited"
  | "overloaded"
  | "server"
  | "connection"
  | "cut-off"
  | "timeout"
  | "malformed"
  | "authentication"
  | "unknown-model"
  | "too-long"
  | "rejected"
  | "redirected"
  | "too-large"
  | "not-running"
  | "provider-down"
  | "cost-limit"
  | "interrupted";

const CODES = {
  "rate-limited": "E_MODEL_RATE_LIMITED",
  overloaded: "E_MODEL_OVERLOADED",
  server: "E_MODEL_SERVER",
  connection: "E_MODEL_CONNECTION",
  "cut-off": "E_MODEL_CUT_OFF",
  timeout: "E_MODEL_TIMEOUT",
  malformed: "E_MODEL_MALFORMED",
  authentication: "E_MODEL_AUTHENTICATION",
  "unknown-model": "E_MODEL_UNKNOWN_MODEL",
  "too-long": "E_MODEL_TOO_LONG",
  rejected: "E_MODEL_REJECTED",
  redirected: "E_MODEL_REDIRECTED",
  "too-large": "E_MODEL_TOO_LARGE",
  "not-running": "E_MODEL_NOT_RUNNING",
  "provider-down": "E_MODEL_PROVIDER_DOWN",
  "cost-limit": "E_MODEL_COST_LIMIT",
  interrupted: "E_MODEL_INTERRUPTED",
} as const satisfies Record<ModelFailure, ErrorCode>;

const RETRYABLE: ReadonlySet<ModelFailure> = new Set([
  "rate-limited",
  "overloaded",
  "server",
  "connection",
  "cut-off",
  "timeout",
  "malformed",
]);

const HOPELESS: ReadonlySet<ModelFailure> = new Set(["authentication", "unknown-model", "redirected", "not-running"]);

/**
 * A call that got no reply. The caller turns it into an `unscored` verdict with the message as its reason; nothing is
 * stored as answered, so the next run asks again.
 *
 * @example
 * ```ts
 * try {
 *   await model.complete(request, signal);
 * } catch (error) {
 *   if (error instanceof ModelError && error.isRetryable) console.error(`try again later: ${error.failure}`);
 * }
 * ```
 */
export class ModelError extends FabulaError {
  readonly failure: ModelFailure;
  readonly model: string;
  readonly status: number | null;
  /** How long the provider asked us to wait, if it did. */
  readonly retryAfterMilliseconds: number | null;

  constructor(
    failure: ModelFailure,
    model: string,
    message: string,
    options: {
      status?: number | null;
      retryAfterMilliseconds?: number | null;
      cause?: unknown;
      evidence?: unknown;
    } = {},
  ) {
    super(CODES[failure], message, options);
    this.name = "ModelError";
    this.failure = failure;
    this.model = model;
    this.status = options.status ?? null;
    this.retryAfterMilliseconds = options.retryAfterMilliseconds ?? null;
  }

  /** Whether the same request may succeed later: the provider was busy, unreachable or sent a broken reply. */
  get isRetryable(): boolean {
    return RETRYABLE.has(this.failure);
  }

  /**
   * Whether no other request to this model can succeed. Also true for a call that was not sent because an earlier one
   * failed this way.
   */
  get hopeless(): boolean {
    if (this.failure === "provider-down" && this.cause instanceof ModelError) return this.cause.hopeless;
    return HOPELESS.has(this.failure);
  }
}

const SECRET_SHAPES =
  /\b(?:sk-[A-Za-z0-9_-]{8,}|AIza[A-Za-z0-9_-]{20,}|Bearer\s+[A-Za-z0-9._~+/-]{8,}=*)|\b(?:x-api-key|api[_-]?key|authorization)\b["']?\s*[:=]\s*["']?[^\s"',}]{6,}/gi;

/** Removes keys from a text: those given, and anything that looks like one. Providers echo keys in their errors. */
export function redact(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length >= 4) clean = clean.replaceAll(secret, "[redacted]");
  }
  return clean.replace(SECRET_SHAPES, "[redacted]");
}

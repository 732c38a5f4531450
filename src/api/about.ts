import type { ReaderSummary } from "./readers.ts";

/** GET /api/about */
export interface About {
  readonly version: string;
  readonly judges: readonly JudgeChoice[];
  readonly methods: readonly { readonly id: string; readonly name: string; readonly explanation: string }[];
  readonly aspects: readonly {
    readonly id: string;
    readonly name: string;
    readonly abbreviation: string;
    readonly definition: string;
  }[];
  readonly readers: readonly ReaderSummary[];
}

export interface JudgeChoice {
  /** The name used on the command line: `jury`, `crowd`, `editor`, `grader`, `openai:MODEL`, `MODEL@http://host/v1`. */
  readonly name: string;
  readonly isReady: boolean;
  /** The environment variable of its key, if the key is missing. */
  readonly missingKey: string | null;
  /** The languages it reads; null for any. */
  readonly languages: readonly string[] | null;
  /** Ids of the aspects it can score; null for all. */
  readonly aspects: readonly string[] | null;
}

/**
 * POST /api/keys → 204: a provider's key for this session. It is kept in memory only and never sent back. DELETE
 * /api/keys/:variable → 204: deletes it.
 */
export interface KeyRequest {
  /** The environment variable for the key, as in `missingKey`. */
  readonly variable: string;
  readonly key: string;
}

/**
 * POST /api/session → 204 and a cookie, where the server asks for a token and the link carried it after its `#`. A link
 * with `?token=` needs no script: the server sets the cookie and redirects.
 */
export interface SessionRequest {
  readonly token: string;
}

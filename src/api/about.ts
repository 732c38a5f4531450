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
  /** As the command line names it: `jury`, `crowd`, `editor`, `grader`, `openai:MODEL`, `MODEL@http://host/v1`. */
  readonly name: string;
  readonly isReady: boolean;
  /** The environment variable that holds its key, when that is what it lacks. */
  readonly missingKey: string | null;
  /** The languages it reads; null for any. */
  readonly languages: readonly string[] | null;
  /** Ids of the aspects it can score; null for all. */
  readonly aspects: readonly string[] | null;
}

/**
 * POST /api/keys → 204: a provider's key for this session. It is held in memory only and never sent back.
 * DELETE /api/keys/:variable → 204: it is forgotten.
 */
export interface KeyRequest {
  /** The environment variable that would hold it, as `missingKey` names it. */
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

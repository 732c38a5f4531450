import type { Cost } from "../core/cost.ts";
import type { Job } from "./jobs.ts";

/** Fields of a call that every view shows. */
export interface CallFields {
  readonly position: number;
  readonly at: string;
  readonly model: string;
  readonly purpose: string;
  readonly outcome: string;
  /** Why there is no answer; null if there is one. */
  readonly reason: string | null;
  readonly cost: number | null;
}

export interface PromptMessage {
  readonly role: string;
  readonly content: string;
}

/**
 * `stopped`: by its cost limit or a provider that is down. `killed`: its status is running, but no process is working
 * on it.
 */
export type RunState = "running" | "done" | "interrupted" | "stopped" | "failed" | "killed";

/** GET /api/runs?search=&status=&model=&book=&after=&limit= → Paged<RunRow>: everything ever asked and paid. */
export interface RunRow extends Cost {
  readonly id: string;
  readonly command: string;
  /** The book and its judge, for a run of the web app; null and none for any other. */
  readonly title: string | null;
  readonly judges: readonly string[];
  readonly status: RunState;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly calls: number;
  readonly asked: number;
  readonly failed: number;
}

/**
 * GET /api/runs/:id → RunDetails. GET /api/runs/:id/calls?model=&purpose=&outcome=&after=&limit= → Paged<RunCallRow>.
 * GET /api/runs/:id/export?format=csv|parquet|jsonl → a file with every call, prompts included.
 */
export interface RunDetails extends RunRow {
  readonly note: string | null;
  readonly maximumCost: number | null;
  readonly byModel: readonly (Cost & {
    readonly model: string;
    readonly purpose: string;
    readonly outcome: string;
    readonly calls: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  })[];
  readonly failures: readonly { readonly reason: string; readonly calls: number }[];
  readonly events: readonly { readonly at: string; readonly kind: string; readonly detail: string }[];
  /** For a run that workers share: pieces done and in all; null otherwise. */
  readonly pieces: { readonly done: number; readonly total: number } | null;
  /** The job of the web app that works or worked on it; null for a run of the command line. */
  readonly job: Job | null;
}

export interface RunCallRow extends CallFields {
  /** The time the model took, and the tokens; null for a call without an answer. */
  readonly latencyMilliseconds: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly attempts: number | null;
  /** Its beginning. */
  readonly reply: string | null;
}

/** GET /api/runs/:id/calls/:position → RunCallDetails: what was sent and what came back, whole. */
export interface RunCallDetails extends RunCallRow {
  /** Null for a call that was never sent. */
  readonly request: CallRequest | null;
  readonly reasoning: string | null;
  readonly stop: string | null;
  readonly servedBy: string | null;
  readonly sample: number | null;
  readonly cachedInputTokens: number | null;
  readonly reasoningTokens: number | null;
}

export interface CallRequest {
  readonly messages: readonly PromptMessage[];
  readonly temperature: number | null;
  readonly seed: number | null;
  readonly maximumTokens: number | null;
  /** The JSON Schema of the reply; null if there was none. */
  readonly schema: string | null;
}

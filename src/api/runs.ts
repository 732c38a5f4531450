import type { Cost } from "../core/cost.ts";

/** `stopped`: by its cost limit or a provider that is down. `killed`: its status is running, but no process works on it any more. */
export type RunState = "running" | "done" | "interrupted" | "stopped" | "failed" | "killed";

/** GET /api/runs?search=&status=&after=&limit= → Paged<RunRow>: everything ever asked and paid. */
export interface RunRow extends Cost {
  readonly id: string;
  readonly command: string;
  readonly status: RunState;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly calls: number;
  readonly asked: number;
  readonly failed: number;
}

/** GET /api/runs/:id → RunDetails; GET /api/runs/:id/calls?after=&limit= → Paged<RunCallRow> */
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
}

export interface RunCallRow {
  readonly position: number;
  readonly at: string;
  readonly model: string;
  readonly purpose: string;
  readonly outcome: string;
  readonly reason: string | null;
  readonly cost: number | null;
  readonly reply: string | null;
}

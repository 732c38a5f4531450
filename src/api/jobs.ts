import type { Cost } from "../core/cost.ts";
import type { Verdict } from "../core/verdict.ts";

export interface EvaluationRequest {
  readonly bookId: string;
  readonly judges: readonly string[];
  readonly method: string;
  readonly aspects: readonly string[];
  readonly runs: number;
  readonly maximumCost: number | null;
  /** How closely `close` reads; quick by default. */
  readonly depth?: "quick" | "full";
}

/** POST /api/plans with an EvaluationRequest → what it would ask and cost, without sending anything. */
export interface EvaluationPlan {
  readonly calls: number;
  /** Answers already in the store, which are free. */
  readonly known: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null if the price is unknown. */
  readonly cost: number | null;
  /**
   * The cost if every reply had its maximum length and were repeated as often as allowed; null if the price is
   * unknown.
   */
  readonly mostCost: number | null;
  /** The estimated duration, from this judge's earlier speed or that of typical hosted models; null if unknown. */
  readonly seconds: number | null;
  /** What would not be judged, and why, such as a book that does not fit the judge's context. */
  readonly obstacles: readonly string[];
}

export type JobState = "queued" | "running" | "pausing" | "paused" | "cancelling" | "cancelled" | "done" | "failed";

export interface JobStep {
  readonly done: number;
  readonly total: number;
}

/**
 * POST /api/jobs with an EvaluationRequest → Job. GET /api/jobs → Job[] (not ended, or ended recently). GET /api/jobs/:id.
 * POST /api/jobs/:id/pause, /resume (optionally with a ResumeRequest), /cancel → Job. Jobs survive a restart of the server: what was
 * running is `paused` then, what was waiting goes on by itself, and what was being cancelled is `cancelled`.
 */
export interface Job extends Cost {
  readonly id: string;
  readonly request: EvaluationRequest;
  /** Who requested it: the owner, or a program. */
  readonly by?: string;
  readonly title: string;
  readonly state: JobState;
  readonly stage: string;
  /** The progress of the stage, in chapters, requests or claims; null if unknown. */
  readonly step?: JobStep | null;
  /** The number of calls to models, or, for an embedded judge, of chapters. */
  readonly done: number;
  readonly total: number;
  readonly calls: number;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Why it stopped or failed, in one sentence. */
  readonly note: string | null;
  /** The kind of note, so that the page can translate it: an error's code, or what happened to the job. */
  readonly noteCode: string | null;
  readonly runId: string | null;
  readonly evaluationId: string | null;
}

export interface ResumeRequest {
  /** A new limit for the whole run including what it has spent; null for no limit; absent to keep the old one. */
  readonly maximumCost?: number | null;
}

/** A chapter, or several that were judged together, with the mean of the scores so far. */
export interface ChapterEvent {
  readonly kind: "chapter";
  readonly chapter: number;
  readonly lastChapter: number;
  readonly verdict: Verdict;
}

/** A claim of a close reading as soon as it is made; it has not been checked yet. */
export interface FoundEvent {
  readonly kind: "found";
  readonly title: string;
  readonly chapters: readonly number[];
}

/** GET /api/jobs/:id/events: server-sent events, each `event: job` with a JobEvent as data; ends when the job does. */
export type JobEvent =
  | { readonly kind: "state"; readonly job: Job }
  | ChapterEvent
  | FoundEvent
  | { readonly kind: "note"; readonly text: string };

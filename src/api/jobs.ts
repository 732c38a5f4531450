import type { Cost } from "../core/cost.ts";
import type { Verdict } from "../core/verdict.ts";

export interface EvaluationRequest {
  readonly bookId: string;
  readonly judges: readonly string[];
  readonly method: string;
  readonly aspects: readonly string[];
  readonly runs: number;
  readonly maximumCost: number | null;
  /** How closely `close` reads; quick unless given. */
  readonly depth?: "quick" | "full";
}

/** POST /api/plans with an EvaluationRequest → what it would ask and cost; nothing is sent. */
export interface EvaluationPlan {
  readonly calls: number;
  /** Already answered in the store: free. */
  readonly known: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null when the price is not known. */
  readonly cost: number | null;
  /** If every reply were as long as it may be, and repeated as often as it may be; null when the price is not known. */
  readonly mostCost: number | null;
  /** How long it would take, from how fast this judge answered before or hosted models usually do; null when that is not known. */
  readonly seconds: number | null;
  /** What would not be judged, and why: a book that does not fit the judge's context. */
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
  /** Who asked for it: the owner, or a program. */
  readonly by?: string;
  readonly title: string;
  readonly state: JobState;
  readonly stage: string;
  /** How far the stage has got, in chapters, requests or claims; null where it does not say. */
  readonly step?: JobStep | null;
  /** Calls to models, or of an embedded judge chapters. */
  readonly done: number;
  readonly total: number;
  readonly calls: number;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Why it stopped or failed, in one sentence. */
  readonly note: string | null;
  /** What kind of note it is, for a page in another language: an error's code, or what befell the job. */
  readonly noteCode: string | null;
  readonly runId: string | null;
  readonly evaluationId: string | null;
}

export interface ResumeRequest {
  /** A new limit for the whole run, with what it has spent; null for none; absent to keep the old one. */
  readonly maximumCost?: number | null;
}

/** A chapter, or a run of chapters judged together, and the mean of what was said of it so far. */
export interface ChapterEvent {
  readonly kind: "chapter";
  readonly chapter: number;
  readonly lastChapter: number;
  readonly verdict: Verdict;
}

/** What a close reading claims, as it comes; nothing of it has been checked yet. */
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

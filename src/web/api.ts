import type { Verdict } from "../core/verdict.ts";
import type { BookEvaluation } from "../judge/evaluation.ts";

/**
 * What the page and the server say to each other: types only, so that the client carries none of the server's code.
 * All paths begin with /api. Every answer that is not 2xx is a `Problem`. Every request that changes something carries the
 * header `x-fabula: 1` and comes from the page's own origin.
 */

/** One clear sentence, and what to do next. */
export interface Problem {
  readonly code: string;
  readonly message: string;
}

/**
 * POST /api/session → 204 and a cookie, where the server asks for a token and the link carried it after its `#`. A link
 * with `?token=` needs no script: the server sets the cookie and redirects.
 */
export interface SessionRequest {
  readonly token: string;
}

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
  /** As the command line names it: `pocket`, `openai:MODEL`, `MODEL@http://host/v1`. */
  readonly name: string;
  readonly isReady: boolean;
  /** What is missing, when it is not ready. */
  readonly note: string | null;
}

export interface Paged<Item> {
  readonly items: readonly Item[];
  readonly total: number;
  /** For the next page; null after the last. */
  readonly next: string | null;
}

/* ── Library ─────────────────────────────────────────────────────────────── */

/** GET /api/books?search=&after=&limit= → Paged<BookSummary> */
export interface BookSummary {
  readonly id: string;
  readonly title: string;
  readonly author: string | null;
  readonly language: string | null;
  readonly words: number;
  readonly chapters: number;
  readonly addedAt: string;
  readonly latest: { readonly evaluationId: string; readonly overall: Verdict; readonly judge: string } | null;
}

/**
 * POST /api/books (multipart: `file`, or JSON `PastedBook`) → BookDetails.
 * GET /api/books/:id → BookDetails. PATCH /api/books/:id with `BookEdit` → BookDetails. DELETE /api/books/:id.
 */
export interface BookDetails extends BookSummary {
  readonly file: string;
  readonly format: string;
  readonly encoding: string;
  readonly genres: readonly string[];
  readonly premise: string | null;
  readonly contents: readonly ChapterSummary[];
  readonly removed: readonly { readonly rule: string; readonly where: string; readonly text: string }[];
  readonly warnings: readonly string[];
  readonly evaluations: readonly EvaluationSummary[];
}

export interface ChapterSummary {
  readonly index: number;
  readonly title: string | null;
  readonly words: number;
  readonly part: string | null;
  /** Characters of its text and how many paragraphs: what a virtualised list needs before the text is there. */
  readonly length: number;
  readonly paragraphs: number;
}

export interface PastedBook {
  readonly title: string;
  readonly text: string;
}

export interface BookEdit {
  readonly title?: string;
  readonly author?: string | null;
  readonly language?: string | null;
  readonly genres?: readonly string[];
  readonly premise?: string | null;
}

/** GET /api/books/:id/chapters/:index → ChapterText. Evidence offsets point into `text`; paragraphs are split at blank lines. */
export interface ChapterText {
  readonly index: number;
  readonly title: string | null;
  readonly text: string;
}

/** GET /api/books/:id/chapters/:index/heat?aspect=overall → the pocket judge's share of every sentence, in points of 20. */
export interface ChapterHeat {
  readonly index: number;
  readonly aspect: string;
  readonly verdict: Verdict;
  readonly sentences: readonly { readonly start: number; readonly end: number; readonly share: number }[];
}

/** GET /api/books/:id/search?q= → where words stand in the book, at most 200. */
export interface SearchHit {
  readonly chapter: number;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/* ── Evaluate ────────────────────────────────────────────────────────────── */

export interface EvaluationRequest {
  readonly bookId: string;
  readonly judges: readonly string[];
  readonly method: string;
  readonly aspects: readonly string[];
  readonly runs: number;
  readonly maximumCost: number | null;
}

/** POST /api/plans with an EvaluationRequest → what it would ask and cost; nothing is sent. */
export interface EvaluationPlan {
  readonly calls: number;
  /** Already answered in the store: free. */
  readonly known: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Null when nobody knows the price. */
  readonly cost: number | null;
  readonly notes: readonly string[];
}

export type JobState = "queued" | "running" | "pausing" | "paused" | "done" | "cancelled" | "failed";

/**
 * POST /api/jobs with an EvaluationRequest → Job. GET /api/jobs → Job[] (not ended, or ended lately). GET /api/jobs/:id.
 * POST /api/jobs/:id/pause, /resume (optionally with a ResumeRequest), /cancel → Job. Jobs survive a restart of the server: what was running is `paused` then.
 */
export interface Job {
  readonly id: string;
  readonly request: EvaluationRequest;
  readonly title: string;
  readonly state: JobState;
  readonly stage: string;
  readonly done: number;
  readonly total: number;
  readonly calls: number;
  readonly cost: number;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  /** Why it stopped or failed, in one sentence. */
  readonly note: string | null;
  readonly runId: string | null;
  readonly evaluationId: string | null;
}

export interface ResumeRequest {
  /** A new limit for the whole run, with what it has spent; null for none; absent to keep the old one. */
  readonly maximumCost?: number | null;
}

/** GET /api/jobs/:id/events: server-sent events, each `event: job` with a JobEvent as data; ends when the job does. */
export type JobEvent =
  | { readonly kind: "state"; readonly job: Job }
  | { readonly kind: "chapter"; readonly chapter: number; readonly verdict: Verdict }
  | { readonly kind: "note"; readonly text: string };

/* ── Report ──────────────────────────────────────────────────────────────── */

/** GET /api/evaluations?book=&after=&limit= → Paged<EvaluationSummary> */
export interface EvaluationSummary {
  readonly id: string;
  readonly bookId: string;
  readonly title: string;
  readonly judge: string;
  readonly method: string;
  readonly runs: number;
  readonly scale: { readonly minimum: number; readonly maximum: number };
  readonly overall: Verdict;
  readonly cost: number;
  readonly createdAt: string;
}

/**
 * GET /api/evaluations/:id → EvaluationDetails. DELETE /api/evaluations/:id.
 * GET /api/evaluations/:id/export?format=html|markdown|json|pdf → a file; html is self-contained, to be shared.
 */
export interface EvaluationDetails extends EvaluationSummary {
  readonly evaluation: BookEvaluation;
}

/** GET /api/comparisons?left=EVALUATION&right=EVALUATION → two books, drafts, judges or methods side by side. */
export interface ComparisonView {
  readonly left: EvaluationSummary;
  readonly right: EvaluationSummary;
  readonly isSameBook: boolean;
  readonly isSameScale: boolean;
  readonly rows: readonly ComparisonRow[];
  readonly notes: readonly string[];
}

export interface ComparisonRow {
  /** `overall` or an aspect's id. */
  readonly id: string;
  readonly name: string;
  readonly left: Verdict;
  readonly right: Verdict;
  /** Right less left on a 0–100 scale; null when either is unscored. */
  readonly difference: number | null;
  readonly interval: readonly [number, number] | null;
  /** Whether the interval leaves zero out. */
  readonly isClear: boolean | null;
}

/* ── Readers ─────────────────────────────────────────────────────────────── */

/** GET /api/readers → ReaderSummary[]. POST /api/readers (multipart: `name`, `file`, `scale`) → ReaderImport. DELETE /api/readers/:name. */
export interface ReaderSummary {
  readonly name: string;
  readonly language: string;
  readonly reviews: number;
  readonly meanRating: number | null;
}

export interface ReaderImport {
  readonly reader: ReaderSummary;
  readonly source: string;
  readonly imported: number;
  readonly without: number;
  readonly repeats: number;
}

/** GET /api/readers/:name → ReaderDetails. GET /api/readers/:name/export → JSONL. */
export interface ReaderDetails extends ReaderSummary {
  readonly generosity: number | null;
  readonly genres: readonly { readonly genre: string; readonly count: number; readonly mean: number }[];
  readonly latest: readonly {
    readonly title: string;
    readonly rating: number | null;
    readonly review: string | null;
  }[];
}

/** GET /api/readers/:name/verdict?book=ID → the personal verdict beside the general one. */
export interface PersonalVerdict {
  readonly reader: string;
  readonly bookId: string;
  readonly title: string;
  readonly personal: { readonly rating: number; readonly interval: readonly [number, number] } | null;
  readonly general: { readonly rating: number; readonly interval: readonly [number, number] | null } | null;
  /** Why there is none. */
  readonly unscored: string | null;
  readonly headline: string;
  readonly because: readonly { readonly text: string; readonly effect: number }[];
  readonly notes: readonly string[];
}

/* ── Benchmark and questions ─────────────────────────────────────────────── */

/** GET /api/benchmarks → BenchmarkSummary[]: the populations that ship, and benchmark folders given to `fabula serve --bench`. */
export interface BenchmarkSummary {
  readonly id: string;
  readonly name: string;
  readonly judge: string;
  readonly novels: number;
  readonly writers: number;
}

/** GET /api/benchmarks/:id */
export interface BenchmarkDetails extends BenchmarkSummary {
  readonly dimensions: readonly { readonly id: string; readonly name: string; readonly weight: number | null }[];
  /** Composite scores of the population, ascending. */
  readonly population: readonly number[];
  readonly writerRows: readonly BenchmarkWriter[];
  readonly notes: readonly string[];
}

export interface BenchmarkWriter {
  readonly name: string;
  readonly rank: number;
  readonly level: Verdict;
  readonly composite: number | null;
  /** Writers of one group cannot be told apart. */
  readonly group: number;
  readonly dimensions: Readonly<Record<string, number | null>>;
  readonly texts: number;
  readonly isAnchor: boolean;
}

/** POST /api/questions (multipart: `file` of `{prediction, answers}` lines) → QuestionResult; GET /api/questions → QuestionResult[]; DELETE /api/questions/:id */
export interface QuestionResult {
  readonly id: string;
  readonly name: string;
  readonly items: number;
  readonly metrics: readonly { readonly id: string; readonly name: string; readonly mean: number | null }[];
  readonly createdAt: string;
}

/* ── Runs ────────────────────────────────────────────────────────────────── */

/** `stopped`: by its cost limit or a provider that is down. `killed`: it says it runs, but nobody works on it any more. */
export type RunState = "running" | "done" | "interrupted" | "stopped" | "failed" | "killed";

/** GET /api/runs?search=&status=&after=&limit= → Paged<RunRow>: everything ever asked and paid. */
export interface RunRow {
  readonly id: string;
  readonly command: string;
  readonly status: RunState;
  readonly startedAt: string;
  readonly finishedAt: string | null;
  readonly calls: number;
  readonly asked: number;
  readonly failed: number;
  readonly cost: number;
}

/** GET /api/runs/:id → RunDetails; GET /api/runs/:id/calls?after=&limit= → Paged<RunCallRow> */
export interface RunDetails extends RunRow {
  readonly note: string | null;
  readonly maximumCost: number | null;
  readonly byModel: readonly {
    readonly model: string;
    readonly purpose: string;
    readonly outcome: string;
    readonly calls: number;
    readonly cost: number;
    readonly inputTokens: number;
    readonly outputTokens: number;
  }[];
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

import type { EvaluationPlan } from "./jobs.ts";
import type { Passage } from "./letters.ts";

/**
 * POST /api/questions (multipart: `file` of `{prediction, answers}` lines) → QuestionResult; GET /api/questions → QuestionResult[];
 * DELETE /api/questions/:id. Metrics are named as on the command line.
 */
export interface QuestionResult {
  readonly id: string;
  readonly name: string;
  readonly items: number;
  /** Means over the answers that have a score. */
  readonly metrics: readonly { readonly id: string; readonly n: number; readonly mean: number }[];
  readonly systems: readonly string[];
  /** Lines of the file added last that are not answers and were ignored. */
  readonly leftOut?: readonly LeftOutLine[] | undefined;
  /** The set of questions that was answered, if it is known here. */
  readonly setId?: string | undefined;
  readonly createdAt: string;
}

interface LeftOutLine {
  readonly line: number;
  readonly reason: string;
}

/** POST /api/questions/:id/files adds another system's answers; GET /api/questions/:id → QuestionRun. */
export interface QuestionRun {
  readonly id: string;
  readonly name: string;
  readonly questions: number;
  readonly books: number;
  /** What intervals and tests resample. */
  readonly over: "books" | "questions";
  readonly resamples: number;
  readonly metrics: readonly string[];
  readonly systems: readonly {
    readonly system: string;
    readonly questions: number;
    readonly unanswered: number;
    readonly seen: number | null;
    readonly metrics: Readonly<
      Record<string, { readonly mean: number; readonly interval: readonly [number, number] | null; readonly n: number }>
    >;
  }[];
  /** Columns of judges, which grade from 1 to 5. */
  readonly judges: readonly string[];
  /**
   * Whether the answers have their book's summary, themselves or through the set, so that they can be rated and
   * graded with it.
   */
  readonly hasSummaries: boolean;
  readonly setId: string | null;
  /** What a judge is doing, or why it stopped. */
  readonly work: StepWork | null;
  /** Why the judge that graded last could not grade some answers. */
  readonly ungraded: readonly CountedReason[];
}

/** GET /api/questions/:id/differences?metric= : every two systems on one metric, p corrected over all of them (Holm). */
export interface SystemPair {
  readonly left: string;
  readonly right: string;
  readonly difference: number;
  readonly interval: readonly [number, number] | null;
  readonly n: number;
  readonly p: number;
}

/** POST /api/questions/:id/judge with a request → 202; …/judge/plan → EvaluationPlan; DELETE …/work stops it. */
export interface GradeRequest {
  readonly judge: string;
  readonly grading: "reference" | "summary";
  readonly protocol: "json" | "prometheus";
  readonly maximumCost: number | null;
}

export const QUESTION_FILTERS = [
  "all",
  "judge-wrong",
  "judge-right",
  "people-judge",
  "people-wrong",
  "people-right",
] as const;
/**
 * Answers with disagreements. `judge-wrong`: a judge says wrong and the metric right; `judge-right`: the reverse.
 * `people-judge`: people and a judge differ by two grades or more. `people-wrong` and `people-right`: people disagree
 * with the metric.
 */
export type QuestionFilter = (typeof QUESTION_FILTERS)[number];

export interface AnswerOfSystem {
  readonly system: string;
  /** Null if the system failed; systems that were not asked are left out. */
  readonly answer: string | null;
  readonly scores: Readonly<Record<string, number>>;
  /** Judges' reasons by the name of their column; if they could not grade, why. */
  readonly reasons: Readonly<Record<string, string>>;
  /** Raters' ratings, by setting and rater. */
  readonly ratings: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** The passages the answer was based on, if it was retrieved. */
  readonly passages: readonly { readonly chapter: number; readonly text: string; readonly quoted: boolean }[];
}

/** GET /api/questions/:id/items?filter=&metric=&from=&limit= */
export interface QuestionPage {
  readonly total: number;
  readonly items: readonly {
    /** Its number among all questions, whatever the filter. */
    readonly number: number;
    readonly question: string;
    readonly book: string | null;
    readonly document: string | null;
    readonly references: readonly string[];
    readonly answers: readonly AnswerOfSystem[];
  }[];
}

/** GET /api/questions/:id/rating?rater=&setting= : a rater's answers in the rater's own order, and what is rated already. */
export interface RatingTask {
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly question: string;
    readonly references: readonly string[];
    readonly summary: string | null;
    readonly answer: string;
  }[];
  readonly ratings: Readonly<Record<string, number>>;
}

/** PUT /api/questions/:id/rating; null removes a rating. */
export interface RatingGiven {
  readonly rater: string;
  readonly item: string;
  readonly rating: number | null;
}

/** GET /api/questions/:id/agreement */
export interface RatingAgreement {
  readonly settings: readonly {
    readonly setting: string;
    readonly alpha: number | null;
    readonly interval: readonly [number, number] | null;
    readonly rated: number;
    readonly twice: number;
    readonly raters: readonly { readonly name: string; readonly rated: number; readonly mean: number | null }[];
    readonly systems: readonly { readonly system: string; readonly n: number; readonly mean: number }[];
  }[];
}

/** GET /api/questions/:id/evidence?document=&question= and GET /api/question-sets/:id/evidence?question= */
export interface QuestionEvidence {
  /** The book in the library; null if it is not there. */
  readonly bookId: string | null;
  /** `given`: by the question's author. `searched`: the passages whose words match question and answers best. */
  readonly origin: "given" | "searched";
  readonly passages: readonly Passage[];
}

export interface CountedReason {
  readonly reason: string;
  readonly count: number;
}

/** Background work. */
export interface StepWork {
  readonly step: string;
  readonly stage: string;
  readonly done: number;
  readonly total: number | null;
  readonly isRunning: boolean;
  /** Why it ended without a result. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** The steps for a set of questions, in this order; `write` begins a set about a book of the library. */
export const SET_STEPS = ["write", "filter", "dedupe", "refine", "review", "audit", "answer"] as const;
export type SetStepName = (typeof SET_STEPS)[number];

/**
 * POST /api/question-sets (multipart: `file` in LiteraryQA's shape, or JSON `{bookId}` for a set that is written about a book);
 * GET /api/question-sets → QuestionSetSummary[]; GET and DELETE /api/question-sets/:id.
 */
export interface QuestionSetSummary {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  /** The book of the library that the questions are written about. */
  readonly aboutBook: string | null;
  /** The run with the answers to its questions. */
  readonly runId: string | null;
  readonly documents: number;
  readonly questions: number;
}

export interface SetCount {
  readonly documents: number;
  readonly questions: number;
}

export interface SetStep {
  readonly step: SetStepName;
  /** The input of the step; null if there is none. */
  readonly before: SetCount | null;
  readonly after: SetCount | null;
  /** What it removed, by reason. */
  readonly removed: readonly (SetCount & { readonly reason: string })[];
  /** What it could not do, by reason. */
  readonly notes: readonly CountedReason[];
  readonly judge: string | null;
  readonly calls: number;
  /** In US dollars; null if unknown. */
  readonly cost: number | null;
  readonly isDone: boolean;
  /** How many of its lines a person can review, and how many are decided. */
  readonly items: number;
  readonly decided: number;
}

export interface QuestionSet extends QuestionSetSummary {
  readonly steps: readonly SetStep[];
  readonly work: StepWork | null;
  /** Changes after every step. */
  readonly version: number;
  readonly books: readonly { readonly document: string; readonly title: string; readonly bookId: string | null }[];
  /** People's decisions on the questions. */
  readonly reviewed: Readonly<Record<ReviewDecision | "undecided", number>>;
  readonly leftOut: readonly LeftOutLine[];
  readonly systems: readonly string[];
  readonly judges: readonly string[];
  readonly rated: number;
}

/** POST /api/question-sets/:id/steps → 202; …/steps/plan → EvaluationPlan; DELETE /api/question-sets/:id/work stops it. */
export interface StepRequest {
  readonly step: SetStepName;
  readonly judge: string | null;
  readonly maximumCost: number | null;
  /** For `answer`: what the model sees. */
  readonly setting?: "open" | "retrieval" | "summary" | "closed";
  /** For `write`: how many questions. */
  readonly count?: number;
  /** For `filter` and `dedupe`: apply the decisions on what the step found. */
  readonly apply?: boolean;
}

export type StepPlan = EvaluationPlan;

/** GET /api/question-sets/:id/items?step=&from=&limit= ; PUT …/items with a decision. */
export interface StepItems {
  readonly total: number;
  readonly choices: readonly string[];
  readonly items: readonly {
    readonly id: number;
    readonly title: string;
    readonly question: string | null;
    readonly before: string | null;
    readonly after: string | null;
    readonly reason: string;
    readonly details: readonly string[];
    readonly decision: string | null;
  }[];
}

export const REVIEW_DECISIONS = ["keep", "change", "drop"] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

/** GET /api/question-sets/:id/questions?filter=&from=&limit= */
export interface ReviewPage {
  readonly total: number;
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    /** As changed by a person, if one did. */
    readonly question: string;
    readonly answers: readonly string[];
    readonly decision: ReviewDecision | null;
    /** Kind, scope and difficulty, if the question states them. */
    readonly about: readonly string[];
    /** Whether the model that wrote it could answer it from the title alone; null if unknown. */
    readonly known: boolean | null;
  }[];
}

/** PUT /api/question-sets/:id/questions; null removes a decision. */
export interface QuestionReview {
  readonly id: string;
  readonly decision: ReviewDecision | null;
  readonly question?: string;
  readonly answers?: readonly string[];
}

/** GET /api/question-sets/:id/audit?reviewer= : the lines of the blind sheets; PUT …/audit ; GET …/audit/report */
export interface AuditTask {
  readonly items: readonly {
    readonly id: string;
    readonly title: string;
    readonly summary: string;
    readonly question: string;
    readonly what: string;
    readonly text: string;
  }[];
  readonly decisions: Readonly<Record<string, boolean>>;
}

export interface AuditDecision {
  readonly reviewer: string;
  readonly item: string;
  readonly decision: boolean | null;
}

export interface AuditTables {
  readonly reviewers: readonly string[];
  readonly tables: readonly {
    readonly title: string;
    readonly headings: readonly string[];
    readonly rows: readonly (readonly string[])[];
    readonly note?: string | undefined;
  }[];
}

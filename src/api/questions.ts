/** POST /api/questions (multipart: `file` of `{prediction, answers}` lines) → QuestionResult; GET /api/questions → QuestionResult[]; DELETE /api/questions/:id */
export interface QuestionResult {
  readonly id: string;
  readonly name: string;
  readonly items: number;
  readonly metrics: readonly { readonly id: string; readonly name: string; readonly mean: number | null }[];
  /** Lines of the file that was added last which are no answers: they are left out. */
  readonly leftOut?: readonly { readonly line: number; readonly reason: string }[] | undefined;
  readonly createdAt: string;
}

/** POST /api/questions/:id/files adds another system's answers; GET /api/questions/:id → QuestionRun. */
export interface QuestionRun {
  readonly id: string;
  readonly name: string;
  readonly questions: number;
  readonly books: number;
  /** What intervals draw. */
  readonly over: "books" | "questions";
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
  /** Whether answers carry their book's summary, so that they can be rated beside it. */
  readonly hasSummaries: boolean;
}

export const QUESTION_FILTERS = ["all", "judge-wrong", "judge-right"] as const;
/** `judge-wrong`: a judge says wrong where F1 says right; `judge-right`: the reverse. */
export type QuestionFilter = (typeof QUESTION_FILTERS)[number];

export interface AnswerOfSystem {
  readonly system: string;
  /** Null where the system failed; the systems that were not asked are left out. */
  readonly answer: string | null;
  readonly scores: Readonly<Record<string, number>>;
  /** What raters gave, by setting and rater. */
  readonly ratings: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Passages that the answer was looked up in, where it was. */
  readonly passages: readonly { readonly chapter: number; readonly text: string; readonly quoted: boolean }[];
}

/** GET /api/questions/:id/items?filter=&from=&limit= */
export interface QuestionPage {
  readonly total: number;
  readonly items: readonly {
    readonly question: string;
    readonly book: string | null;
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

/** PUT /api/questions/:id/rating; a rating of null takes it back. */
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

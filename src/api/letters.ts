import type { Finding, Passage } from "../core/finding.ts";
import type { LetterView, Story } from "../judge/letter/parts.ts";
import type { BookSummary } from "./books.ts";
import type { EvaluationSummary } from "./evaluations.ts";
import type { EvaluationPlan, Job } from "./jobs.ts";

export type { Finding, Passage } from "../core/finding.ts";
export {
  closedAs,
  NEVER,
  NOT_TOLD,
  type Part,
  type Said,
  type StoryPlace,
  saidOf,
  withSaid,
  withTyped,
} from "../judge/letter/corrected-story.ts";
export type { Story } from "../judge/letter/parts.ts";

/** A writer's decision on a finding. Later readings are informed of `intended`, and do not report it again. */
export const FINDING_MARKS = ["accepted", "intended", "later", "done"] as const;
export type FindingMark = (typeof FINDING_MARKS)[number];

/** A finding in a letter, with the writer's decision. */
export interface LetterFinding extends Finding {
  /** Its number in the letter; null for a strength, or if the letter omits it. */
  readonly number: number | null;
  readonly mark: FindingMark | null;
  /** Why it is intended. */
  readonly why: string | null;
  /** The writer marked it as done in an earlier draft, but it is still there. */
  readonly wasDone: boolean;
}

/**
 * GET /api/books/:id/letter?language=en|zh&evaluation= → BookLetter: the letter of the closest reading, the newest first.
 * POST /api/books/:id/readings → Job: reads the book offline, or gives the reading that is under way.
 * PATCH /api/books/:id/findings/:finding with a FindingMarkRequest → 204. What is said is kept with the book and its later drafts.
 * GET /api/books/:id/letter/export?format=docx|pdf|html|markdown|notes|story-markdown|story-json&evaluation=&language=en|zh → a file: the letter with what was
 * said of its findings. POST /api/books/:id/comments (multipart `file`): a
 * DOCX of ours that was edited → CommentsRead.
 */
export interface BookLetter {
  readonly book: BookSummary;
  /** Every reading with a letter, newest first. */
  readonly readings: readonly EvaluationSummary[];
  /** A reading under way. */
  readonly job: Job | null;
  /** Null until the book has been read. */
  readonly letter: OpenLetter | null;
}

export interface OpenLetter {
  readonly evaluation: EvaluationSummary;
  readonly view: LetterView;
  readonly findings: readonly LetterFinding[];
  /** As read by the model, with the writer's corrections to the characters; null if no model has read the story. */
  readonly story: Story | null;
  /**
   * When the figures were computed again because the writer corrected the cast after a model had read the book; null
   * if they were not.
   */
  readonly countedAt: string | null;
}

export interface FindingMarkRequest {
  /** Null to open it again. */
  readonly mark: FindingMark | null;
  readonly why?: string;
}

/** GET /api/books/:id/changes → DraftFindings: what became of the findings of the draft before; null for a first draft. */
export interface DraftFindings {
  readonly before: { readonly id: string; readonly draft: number };
  /** Whether a model read both drafts, or both were only counted. */
  readonly basis: "read" | "counted";
  readonly fixed: readonly Finding[];
  readonly still: readonly Finding[];
  readonly new: readonly Finding[];
}

/** GET and PUT /api/books/:id/facts: the writer's corrections of errors in readings, which the next reading is told. */
export interface StoryFacts {
  readonly facts: readonly string[];
}

/**
 * GET /api/books/:id/ask → KeptAnswer[]: what was asked, the newest first. POST with an AskRequest → AskAnswer, or with `isPlan` its
 * price as an EvaluationPlan. POST /api/books/:id/ask/paste with an AskByHand → AskedByHand: the question for a chat window, or what its reply says.
 */
export interface AskRequest {
  readonly question: string;
  readonly judge: string;
  readonly isPlan?: boolean;
}

export interface AskByHand {
  readonly question: string;
  /** The reply of the chat; absent to get the text to copy into it. */
  readonly reply?: string;
}

export interface AskedByHand {
  readonly asked: PasteQuestion;
  /** What is wrong with the reply; empty if it was accepted. */
  readonly problems: readonly string[];
  readonly answer: KeptAnswer | null;
}

/** An answer, stored with the book until the same question is asked again. */
export interface KeptAnswer extends Pick<AskAnswer, "answer" | "reason"> {
  readonly question: string;
  /** Who answered; `paste` for a chat window. */
  readonly judge: string;
  readonly askedAt: string;
}

export interface AskAnswer {
  /** Null if the model gave none. */
  readonly answer: {
    /** Without a supporting passage, the answer is that the book does not say. */
    readonly said: boolean;
    /** The model gave an answer, but none of its quotations is in the book. */
    readonly isUnsupported: boolean;
    readonly answer: string;
    readonly passages: readonly Passage[];
    /** Whether the model was shown the whole book, or the parts that share the question's words. */
    readonly shown: "book" | "parts";
  } | null;
  readonly reason: string | null;
  readonly plan: EvaluationPlan | null;
  /** The answer stored with the book; null for a price. */
  readonly kept: KeptAnswer | null;
}

/**
 * A judge in a chat window, with the writer in between. GET /api/books/:id/paste → PasteState: begins or goes on.
 * POST with a PastedReply: checks the reply → PasteState of the next question. Answers are kept in the store, like any other.
 */
export interface PasteState {
  /** Null if there are no more questions. */
  readonly question: PasteQuestion | null;
  readonly answered: number;
  /** About how many questions are open, including the current one; a reading with fewer claims asks fewer. */
  readonly left: number;
  /** What is wrong with the pasted reply; empty if it was accepted. */
  readonly problems: readonly string[];
  /** The evaluation made from all answers; null until then. */
  readonly evaluationId: string | null;
}

export interface PasteQuestion {
  readonly id: string;
  /** Without what the chat has already been given, unless the full text was requested. */
  readonly prompt: string;
  /** The full text, for a new chat. */
  readonly full: string;
  readonly words: number;
}

export interface PastedReply {
  readonly question: string;
  readonly reply: string;
}

/** What was read from a Word file: findings whose comments the writer resolved are done. */
export interface CommentsRead {
  readonly done: readonly string[];
  readonly open: number;
  /** Whether the text differs from the book, so that it may be added as its next draft. */
  readonly isChanged: boolean;
}

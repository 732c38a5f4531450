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

/** What a writer says of a finding. `intended` is told to later readings, which do not raise it again. */
export const FINDING_MARKS = ["accepted", "intended", "later", "done"] as const;
export type FindingMark = (typeof FINDING_MARKS)[number];

/** A finding as it stands in a letter, with what the writer said of it. */
export interface LetterFinding extends Finding {
  /** Its number in the letter; null for a strength, or where the letter leaves it out. */
  readonly number: number | null;
  readonly mark: FindingMark | null;
  /** Why it is meant. */
  readonly why: string | null;
  /** The writer marked it done in an earlier draft, and it is still there. */
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
  /** Every reading that has a letter, the newest first. */
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
  /** As it was read, by the people as the writer corrected them; null where no model has read the story. */
  readonly story: Story | null;
  /** When what is counted was counted again after a model read the book: the writer corrected the cast. Null where it was not. */
  readonly countedAt: string | null;
}

export interface FindingMarkRequest {
  /** Null when it is open again. */
  readonly mark: FindingMark | null;
  readonly why?: string;
}

/** GET /api/books/:id/changes → DraftFindings: what became of the findings of the draft before; null for a first draft. */
export interface DraftFindings {
  readonly before: { readonly id: string; readonly draft: number };
  /** Whether a model read both drafts, or both were counted. */
  readonly basis: "read" | "counted";
  readonly fixed: readonly Finding[];
  readonly still: readonly Finding[];
  readonly new: readonly Finding[];
}

/** GET and PUT /api/books/:id/facts: what readings got wrong, said right by the writer; the next reading is told. */
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
  /** What the chat answered; absent to get what is copied into it. */
  readonly reply?: string;
}

export interface AskedByHand {
  readonly asked: PasteQuestion;
  /** What is wrong with the reply; empty when it was taken. */
  readonly problems: readonly string[];
  readonly answer: KeptAnswer | null;
}

/** An answer, kept with the book until the same is asked again. */
export interface KeptAnswer extends Pick<AskAnswer, "answer" | "reason"> {
  readonly question: string;
  /** Who answered; `paste` for a chat window. */
  readonly judge: string;
  readonly askedAt: string;
}

export interface AskAnswer {
  /** Null where the model gave none. */
  readonly answer: {
    /** Without a passage that stands in it, the book does not say. */
    readonly said: boolean;
    /** The model gave an answer, and none of what it quotes stands in the book. */
    readonly isUnsupported: boolean;
    readonly answer: string;
    readonly passages: readonly Passage[];
    /** Whether the model was shown all of the book, or the parts that share the question's words. */
    readonly shown: "book" | "parts";
  } | null;
  readonly reason: string | null;
  readonly plan: EvaluationPlan | null;
  /** As it is kept with the book; null for a price. */
  readonly kept: KeptAnswer | null;
}

/**
 * A judge in a chat window, with the writer in between. GET /api/books/:id/paste → PasteState: begins or goes on.
 * POST with a PastedReply: checks the reply → PasteState of the next question. Answers are kept in the store, like any other.
 */
export interface PasteState {
  /** Null when there is nothing left to ask. */
  readonly question: PasteQuestion | null;
  readonly answered: number;
  /** About how many questions are open, with the one that waits: a reading that claims less is asked less. */
  readonly left: number;
  /** What is wrong with the reply that was pasted; empty when it was taken. */
  readonly problems: readonly string[];
  /** The evaluation that all answers make; null until then. */
  readonly evaluationId: string | null;
}

export interface PasteQuestion {
  readonly id: string;
  /** Without what the chat has been given before, unless it was asked for in full. */
  readonly prompt: string;
  /** Everything, for a new chat. */
  readonly full: string;
  readonly words: number;
}

export interface PastedReply {
  readonly question: string;
  readonly reply: string;
}

/** What was read back out of a Word file: findings whose comments the writer resolved are done. */
export interface CommentsRead {
  readonly done: readonly string[];
  readonly open: number;
  /** Whether the text differs from the book, so that it may be added as its next draft. */
  readonly isChanged: boolean;
}

import { z } from "zod";
import { changeSchema } from "../dataset/change.ts";
import { type QaDocument, type Question, questionSchema } from "../dataset/document.ts";

/** A sample that refinement dropped, with the changes that were proposed for it, as `qa refine --dropped` writes it. */
export const droppedSchema = questionSchema.extend({ document_id: z.string(), title: z.string() });
export type DroppedQuestion = z.infer<typeof droppedSchema>;

/** A change as a person reviews it: everything needed to decide, and a place for the decision. */
export const reviewSchema = changeSchema.extend({
  document_id: z.string(),
  title: z.string(),
  question: z.string(),
  summary: z.string().optional(),
  /** `dropped`: question and answer both changed, so the sample is left out until every change of it is decided. */
  outcome: z.enum(["corrected", "dropped"]).default("corrected"),
  /** Fill in `accept` or `reject`. Null is undecided: the change is kept, and a dropped sample stays out. */
  decision: z.enum(["accept", "reject"]).nullable(),
});

export type ReviewedChange = z.infer<typeof reviewSchema>;

/** Every change of a refined data set and of the samples it dropped, undecided, book by book. */
export function changesToReview(
  documents: readonly QaDocument[],
  dropped: readonly DroppedQuestion[] = [],
): ReviewedChange[] {
  return documents.flatMap(({ document_id, title, summary, qas }) => {
    const rows = (questions: readonly Question[], outcome: ReviewedChange["outcome"]) =>
      questions.flatMap(({ question, changes }) =>
        (changes ?? []).map((change) => ({
          ...change,
          document_id,
          title,
          question,
          summary,
          outcome,
          decision: null,
        })),
      );
    const own = dropped.filter((one) => one.document_id === document_id);
    return [...rows(qas, "corrected"), ...rows(own, "dropped")];
  });
}

export interface AppliedReview {
  readonly documents: QaDocument[];
  readonly rejected: number;
  readonly undecided: number;
  /** Dropped samples that came back, each with the changes that were accepted. */
  readonly restored: number;
}

/** Reverts every rejected change, and brings back each dropped sample whose changes are all decided. */
export function applyReview(
  documents: readonly QaDocument[],
  review: readonly ReviewedChange[],
  dropped: readonly DroppedQuestion[] = [],
): AppliedReview {
  const rejected = new Set(review.filter(({ decision }) => decision === "reject").map(({ id }) => id));
  const decided = new Set(review.filter(({ decision }) => decision !== null).map(({ id }) => id));
  const back = dropped.filter(({ changes }) => changes?.every(({ id }) => decided.has(id)) ?? false);
  const ids = [...documents.flatMap(({ qas }) => qas), ...dropped].flatMap(({ changes }) =>
    (changes ?? []).map(({ id }) => id),
  );
  return {
    documents: documents.map((document) => ({
      ...document,
      qas: [...document.qas, ...back.filter((one) => one.document_id === document.document_id).map(asQuestion)].map(
        (qa) => withoutChanges(qa, ({ id }) => rejected.has(id)),
      ),
    })),
    rejected: ids.filter((id) => rejected.has(id)).length,
    undecided: ids.filter((id) => !decided.has(id)).length,
    restored: back.length,
  };
}

function asQuestion({ document_id: _document, title: _title, ...question }: DroppedQuestion): Question {
  return question;
}

/** The question and answers as they were before some of the changes. */
export function withoutChanges(
  qa: Question,
  isUndone: (change: NonNullable<Question["changes"]>[number]) => boolean,
): Question {
  const undone = (qa.changes ?? []).filter(isUndone);
  if (undone.length === 0) return qa;
  const kept = (qa.changes ?? []).filter((change) => !isUndone(change));
  const answers = [...qa.answers];
  for (const { answer, original } of undone) if (answer !== null) answers[answer] = original;
  return {
    ...qa,
    question: undone.find(({ target }) => target === "question")?.original ?? qa.question,
    answers,
    is_question_modified: kept.some(({ target }) => target === "question"),
    is_answer_modified: answers.map((_, index) => kept.some(({ answer }) => answer === index)),
    changes: kept,
  };
}

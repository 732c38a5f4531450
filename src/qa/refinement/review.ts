import { z } from "zod";
import { changeSchema } from "../dataset/change.ts";
import type { QaDocument, Question } from "../dataset/document.ts";

/** A change as a person reviews it: everything needed to decide, and a place for the decision. */
export const reviewSchema = changeSchema.extend({
  document_id: z.string(),
  title: z.string(),
  question: z.string(),
  summary: z.string().optional(),
  /** Fill in `accept` or `reject`; null is undecided, and the change is kept. */
  decision: z.enum(["accept", "reject"]).nullable(),
});

export type ReviewedChange = z.infer<typeof reviewSchema>;

/** Every change of a refined data set, undecided, in the order of the data. */
export function changesToReview(documents: readonly QaDocument[]): ReviewedChange[] {
  return documents.flatMap(({ document_id, title, summary, qas }) =>
    qas.flatMap(({ question, changes }) =>
      (changes ?? []).map((change) => ({ ...change, document_id, title, question, summary, decision: null })),
    ),
  );
}

/** Reverts every rejected change. */
export function applyReview(
  documents: readonly QaDocument[],
  review: readonly ReviewedChange[],
): { documents: QaDocument[]; rejected: number; undecided: number } {
  const rejected = new Set(review.filter(({ decision }) => decision === "reject").map(({ id }) => id));
  const decided = new Set(review.filter(({ decision }) => decision !== null).map(({ id }) => id));
  const ids = documents.flatMap(({ qas }) => qas.flatMap(({ changes }) => (changes ?? []).map(({ id }) => id)));
  return {
    documents: documents.map((document) => ({
      ...document,
      qas: document.qas.map((qa) => withoutRejected(qa, rejected)),
    })),
    rejected: ids.filter((id) => rejected.has(id)).length,
    undecided: ids.filter((id) => !decided.has(id)).length,
  };
}

function withoutRejected(qa: Question, rejected: ReadonlySet<string>): Question {
  const undone = (qa.changes ?? []).filter(({ id }) => rejected.has(id));
  if (undone.length === 0) return qa;
  const kept = (qa.changes ?? []).filter(({ id }) => !rejected.has(id));
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

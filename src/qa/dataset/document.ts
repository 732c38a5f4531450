import { z } from "zod";
import { sum } from "../../stats/distribution.ts";

/** One correction: the text before, the text after, and why. */
export const changeSchema = z.object({
  /** Identifies the change in review files: document, question and position. */
  id: z.string(),
  target: z.enum(["question", "answer"]),
  /** The index of the reference answer, from 0; null for the question. */
  answer: z.number().int().nonnegative().nullable(),
  original: z.string(),
  correction: z.string(),
  reason: z.string(),
  /** Letters inserted, deleted or replaced. */
  edit_distance: z.number().int().nonnegative(),
});

export type Change = z.infer<typeof changeSchema>;

/** A question about a book with its reference answers, in the fields of LiteraryQA. */
export const questionSchema = z.looseObject({
  question: z.string().min(1),
  answers: z.array(z.string()).min(1, "a question needs at least one reference answer"),
  is_question_modified: z.boolean().default(false),
  is_answer_modified: z.array(z.boolean()).default([]),
  /** The corrections, which allow the original to be restored. */
  changes: z.array(changeSchema).optional(),
});

/** One line of a LiteraryQA file: a book, its summary and its questions. Fields not listed here are preserved. */
export const documentSchema = z.looseObject({
  document_id: z.string().min(1),
  title: z.string(),
  summary: z.string(),
  qas: z.array(questionSchema),
  gutenberg_id: z.string().optional(),
  split: z.string().optional(),
  /** NarrativeQA's name for the kind of document: `gutenberg` for books, `movie` for film scripts. */
  kind: z.string().optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
});

export type Question = z.infer<typeof questionSchema>;
export type QaDocument = z.infer<typeof documentSchema>;

export function countQuestions(documents: readonly QaDocument[]): number {
  return sum(documents.map(({ qas }) => qas.length));
}

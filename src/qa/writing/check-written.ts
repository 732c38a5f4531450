import type { Passage } from "../../core/finding.ts";
import type { Rubric } from "../../criteria/rubric.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import type { Book } from "../../text/book.ts";
import { type AnswerMaterial, answerQuestion } from "../answering/answer-question.ts";
import type { QaDocument, Question } from "../dataset/document.ts";
import { gradeAnswer } from "../judging/grade-answer.ts";
import { refineQuestion } from "../refinement/refine-question.ts";
import type { WrittenQuestion } from "./ask-for-questions.ts";

/** From this grade of the shipped rubric on, an answer is right. */
export const RIGHT = 4;

/** An answer that was tried on a question, and its grade; null where there is none, with the reason. */
export interface TriedAnswer {
  readonly answer: string | null;
  readonly grade: number | null;
  readonly reason: string;
}

/** What became of a written question. */
export type CheckedQuestion =
  | { readonly kind: "kept"; readonly question: Question }
  | { readonly kind: "dropped"; readonly written: string; readonly reason: string };

export interface CheckOptions {
  readonly book: Book;
  readonly title: string;
  readonly model: ChatModel;
  readonly rubric: Rubric;
  /** A plan counts every call, also those after a check that failed. */
  readonly isPlan: boolean;
}

/**
 * LiteraryQA's refinement of a question and its answers, against the passages it was written from; then two readers answer it: one
 * who sees only the paragraphs of its evidence has to get it right, and one who sees only the title should not. What the second
 * gets right is marked, because the model may know the book or guess.
 */
export async function checkWritten(
  written: WrittenQuestion,
  { book, title, model, rubric, isPlan }: CheckOptions,
  signal: AbortSignal,
): Promise<CheckedQuestion> {
  const dropped = (reason: string): CheckedQuestion => ({ kind: "dropped", written: written.question, reason });
  const passages = paragraphsOf(written.evidence, book);
  const shown = passages.map(({ text }) => text).join("\n\n");
  const { evidence, kind, difficulty, scope, question, answers } = written;
  const document: QaDocument = {
    document_id: "written",
    title,
    summary: shown,
    qas: [
      { question, answers: [...answers], is_question_modified: false, is_answer_modified: answers.map(() => false) },
    ],
  };
  const refinement = await refineQuestion(document, 0, model, signal);
  if (!isPlan && refinement.outcome === "dropped")
    return dropped("its question and its answers both needed corrections");
  const [unchecked] = refinement.unchecked;
  if (!isPlan && unchecked) return dropped(`it could not be checked: ${unchecked.reason}`);

  const refined = refinement.question;
  const tried = async (material: AnswerMaterial): Promise<TriedAnswer> => {
    const answer = await answerQuestion(model, { title, question: refined.question, material }, signal);
    if (answer.kind === "unanswered") return { answer: null, grade: null, reason: answer.reason };
    const graded = {
      question: refined.question,
      references: refined.answers,
      answer: answer.prediction,
      summary: null,
    };
    const { verdict, reason } = await gradeAnswer(model, rubric, graded, signal);
    return { answer: answer.prediction, grade: verdict.kind === "scored" ? verdict.score : null, reason };
  };
  const fromEvidence = await tried({ setting: "retrieval", passages });
  if (!isPlan && fromEvidence.grade === null) return dropped(`it could not be checked: ${fromEvidence.reason}`);
  if (!isPlan && fromEvidence.grade! < RIGHT) return dropped("its evidence alone does not answer it");
  const closedBook = await tried({ setting: "closed" });
  return {
    kind: "kept",
    question: {
      ...refined,
      kind,
      scope,
      difficulty,
      evidence: evidence.map(({ chapter, start, end, quote }) => ({ chapter, start, end, quote })),
      from_evidence: fromEvidence,
      closed_book: closedBook,
      known: closedBook.grade === null ? null : closedBook.grade >= RIGHT,
    },
  };
}

/** The paragraphs that the evidence stands in, each once, in the order of the book. */
function paragraphsOf(evidence: readonly Passage[], { chapters }: Book) {
  const found = evidence.flatMap(({ chapter, start, end }) => {
    const text = chapters.find(({ index }) => index === chapter)?.text ?? "";
    const from = text.lastIndexOf("\n\n", start) + 2;
    const gap = text.indexOf("\n\n", end);
    const paragraph = { chapter, start: from === 1 ? 0 : from, end: gap < 0 ? text.length : gap };
    return [{ ...paragraph, text: text.slice(paragraph.start, paragraph.end) }];
  });
  return found.filter(
    (one, at) => found.findIndex((other) => other.chapter === one.chapter && other.start === one.start) === at,
  );
}

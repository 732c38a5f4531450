import type { Prediction } from "../scoring/prediction.ts";
import type { QaDocument } from "./document.ts";

/** Finds the book that a prediction is about; null when it is unknown. */
export type DocumentFinder = (prediction: Prediction) => QaDocument | null;

/**
 * Finds it by the document's id if the prediction has one, otherwise, as for published predictions, by question and
 * answers.
 */
export function documentFinder(documents: readonly QaDocument[]): DocumentFinder {
  const byId = new Map(documents.map((document) => [document.document_id, document]));
  const byQuestion = new Map<string, QaDocument | null>();
  for (const document of documents) {
    for (const { question, answers } of document.qas) {
      const key = questionKey(question, answers);
      const known = byQuestion.get(key);
      // If two books have the same question and answers, these do not identify the book.
      byQuestion.set(key, known === undefined || known === document ? document : null);
    }
  }
  return ({ document_id, question, answers }) => {
    const known = document_id === undefined ? undefined : byId.get(document_id);
    return known ?? (question === undefined ? null : (byQuestion.get(questionKey(question, answers)) ?? null));
  };
}

function questionKey(question: string, answers: readonly string[]): string {
  return JSON.stringify([question, ...answers].map((text) => text.replace(/\s+/g, " ").trim()));
}

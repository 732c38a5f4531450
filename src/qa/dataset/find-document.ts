import type { Prediction } from "../scoring/prediction.ts";
import type { QaDocument } from "./document.ts";

/** The book that a prediction is about, or null when it cannot be found. */
export type DocumentFinder = (prediction: Prediction) => QaDocument | null;

/** By the document's id where the prediction carries it; published predictions do not, so else by question and answers. */
export function documentFinder(documents: readonly QaDocument[]): DocumentFinder {
  const byId = new Map(documents.map((document) => [document.document_id, document]));
  const byQuestion = new Map<string, QaDocument | null>();
  for (const document of documents) {
    for (const { question, answers } of document.qas) {
      const key = questionKey(question, answers);
      const known = byQuestion.get(key);
      // The same question and answers about two books do not identify the book.
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

import type { QaDocument } from "../dataset/document.ts";
import type { Prediction } from "../scoring/prediction.ts";

/** The summary of the book that a prediction is about, or null when it cannot be found. */
export type SummaryFinder = (prediction: Prediction) => string | null;

/** By the document's id where the prediction carries it; published predictions do not, so else by question and answers. */
export function summaryFinder(documents: readonly QaDocument[]): SummaryFinder {
  const byId = new Map(documents.map(({ document_id, summary }) => [document_id, summary]));
  const byQuestion = new Map<string, string | null>();
  for (const { qas, summary } of documents) {
    for (const { question, answers } of qas) {
      const key = questionKey(question, answers);
      // The same question with the same answers about two books tells nothing.
      byQuestion.set(key, byQuestion.has(key) && byQuestion.get(key) !== summary ? null : summary);
    }
  }
  return ({ document_id, question, answers }) => {
    const known = typeof document_id === "string" ? byId.get(document_id) : undefined;
    const summary = known ?? (question === undefined ? null : byQuestion.get(questionKey(question, answers)));
    return summary?.trim() || null;
  };
}

function questionKey(question: string, answers: readonly string[]): string {
  return JSON.stringify([question, ...answers].map((text) => text.replace(/\s+/g, " ").trim()));
}

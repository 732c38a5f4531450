import type { QaDocument } from "../dataset/document.ts";
import { documentFinder } from "../dataset/find-document.ts";
import type { Prediction } from "../scoring/prediction.ts";

/** The summary of the book that a prediction is about, or null when it cannot be found. */
export type SummaryFinder = (prediction: Prediction) => string | null;

export function summaryFinder(documents: readonly QaDocument[]): SummaryFinder {
  const documentOf = documentFinder(documents);
  return (prediction) => documentOf(prediction)?.summary.trim() || null;
}

/** As `qa sample --data` writes it beside the answer. */
export function ownSummary({ summary }: Prediction): string | null {
  return typeof summary === "string" && summary.trim() !== "" ? summary : null;
}

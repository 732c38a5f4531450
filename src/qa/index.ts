/** Narrative question answering: `import { loadMetrics, scorePredictions } from "fabula/qa"`. */
export {
  type DatasetAgreement,
  type MetricRow,
  metaEvaluate,
  type RatedAnswer,
  ratedAnswerSchema,
} from "./agreement.ts";
export {
  type Answer,
  type AnswerMaterial,
  answerQuestion,
  type Passage,
  type PassageSearch,
  passagesOf,
  type QuotedPassage,
  searchPassages,
} from "./answering.ts";
export { type AnswerSetting, METRIC_IDS } from "./choices.ts";
export type { Change } from "./dataset/document.ts";
export { documentSchema, type QaDocument, type Question } from "./dataset/document.ts";
export { readQaDocuments } from "./dataset/read-documents.ts";
export { type Grade, type GradedAnswer, gradeAnswer } from "./grading.ts";
export { loadMetrics } from "./metrics/load-metrics.ts";
export type { AnswerMetric } from "./metrics/metric.ts";
export { type Duplicate, type Refinement, refineQuestion, removeDuplicates } from "./refinement.ts";
export { analyseLengths, type BinBehaviour, type LengthBin } from "./scoring/length-analysis.ts";
export { type Prediction, predictionSchema } from "./scoring/prediction.ts";
export { type ItemScores, type ScoreTable, scorePredictions } from "./scoring/score-predictions.ts";

/** Narrative question answering: `import { loadMetrics, scorePredictions } from "fabula/qa"`. */
export { type DatasetAgreement, type MetricRow, metaEvaluate } from "./agreement/meta-evaluation.ts";
export { type RatedAnswer, ratedAnswerSchema } from "./agreement/rated-answer.ts";
export {
  type Answer,
  type AnswerMaterial,
  answerQuestion,
  type QuotedPassage,
} from "./answering/answer-question.ts";
export { type PassageSearch, searchPassages } from "./answering/passage-search.ts";
export { type Passage, passagesOf } from "./answering/passages.ts";
export { type AnswerSetting, METRIC_IDS } from "./choices.ts";
export type { Change } from "./dataset/change.ts";
export { documentSchema, type QaDocument, type Question } from "./dataset/document.ts";
export { readQaDocuments } from "./dataset/read-documents.ts";
export { type Grade, type GradedAnswer, gradeAnswer } from "./judging/grade-answer.ts";
export { loadMetrics } from "./metrics/load-metrics.ts";
export type { AnswerMetric } from "./metrics/metric.ts";
export { type Duplicate, removeDuplicates } from "./refinement/duplicates.ts";
export { type Refinement, refineQuestion } from "./refinement/refine-question.ts";
export { analyseLengths, type BinBehaviour, type LengthBin } from "./scoring/length-analysis.ts";
export { type Prediction, predictionSchema } from "./scoring/prediction.ts";
export { type ItemScores, type ScoreTable, scorePredictions } from "./scoring/score-predictions.ts";

/** Narrative question answering: `import { loadMetrics } from "fabula/qa"`. */
export { loadMetrics, METRIC_IDS } from "./metrics/load-metrics.ts";
export type { AnswerMetric } from "./metrics/metric.ts";
export { analyseLengths, type BinBehaviour, type LengthBin } from "./scoring/length-analysis.ts";
export { type Prediction, predictionSchema } from "./scoring/prediction.ts";
export { type ItemScores, type ScoreTable, scorePredictions } from "./scoring/score-predictions.ts";

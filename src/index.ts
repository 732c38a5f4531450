/** The public library: everything here is meant to be used by other programs and stays stable. */
export { FabulaError } from "./core/errors.ts";
export { averageVerdicts, isScored, scored, unscored, type Verdict, verdictSchema } from "./core/verdict.ts";
export type { Forecast, Forecaster, NoForecast } from "./forecast/forecast.ts";
export type { ForecastInput } from "./forecast/forecast-input.ts";
export { loadForecaster } from "./forecast/load-forecaster.ts";
export { type BookEvaluation, bookEvaluationSchema } from "./judge/evaluation.ts";
export { QuotationIndex } from "./judge/evidence/quotation-index.ts";
export { METHOD_NAMES, type MethodName } from "./judge/methods/method.ts";
export { type ReadReply, readVerdicts } from "./judge/reading/read-verdicts.ts";
export { type AspectMap, aspectShares, aspectVerdicts, loadAspectMap } from "./jury/aspects.ts";
export type { Ground, Juror, JurorId, Opinion, Shares } from "./jury/juror.ts";
export { type Jury, loadJury } from "./jury/jury.ts";
export type { LineNote, LineNotes } from "./jury/line-notes.ts";
export {
  loadPocketJudge,
  type PocketExamination,
  type PocketJudge,
  type PocketVerdicts,
} from "./jury/pocket-judge.ts";
export type { PreparedText } from "./jury/prepare-text.ts";
export { loadPocketReference, type PocketReference } from "./jury/reference.ts";
export { askForJson, type JsonAnswer } from "./models/ask-for-json.ts";
export type { ChatMessage, ChatModel, ChatReply, ChatRequest, TokenUsage } from "./models/chat-model.ts";
export { createChatModel, type ModelConnections } from "./models/create-chat-model.ts";
export { ModelError, type ModelFailure } from "./models/model-error.ts";
export { type JsonReading, readJsonReply } from "./models/read-json-reply.ts";
export { loadPersonalModel } from "./reader/predictor/personal-weights.ts";
export { type PersonalPrediction, personalPredictor } from "./reader/predictor/predict-rating.ts";
export type { Reason } from "./reader/predictor/reasons.ts";
export { type PastReview, pairSchema, type ReaderPair, type Story } from "./reader/predictor/story.ts";
export { mapBounded } from "./runner/map-bounded.ts";
export { type FinishedRun, openRun, type Run, type RunServices, type RunSettings } from "./runner/open-run.ts";
export type { RunnerEvent } from "./runner/runner-event.ts";
export type { Book, BookSource, Chapter, Removal } from "./text/book.ts";
export { type CorpusBook, type Exclusion, type PreparedCorpus, prepareCorpus } from "./text/corpus/prepare.ts";
export type { Finding, Signal } from "./text/document-filters/finding.ts";
export { looksLikeNonFiction } from "./text/document-filters/non-fiction.ts";
export { looksLikePlay } from "./text/document-filters/play.ts";
export { summaryIsOfAnotherBook } from "./text/document-filters/summary-match.ts";
export { detectLanguage } from "./text/language.ts";
export { type DuplicatePair, findNearDuplicates } from "./text/near-duplicates/find.ts";
export { type ReadOptions, readBook, readBookFromBytes } from "./text/read-book.ts";
export { type Segment, type SegmentOptions, segmentBook } from "./text/segments.ts";
export { type Sentence, splitSentences } from "./text/sentences.ts";
export { loadTokenCounter, type TokenCounter } from "./text/tokens.ts";
export { countWords } from "./text/words.ts";
export { type BookComparison, compareBooks } from "./workflows/books/compare-books.ts";
export { type EvaluateOptions, evaluateBook } from "./workflows/books/evaluate-book.ts";
export { type JudgedInput, type JudgeOptions, judgeBooks } from "./workflows/books/judge-books.ts";

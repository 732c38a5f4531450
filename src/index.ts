/**
 * The public library: everything here is meant to be used by other programs and stays stable. What does a whole job is loaded
 * when it is called, so that importing the library is quick for a program that needs one statistic or one file read.
 */
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
export {
  loadPocketJudge,
  type PocketExamination,
  type PocketJudge,
  type PocketVerdicts,
} from "./jury/pocket-judge.ts";
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
export type { FinishedRun, Run, RunServices, RunSettings } from "./runner/open-run.ts";
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
export type { BookComparison } from "./workflows/books/compare-books.ts";
export type { EvaluateOptions } from "./workflows/books/evaluate-book.ts";
export type { JudgedInput, JudgeOptions } from "./workflows/books/judge-books.ts";

type Workflow<Work extends (...given: never[]) => Promise<unknown>> = (...given: Parameters<Work>) => ReturnType<Work>;

/**
 * Judges one book with the embedded judge: no key, no network.
 *
 * @example
 * const { overall, aspects } = await evaluateBook("novel.epub");
 */
export const evaluateBook: Workflow<typeof import("./workflows/books/evaluate-book.ts").evaluateBook> = async (
  ...given
) => (await import("./workflows/books/evaluate-book.ts")).evaluateBook(...given);

/**
 * Judges books with language models, in one durable run: what was answered before is not paid for again.
 *
 * @example
 * const { result } = await judgeBooks({ kind: "books", files: ["novel.epub"] }, options);
 */
export const judgeBooks: Workflow<typeof import("./workflows/books/judge-books.ts").judgeBooks> = async (...given) =>
  (await import("./workflows/books/judge-books.ts")).judgeBooks(...given);

/**
 * Compares books two by two, in both orders.
 *
 * @example
 * const { result } = await compareBooks(["first.epub", "second.epub"], options);
 */
export const compareBooks: Workflow<typeof import("./workflows/books/compare-books.ts").compareBooks> = async (
  ...given
) => (await import("./workflows/books/compare-books.ts")).compareBooks(...given);

/**
 * Opens a durable run: the models it gives remember their answers, keep to a budget and survive a crash.
 *
 * @example
 * const run = await openRun({ store: "calls.db", command: [], folder: ".", connections: {} }, { signal });
 */
export const openRun: Workflow<typeof import("./runner/open-run.ts").openRun> = async (...given) =>
  (await import("./runner/open-run.ts")).openRun(...given);

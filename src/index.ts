/**
 * The public library: everything here is meant to be used by other programs and stays stable. What does a whole job is loaded
 * when it is first called, so that importing the library is quick for a program that needs only a part of it.
 */
import { loadedWhenCalled } from "./core/loaded-when-called.ts";

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
export type { Jury } from "./jury/jury.ts";
export type { LineNote, LineNotes } from "./jury/notes/line-notes.ts";
export type { PocketExamination, PocketJudge, PocketVerdicts } from "./jury/pocket-judge.ts";
export type { PreparedText } from "./jury/prepare-text.ts";
export { loadPocketReference, type PocketReference } from "./jury/reference.ts";
export { askForJson, type JsonAnswer } from "./models/ask-for-json.ts";
export type { ChatMessage, ChatModel, ChatReply, ChatRequest, TokenUsage } from "./models/chat-model.ts";
export type { ModelConnections } from "./models/create-chat-model.ts";
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
export {
  type ChapterCorrections,
  chapterCorrectionsSchema,
  correctChapters,
} from "./text/corrections/chapter-corrections.ts";
export type { Finding, Signal } from "./text/document-filters/finding.ts";
export { looksLikeNonFiction } from "./text/document-filters/non-fiction.ts";
export { looksLikePlay } from "./text/document-filters/play.ts";
export { summaryIsOfAnotherBook } from "./text/document-filters/summary-match.ts";
export { detectLanguage } from "./text/language.ts";
export { type DuplicatePair, findNearDuplicates } from "./text/near-duplicates/find.ts";
export type { ReadOptions } from "./text/read-book.ts";
export { type Segment, type SegmentOptions, segmentBook } from "./text/segments.ts";
export { type Sentence, splitSentences } from "./text/sentences.ts";
export { loadTokenCounter, type TokenCounter } from "./text/tokens/tokens.ts";
export { countWords } from "./text/words.ts";
export type { BookComparison } from "./workflows/books/compare-books.ts";
export type { EvaluateOptions } from "./workflows/books/evaluate-book.ts";
export type { JudgedInput, JudgeOptions } from "./workflows/books/judge-books.ts";

/**
 * Reads a book: one file, a folder or a quoted glob of chapter files, or `-` for standard input.
 *
 * @example
 * ```ts
 * const { chapters } = await readBook("novel.epub");
 * for (const { index, title, words } of chapters) console.log(index, title, words);
 * ```
 */
export const readBook = loadedWhenCalled(async () => (await import("./text/read-book.ts")).readBook);

/**
 * Reads a book from bytes already in memory, such as an upload. `name` is shown, and its ending may tell the format.
 *
 * @example
 * ```ts
 * const bytes = new Uint8Array(await upload.arrayBuffer());
 * const book = await readBookFromBytes(bytes, upload.name, { metadata: { title: "The Salt Road" } });
 * ```
 */
export const readBookFromBytes = loadedWhenCalled(async () => (await import("./text/read-book.ts")).readBookFromBytes);

/**
 * Judges one book with the embedded judge: no key, no network.
 *
 * @example
 * ```ts
 * const { overall, aspects } = await evaluateBook("novel.epub");
 * ```
 */
export const evaluateBook = loadedWhenCalled(
  async () => (await import("./workflows/books/evaluate-book.ts")).evaluateBook,
);

/**
 * Judges books with language models, in one durable run: what was answered before is not paid for again.
 *
 * @example
 * ```ts
 * const { result } = await judgeBooks({ kind: "books", files: ["novel.epub"] }, options);
 * ```
 */
export const judgeBooks = loadedWhenCalled(async () => (await import("./workflows/books/judge-books.ts")).judgeBooks);

/**
 * Compares books two by two, in both orders.
 *
 * @example
 * ```ts
 * const { result } = await compareBooks(["first.epub", "second.epub"], options);
 * ```
 */
export const compareBooks = loadedWhenCalled(
  async () => (await import("./workflows/books/compare-books.ts")).compareBooks,
);

/**
 * The jury that ships with the package, loaded once.
 *
 * @example
 * ```ts
 * const jury = await loadJury();
 * const { chapters } = await readBook("novel.epub");
 * const { crowd, editor, grader } = jury.judge(chapters.map(({ text }) => jury.prepare(text)));
 * console.log(crowd.overall, editor.overall, grader.overall);
 * ```
 */
export const loadJury = loadedWhenCalled(async () => (await import("./jury/jury.ts")).loadJury);

/**
 * The judge under `folder`; without one, the judge that ships with the package, which is loaded once.
 *
 * @example
 * ```ts
 * const judge = await loadPocketJudge();
 * const { overall, criteria } = judge.score(text);
 * console.log(overall, criteria["weak-dialogue"]); // of a fault, a high grade is bad
 * ```
 */
export const loadPocketJudge = loadedWhenCalled(async () => (await import("./jury/pocket-judge.ts")).loadPocketJudge);

/**
 * The model behind a judge's name. Nothing is sent until it is asked something.
 *
 * @example
 * ```ts
 * const model = await createChatModel("anthropic:claude-sonnet-4-5", { connections: { anthropic: { key } } });
 * const local = await createChatModel("ollama:llama3.1", { connections: {} });
 * ```
 */
export const createChatModel = loadedWhenCalled(
  async () => (await import("./models/create-chat-model.ts")).createChatModel,
);

/**
 * Opens a run: calls are stored, limited, paid for once and can be resumed. End it with `finish`.
 *
 * @example
 * ```ts
 * const signal = AbortSignal.timeout(600_000);
 * const run = await openRun(
 *   { store: "calls.sqlite", command: [], folder: process.cwd(), connections: { openai: { key } }, maximumCost: 1 },
 *   { signal },
 * );
 * const model = await run.model("openai:gpt-4.1-mini");
 * const reply = await model.complete({ purpose: "judge", sample: 0, messages }, signal);
 * const { summary } = await run.finish();
 * ```
 */
export const openRun = loadedWhenCalled(async () => (await import("./runner/open-run.ts")).openRun);

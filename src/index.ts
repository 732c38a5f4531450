/**
 * The public library: everything here is meant to be used by other programs and stays stable. One function for each thing a
 * user wants, all of one shape: what to work on, then options (`signal`, `onEvent`, and where models are asked `judge`, `maxCost`,
 * `store`, `connections`). What does a whole job is loaded when it is first called, so that importing the library is quick.
 */

import type { z } from "zod";
import { loadedWhenCalled } from "./core/remembered.ts";
import { type BookEvaluation, bookEvaluationSchema as evaluationSchema } from "./judge/evaluation.ts";
import type { Rendered, ReportForm, ReportOptions } from "./library/report.ts";
import type { EvaluateOptions, TaskInputs } from "./library/task-options.ts";
import type { EvaluatedBook } from "./tasks/books/evaluate-books.ts";
import type { BookInput } from "./tasks/define/shared-fields.ts";

export { ERROR_CODES, type ErrorCode, FabulaError } from "./core/errors.ts";
export { estimateTokens } from "./core/estimate-tokens.ts";
export { averageVerdicts, isScored, scored, unscored, type Verdict, verdictSchema } from "./core/verdict.ts";
export type { Criterion, Rubric } from "./criteria/rubric.ts";
export type { Forecast, Forecaster, NoForecast } from "./forecast/forecast.ts";
export type { ForecastInput } from "./forecast/forecast-input.ts";
export { loadForecaster } from "./forecast/load-forecaster.ts";
export type { BookEvaluation } from "./judge/evaluation.ts";
export { QuotationIndex } from "./judge/evidence/quotation-index.ts";
export { METHOD_NAMES, type MethodName } from "./judge/methods/method.ts";
export { type ReadReply, readVerdicts } from "./judge/replies/read-verdicts.ts";
export { type AspectMap, aspectShares, aspectVerdicts, loadAspectMap } from "./jury/aspects.ts";
export type { Grader, GraderExamination, GraderVerdicts } from "./jury/grader.ts";
export type { Domain, Juror, JurorId, Opinion, Shares } from "./jury/juror.ts";
export type { Jury } from "./jury/jury.ts";
export type { LineNote, LineNotes } from "./jury/notes.ts";
export type { PreparedText } from "./jury/prepare-text.ts";
export { type GraderReference, loadGraderReference } from "./jury/reference.ts";
export type { Comparison } from "./library/evaluate.ts";
export type { AgreementResult, RubricCheck, SavedReply, ScoreRow } from "./library/judges.ts";
export type { CommonOptions, Judge, LibraryEvent, ModelOptions, OneJudge } from "./library/options.ts";
export type { PredictReaderOptions } from "./library/readers.ts";
export type { Rendered, ReportForm, ReportOptions } from "./library/report.ts";
export type {
  AgreementOptions,
  AskOptions,
  CheckOptions,
  CheckRubricOptions,
  CompareOptions,
  EvaluateOptions,
  ExamOptions,
  ForecastOptions,
  HealthOptions,
  MapOptions,
  NotesOptions,
  OptionalRunOptions,
  ProbeOptions,
  ReadBookOptions,
  RepliesOptions,
  RunOptions,
  ScoreAnswersOptions,
  ScoreTextsOptions,
  StoryOptions,
  StressOptions,
  TaskInputs,
  TrustJudgesOptions,
  WriteQuestionsOptions,
} from "./library/task-options.ts";
export { type Answer, asJson, ask, type ParsedAnswer, type Question } from "./models/ask.ts";
export type { ChatMessage, ChatModel, ChatReply, ChatRequest, TokenUsage } from "./models/chat-model.ts";
export type { ModelConnections } from "./models/connection.ts";
export { ModelError, type ModelFailure } from "./models/model-error.ts";
export { type ParsedReply, readJsonReply } from "./models/read-reply.ts";
export type { Prediction } from "./qa/scoring/prediction.ts";
export { loadPersonalModel } from "./reader/predictor/personal-weights.ts";
export { type PersonalPrediction, personalPredictor } from "./reader/predictor/predict-rating.ts";
export type { Reason } from "./reader/predictor/reasons.ts";
export { type PastReview, pairSchema, type ReaderPair, type Story } from "./reader/predictor/story.ts";
export type { ReaderProfile } from "./reader/profile/reader-profile.ts";
export type { TrustReport } from "./report/agreement/trust-report.ts";
export type { HealthReport } from "./report/health/health-report.ts";
export { mapBounded } from "./runner/map-bounded.ts";
export type { FinishedRun, Run, RunServices, RunSettings } from "./runner/open-run.ts";
export type { Plan } from "./runner/planning.ts";
export type { RunnerEvent } from "./runner/runner-event.ts";
export type { CheckedFile, CheckResult } from "./tasks/books/check-books.ts";
export type { BookComparison } from "./tasks/books/compare-books.ts";
export type { JuryComparison } from "./tasks/books/compare-with-jury.ts";
export type { EvaluatedBook } from "./tasks/books/evaluate-books.ts";
export type { BookNote, NotesOfBook } from "./tasks/books/line-notes.ts";
export type { BookMap } from "./tasks/books/map-book.ts";
export type { AnsweredQuestion, BookStory } from "./tasks/books/read-story.ts";
export type { ScoreSummary } from "./tasks/books/score-items.ts";
export type { BookInput } from "./tasks/define/shared-fields.ts";
export type { ReadingExam } from "./tasks/qa/exam.ts";
export type { ScoreAnswersReport } from "./tasks/qa/score.ts";
export type { WrittenQuestionsReport } from "./tasks/qa/write-questions.ts";
export type { ContaminationReport } from "./tasks/trust/probe-contamination.ts";
export type { StressReport } from "./tasks/trust/stress-books.ts";
export type { Book, BookSource, Chapter, Removal } from "./text/book.ts";
export { type CorpusBook, type Exclusion, type PreparedCorpus, prepareCorpus } from "./text/corpus/prepare.ts";
export {
  type ChapterCorrections,
  chapterCorrectionsSchema,
  correctChapters,
} from "./text/corrections/chapter-corrections.ts";
export type { Finding, Signal } from "./text/document-filters.ts";
export { looksLikeNonFiction, looksLikePlay, summaryIsOfAnotherBook } from "./text/document-filters.ts";
export { detectLanguage } from "./text/language.ts";
export { type DuplicatePair, findNearDuplicates } from "./text/near-duplicates.ts";
export type { ReadOptions } from "./text/read-book.ts";
export { type Segment, type SegmentOptions, segmentBook } from "./text/segments.ts";
export { type Sentence, splitSentences } from "./text/sentences.ts";
export { countWords } from "./text/words.ts";

/**
 * Reads a book into clean chapters. A book is the path of a file or folder, bytes, `{ text }`, or a `Book`.
 *
 * @example
 * ```ts
 * const { chapters } = await readBook("novel.epub");
 * for (const { index, title, words } of chapters) console.log(index, title, words);
 * const note = await readBook({ text: "Chapter 1\n\nIt rained." }, { metadata: { title: "The Salt Road" } });
 * ```
 */
export const readBook = loadedWhenCalled(async () => (await import("./library/manuscript.ts")).readBook);

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
 * Checks that what was read from elsewhere is an evaluation.
 *
 * @example
 * ```ts
 * const { overall } = bookEvaluationSchema.parse(JSON.parse(text));
 * ```
 */
export const bookEvaluationSchema: z.ZodType<BookEvaluation> = evaluationSchema;

/**
 * Evaluates one book: with the embedded jury (no key, no network) unless a judge is named. Keys come from the environment.
 *
 * @example
 * ```ts
 * const { overall, aspects } = await evaluateBook("novel.epub");
 * const judged = await evaluateBook("novel.epub", { judge: "openai:gpt-4.1", method: "summary", maxCost: 5 });
 * const { changes } = await evaluateBook("draft-2.docx", { against: "draft-1.docx" });
 * const panel = await evaluateBook({ text }, { judge: ["openai:gpt-4.1", ownModel], signal, onEvent: console.error });
 * ```
 */
export const evaluateBook = loadedWhenCalled(async () => (await import("./library/evaluate.ts")).evaluateBook);

/**
 * Evaluates many books and hands each out as soon as it and those before it are ready. One that cannot be read is `failed`
 * and does not stop the others; leaving the loop stops the work.
 *
 * @example
 * ```ts
 * for await (const book of evaluateBooks(["one.epub", "two.docx"], { judge: "ollama:llama3.1", store: "calls.db" })) {
 *   if (book.kind === "failed") console.error(book.source, book.error);
 *   else console.log(book.evaluation.book.title, book.evaluation.overall);
 * }
 * ```
 */
export async function* evaluateBooks(
  sources: Iterable<BookInput>,
  options: EvaluateOptions = {},
): AsyncGenerator<EvaluatedBook, void, undefined> {
  yield* (await import("./library/evaluate.ts")).evaluateBooks(sources, options);
}

/**
 * What an evaluation would ask and cost: calls, tokens and dollars. Nothing is sent, and no key is needed.
 *
 * @example
 * ```ts
 * const { calls, expectedCost } = await planEvaluation("novel.epub", { judge: "openai:gpt-4.1", preset: "paper" });
 * console.log(calls, expectedCost);
 * ```
 */
export const planEvaluation = loadedWhenCalled(async () => (await import("./library/evaluate.ts")).planEvaluation);

/**
 * Compares two books aspect by aspect, or ranks more: by the embedded jury's scores, or by a model that is shown them in pairs.
 *
 * @example
 * ```ts
 * const comparison = await compareBooks(["draft-1.docx", "draft-2.docx"]);
 * if (comparison.kind === "jury") for (const { name, better } of comparison.jurors) console.log(name, better);
 * const ranked = await compareBooks(shortlist, { judge: "openai:gpt-4.1-mini", maxCost: 2 });
 * ```
 */
export const compareBooks = loadedWhenCalled(async () => (await import("./library/evaluate.ts")).compareBooks);

/**
 * Line notes: every sentence with the probability that a professional editor would change it.
 *
 * @example
 * ```ts
 * const { notes } = await lineNotes("chapter.md");
 * for (const { chapter, sentence, change, why } of notes.filter(({ change }) => change > 0.6)) console.log(chapter, why, sentence);
 * ```
 */
export const lineNotes = loadedWhenCalled(async () => (await import("./library/manuscript.ts")).lineNotes);

/**
 * The manuscript map: what can be counted, chapter by chapter, beside published novels.
 *
 * @example
 * ```ts
 * const { figures } = await mapManuscript("novel.epub");
 * console.table(figures);
 * ```
 */
export const mapManuscript = loadedWhenCalled(async () => (await import("./library/manuscript.ts")).mapManuscript);

/**
 * The story of a book as a language model reads it: people, chapters, threads and facts, with passages that stand in the book.
 *
 * @example
 * ```ts
 * const { story } = await storyOf("novel.epub", { judge: "openai:gpt-4.1", maxCost: 5 });
 * console.log(story?.premise, story?.people.map(({ name }) => name));
 * ```
 */
export const storyOf = loadedWhenCalled(async () => (await import("./library/manuscript.ts")).storyOf);

/**
 * Asks a book a question: the answer with the passages it rests on, or that the book does not say.
 *
 * @example
 * ```ts
 * const { answer } = await askBook("novel.epub", { question: "Who hid the key?", judge: "openai:gpt-4.1" });
 * console.log(answer?.said ? answer.answer : "The book does not say.", answer?.passages);
 * ```
 */
export const askBook = loadedWhenCalled(async () => (await import("./library/manuscript.ts")).askBook);

/**
 * Has a model write questions about a novel: answers, passages that stand in the book, kinds, and whether the model can answer
 * them without the book. What fails a check is left out with its reason.
 *
 * @example
 * ```ts
 * const { document, dropped } = await writeQuestions("novel.epub", { judge: "openai:gpt-4.1", count: 40, maxCost: 5 });
 * for (const { question, answers } of document.qas) console.log(question, answers[0]);
 * console.log(dropped.length, "left out");
 * ```
 */
export const writeQuestions = loadedWhenCalled(async () => (await import("./library/manuscript.ts")).writeQuestions);

/**
 * Asks a model questions about a book with the book, with a summary and with its title alone: the difference is what reading added.
 *
 * @example
 * ```ts
 * const { differences } = await examineReading("novel.epub", { judge: "openai:gpt-4.1", questions: "questions.jsonl" });
 * for (const { left, right, difference, interval } of differences) console.log(left, right, difference, interval);
 * ```
 */
export const examineReading = loadedWhenCalled(async () => (await import("./library/manuscript.ts")).examineReading);

/**
 * Checks books: what would stop a reader, with the passages that show it. With `judge` a language model reads them as well.
 *
 * @example
 * ```ts
 * const { books } = await checkBooks(["novel.epub"]);
 * for (const { kind, claim, passages } of books[0].findings) console.log(kind, claim, passages[0].quote);
 * ```
 */
export const checkBooks = loadedWhenCalled(async () => (await import("./library/manuscript.ts")).checkBooks);

/**
 * Forecasts the average reader rating (1–5) of a book, an outline, or a description of one.
 *
 * @example
 * ```ts
 * const forecast = await forecastRating({ title: "The Salt Road", genres: ["Fantasy"], premise: "A mapmaker is sent north." });
 * if (forecast.kind === "forecast") console.log(forecast.rating, forecast.interval);
 * ```
 */
export const forecastRating = loadedWhenCalled(async () => (await import("./library/readers.ts")).forecastRating);

/**
 * Predicts how one reader would rate a story, from that reader's earlier reviews.
 *
 * @example
 * ```ts
 * const history = [{ title: "The Tide House", genres: ["Fantasy"], rating: 4, review: "Slow, but the ending stayed with me." }];
 * const prediction = await predictReader({ title: "The Salt Road", genres: ["Fantasy"] }, { history });
 * ```
 */
export const predictReader = loadedWhenCalled(async () => (await import("./library/readers.ts")).predictReader);

/**
 * Compares answers about books with their references: exact match, F1, ROUGE, METEOR, and a judge's grade where one is named.
 *
 * @example
 * ```ts
 * const { metrics } = await scoreAnswers([{ prediction: "in the mill", answers: ["the mill", "at the old mill"] }]);
 * console.log(metrics.f1, metrics.meteor);
 * ```
 */
export const scoreAnswers = loadedWhenCalled(async () => (await import("./library/judges.ts")).scoreAnswers);

/**
 * Measures how well scores agree with people: correlations with intervals, from rows or from a CSV, JSONL or Parquet file.
 *
 * @example
 * ```ts
 * const { kendall } = await agreement("ratings.csv", { human: "human", metric: "judge", system: "model" });
 * console.log(kendall.value, kendall.interval);
 * ```
 */
export const agreement = loadedWhenCalled(async () => (await import("./library/judges.ts")).agreement);

/**
 * Says which judge to trust for texts that people rated: how well people agree, how well each judge agrees with them, and how
 * many more texts or runs would settle what is open.
 *
 * @example
 * ```ts
 * const { study } = await trustJudges("ratings.csv", { human: ["r1", "r2", "r3"], judge: ["gpt", "claude"] });
 * console.log(study.plan.best, study.plan.textsToTell);
 * ```
 */
export const trustJudges = loadedWhenCalled(async () => (await import("./library/judges.ts")).trustJudges);

/**
 * Does any task of the command line by its name (`docs/api/tasks`), and gives the document that the command prints with `--json`.
 *
 * @example
 * ```ts
 * const importance = await runTask("reviews-analyse", { reviews: "reviews.jsonl", books: "books.jsonl" });
 * ```
 */
export const runTask: <Name extends keyof TaskInputs>(name: Name, options: TaskInputs[Name]) => Promise<object> =
  loadedWhenCalled(async () => (await import("./library/task-function.ts")).runTask);

/**
 * Shows a judge books and damaged copies of them, and reports which damage it noticed.
 *
 * @example
 * ```ts
 * const { summary } = await stressJudge(["novel.epub"], { judge: "editor" });
 * for (const { name, meanMove, counts } of summary) console.log(name, meanMove, counts);
 * ```
 */
export const stressJudge = loadedWhenCalled(async () => (await import("./library/judges.ts")).stressJudge);

/**
 * Asks whether a language model already knows a book, and whether that changes its verdict: it judges the same passages as they
 * are, with other names, and as a summary.
 *
 * @example
 * ```ts
 * const { variants, gaps } = await probeJudge("novel.epub", { judge: "openai:gpt-4.1", maxCost: 2 });
 * console.log(variants.map(({ variant, recognition }) => [variant, recognition?.recognised]), gaps);
 * ```
 */
export const probeJudge = loadedWhenCalled(async () => (await import("./library/judges.ts")).probeJudge);

/**
 * Whether a judge can be trusted: repeats, biases, halo, use of the scale, drift. From a file or folder of scores or evaluations.
 *
 * @example
 * ```ts
 * const { judges } = await judgeHealth("evaluations/", { stress: "stress.json" });
 * for (const { judge, findings } of judges) console.log(judge, findings);
 * ```
 */
export const judgeHealth = loadedWhenCalled(async () => (await import("./library/judges.ts")).judgeHealth);

/**
 * Scores many texts with an embedded judge: a file of JSON lines with `id` and `text` in, a line of verdicts for each out.
 *
 * @example
 * ```ts
 * const { scored, unscored } = await scoreTexts("items.jsonl", { out: "scores.jsonl", judge: "editor" });
 * console.log(scored, unscored);
 * ```
 */
export const scoreTexts = loadedWhenCalled(async () => (await import("./library/judges.ts")).scoreTexts);

/**
 * An evaluation as a report: `html` (one file), `markdown`, `text`, `json`, or `docx`, the manuscript with notes as comments.
 *
 * @example
 * ```ts
 * const evaluation = await evaluateBook("novel.docx");
 * await writeFile("report.html", await renderReport(evaluation, "html"));
 * await writeFile("notes.docx", await renderReport(evaluation, "docx", { manuscript: "novel.docx" }));
 * ```
 */
export async function renderReport<Form extends ReportForm>(
  evaluation: BookEvaluation,
  form: Form,
  options: ReportOptions = {},
): Promise<Rendered<Form>> {
  return (await import("./library/report.ts")).renderReport(evaluation, form, options);
}

/**
 * A rubric by the name it ships under (`long-story`, `long-story-zh`, …) or the path of a YAML file of your own.
 *
 * @example
 * ```ts
 * const rubric = await loadRubric("my-rubric.yaml");
 * const evaluation = await evaluateBook("novel.epub", { judge: "openai:gpt-4.1", rubric });
 * const verdicts = readVerdicts(reply, rubric);
 * ```
 */
export const loadRubric = loadedWhenCalled(async () => (await import("./criteria/load-rubric.ts")).loadRubric);

/**
 * Names everything that is wrong with a rubric: the path of its file, or its text.
 *
 * @example
 * ```ts
 * const { problems } = await checkRubric("my-rubric.yaml");
 * for (const { at, problem } of problems) console.log(at, problem);
 * ```
 */
export const checkRubric = loadedWhenCalled(async () => (await import("./library/judges.ts")).checkRubric);

/**
 * Reads verdicts from saved replies of any model: files, or texts.
 *
 * @example
 * ```ts
 * const replies = await readReplies(["gpt-4o/one.md", "gpt-4o/two.md"], { scale: { minimum: 1, maximum: 5 } });
 * for (const { file, aspects, overall } of replies) console.log(file, aspects.plot, overall);
 * ```
 */
export const readReplies = loadedWhenCalled(async () => (await import("./library/judges.ts")).readReplies);

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
 * const judge = await loadGrader();
 * const { overall, criteria } = judge.score(text);
 * console.log(overall, criteria["weak-dialogue"]); // of a fault, a high grade is bad
 * ```
 */
export const loadGrader = loadedWhenCalled(async () => (await import("./jury/grader.ts")).loadGrader);

/**
 * The model behind a judge's name, with keys from the environment unless they are given. Nothing is sent until it is asked
 * something.
 *
 * @example
 * ```ts
 * const model = await createChatModel("anthropic:claude-sonnet-4-5");
 * const other = await createChatModel("openai:gpt-4.1", { connections: { openai: { key } } });
 * ```
 */
export const createChatModel = loadedWhenCalled(async () => (await import("./library/judges.ts")).createChatModel);

/**
 * Opens a run: calls are stored, limited, paid for once and can be resumed. End it with `finish`.
 *
 * @example
 * ```ts
 * const signal = AbortSignal.timeout(600_000);
 * const run = await openRun({ store: "calls.sqlite", maximumCost: 1 }, { signal });
 * const model = await run.model("openai:gpt-4.1-mini");
 * const reply = await model.complete({ purpose: "judge", sample: 0, messages }, signal);
 * const { summary } = await run.finish();
 * ```
 */
export const openRun = loadedWhenCalled(async () => (await import("./library/judges.ts")).openRun);

import type { Task } from "./define/task.ts";

/** Every task there is, one line each, by its name with dashes. Each loads when it is asked for. */
export const TASKS = {
  agree: async () => (await import("./trust/agree.ts")).agreeTask,
  "agree-votes": async () => (await import("./trust/agree.ts")).agreeVotesTask,
  ask: async () => (await import("./books/story.ts")).askTask,
  "bench-extend": async () => (await import("./bench/frozen.ts")).benchExtendTask,
  "bench-freeze": async () => (await import("./bench/frozen.ts")).benchFreezeTask,
  "bench-site": async () => (await import("./bench/frozen.ts")).benchSiteTask,
  "bench-submit": async () => (await import("./bench/frozen.ts")).benchSubmitTask,
  "bench-verify": async () => (await import("./bench/frozen.ts")).benchVerifyTask,
  check: async () => (await import("./books/check.ts")).checkTask,
  "check-texts": async () => (await import("./books/check.ts")).checkTextsTask,
  compare: async () => (await import("./books/compare.ts")).compareTask,
  evaluate: async () => (await import("./books/evaluate.ts")).evaluateTask,
  forecast: async () => (await import("./books/forecast.ts")).forecastTask,
  "forecast-lines": async () => (await import("./books/forecast.ts")).forecastLinesTask,
  health: async () => (await import("./trust/health.ts")).healthTask,
  map: async () => (await import("./books/map.ts")).mapTask,
  "map-texts": async () => (await import("./books/map.ts")).mapTextsTask,
  notes: async () => (await import("./books/notes.ts")).notesTask,
  "notes-docx": async () => (await import("./books/notes.ts")).annotateTask,
  "notes-texts": async () => (await import("./books/notes.ts")).noteTextsTask,
  probe: async () => (await import("./trust/probe.ts")).probeTask,
  "qa-agree": async () => (await import("./qa/answers.ts")).qaAgreeTask,
  "qa-answer": async () => (await import("./qa/answers.ts")).qaAnswerTask,
  "qa-audit": async () => (await import("./qa/data.ts")).qaAuditTask,
  "qa-audit-sheets": async () => (await import("./qa/data.ts")).qaAuditSheetsTask,
  "qa-clean": async () => (await import("./qa/data.ts")).qaCleanTask,
  "qa-dedupe": async () => (await import("./qa/data.ts")).qaDedupeTask,
  "qa-filter": async () => (await import("./qa/data.ts")).qaFilterTask,
  "qa-rate": async () => (await import("./qa/answers.ts")).qaRateTask,
  "qa-rate-sheet": async () => (await import("./qa/answers.ts")).qaSheetTask,
  "qa-refine": async () => (await import("./qa/data.ts")).qaRefineTask,
  "qa-report": async () => (await import("./qa/data.ts")).qaReportTask,
  "qa-review": async () => (await import("./qa/data.ts")).qaReviewTask,
  "qa-sample": async () => (await import("./qa/answers.ts")).qaSampleTask,
  "qa-score": async () => (await import("./qa/answers.ts")).qaScoreTask,
  "qa-exam": async () => (await import("./qa/questions.ts")).examTask,
  "qa-write": async () => (await import("./qa/questions.ts")).writeQuestionsTask,
  read: async () => (await import("./books/read.ts")).readTask,
  "reader-compare": async () => (await import("./readers/reader.ts")).readerCompareTask,
  "reader-compare-pairs": async () => (await import("./readers/reader.ts")).readerComparePairsTask,
  "reader-curve": async () => (await import("./readers/reader.ts")).readerCurveTask,
  "reader-dataset": async () => (await import("./readers/reader.ts")).readerDatasetTask,
  "reader-predict": async () => (await import("./readers/reader.ts")).readerPredictTask,
  "reader-predict-pairs": async () => (await import("./readers/reader.ts")).readerPredictPairsTask,
  "reader-questions": async () => (await import("./readers/reader.ts")).readerQuestionsTask,
  "reader-rank": async () => (await import("./readers/reader.ts")).readerRankTask,
  "reader-review": async () => (await import("./readers/reader.ts")).readerReviewTask,
  "reader-review-pairs": async () => (await import("./readers/reader.ts")).readerReviewPairsTask,
  replies: async () => (await import("./books/replies.ts")).repliesTask,
  reproduce: async () => (await import("./trust/reproduce.ts")).reproduceTask,
  "reviews-analyse": async () => (await import("./reviews/reviews.ts")).reviewsAnalyseTask,
  "reviews-export": async () => (await import("./reviews/reviews.ts")).reviewsExportTask,
  "reviews-map": async () => (await import("./reviews/reviews.ts")).reviewsMapTask,
  "reviews-normalise": async () => (await import("./reviews/reviews.ts")).reviewsNormaliseTask,
  "reviews-report": async () => (await import("./reviews/reviews.ts")).reviewsReportTask,
  "reviews-sample": async () => (await import("./reviews/reviews.ts")).reviewsSampleTask,
  "reviews-structure": async () => (await import("./reviews/reviews.ts")).reviewsStructureTask,
  "rubric-check": async () => (await import("./books/rubric-check.ts")).rubricCheckTask,
  score: async () => (await import("./books/score.ts")).scoreTask,
  story: async () => (await import("./books/story.ts")).storyTask,
  stress: async () => (await import("./trust/stress.ts")).stressTask,
  trust: async () => (await import("./trust/trust.ts")).trustTask,
} satisfies Readonly<Record<string, () => Promise<Task>>>;

export type TaskName = keyof typeof TASKS;

export async function loadTask(name: TaskName): Promise<Task> {
  return TASKS[name]();
}

export function isTaskName(name: string): name is TaskName {
  return Object.hasOwn(TASKS, name);
}

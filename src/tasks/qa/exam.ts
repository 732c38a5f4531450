import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { countBy } from "../../core/group-by.ts";
import { checkJsonLinesName, writeJsonLines } from "../../core/json-lines.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import type { ChatModel } from "../../models/chat-model.ts";
import { type AnswerMaterial, answerQuestion, openText } from "../../qa/answering.ts";
import type { OverlongRule } from "../../qa/choices.ts";
import type { QaDocument, Question } from "../../qa/dataset/document.ts";
import { readQaDocuments } from "../../qa/dataset/read-documents.ts";
import { gradeAnswer } from "../../qa/judging.ts";
import { RIGHT, SCOPES } from "../../qa/writing.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { mean } from "../../stats/distribution.ts";
import { meanInterval } from "../../stats/special/student-interval.ts";
import { withContext } from "../../story/reading-options.ts";
import { inRun } from "../../workflows/runs/in-run.ts";
import type { BookInput } from "../define/book-input.ts";
import { runSettingsOf } from "../define/model-fields.ts";
import type { TaskServices } from "../define/task.ts";
import { type ModelInput, openQuestionedBook, writeQuestions } from "./write-questions.ts";

type ExamInput = ModelInput & {
  readonly questions?: string;
  readonly count: number;
  readonly grader?: string | ChatModel;
  readonly overlong: OverlongRule;
  readonly out?: string;
};

/** What the reader is shown: the book, a summary of it, or its title alone. */
export const EXAM_SETTINGS = ["open", "summary", "closed"] as const;
export type ExamSetting = (typeof EXAM_SETTINGS)[number];

export interface MeanGrade {
  /** Answers with a grade: the mean is over these. */
  readonly graded: number;
  readonly mean: number | null;
  readonly interval: readonly [number, number] | null;
  /** Answers with a grade of 4 or 5. */
  readonly right: number;
}

/** Two settings on the questions that were graded in both. */
export interface GradeDifference {
  readonly left: ExamSetting;
  readonly right: ExamSetting;
  readonly n: number;
  readonly difference: number | null;
  /** Over questions about this book; null for fewer than five, or where all differ by the same. */
  readonly interval: readonly [number, number] | null;
}

export interface ReadingExam {
  readonly book: { readonly title: string; readonly words: number };
  readonly judge: string;
  readonly grader: string;
  readonly questions: number;
  /** Questions that their writer could answer from the title alone. */
  readonly known: number;
  readonly settings: Readonly<Record<ExamSetting, MeanGrade>>;
  readonly differences: readonly GradeDifference[];
  /** What the book added over its title alone, by where the evidence stands. */
  readonly scopes: readonly (GradeDifference & { readonly scope: string })[];
  /** Answers that are missing or have no grade, by setting and reason. */
  readonly missing: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly cost: number | null;
  readonly plan: Plan | null;
  readonly run: FinishedRun;
}

interface ExamRow {
  readonly qa: Question;
  readonly setting: ExamSetting;
  readonly prediction: string | null;
  readonly seen?: number;
  readonly grade: number | null;
  readonly reason: string;
}

/** Asks a model the questions about a book with the book, with its summary and with nothing, and compares the grades. */
export async function examineOnBook(source: BookInput, input: ExamInput, services: TaskServices): Promise<ReadingExam> {
  if (input.out !== undefined) checkJsonLinesName(input.out);
  const book = await openQuestionedBook(source, input, services);
  const given = input.questions === undefined ? null : await questionsFrom(input.questions);
  const { host, signal, onEvent, onProgress, byHand } = services;
  const rubric = await loadRubric("qa-grading");
  const { result, plan, run } = await inRun(
    runSettingsOf(input, host),
    { signal, onEvent, ...(byHand && { byHand }) },
    async (opened) => {
      const { dryRun, concurrency } = opened;
      const model = withContext(await opened.model(input.judge), input.context);
      const grader = input.grader === undefined ? model : await opened.model(input.grader);
      const document =
        given ??
        (await writeQuestions(book, { dryRun, concurrency, model, count: input.count, onProgress, signal })).document;
      const materials: Record<ExamSetting, AnswerMaterial | null> = {
        open: { setting: "open", book: openText(book) },
        // A plan has no summary yet: its length is guessed.
        summary: summaryMaterial(dryRun && given === null ? "What happens in the book. ".repeat(60) : document.summary),
        closed: { setting: "closed" },
      };
      // One setting after the other: questions with the whole book share the provider's prompt cache.
      const asked = EXAM_SETTINGS.flatMap((setting) => document.qas.map((qa) => ({ qa, setting })));
      let done = 0;
      const rows = await mapBounded(asked, concurrency, async ({ qa, setting }): Promise<ExamRow> => {
        const row = await examine(qa, setting, materials[setting]);
        onProgress({ stage: "Examining", done: ++done, total: asked.length });
        return row;
      });
      signal.throwIfAborted();
      return { document, rows, judge: model.id, grader: grader.id };

      async function examine(qa: Question, setting: ExamSetting, material: AnswerMaterial | null): Promise<ExamRow> {
        const about = { qa, setting, prediction: null, grade: null };
        if (material === null) return { ...about, reason: "there is no summary of the book" };
        const { overlong } = input;
        const { question, answers } = qa;
        const answer = await answerQuestion(model, { title: book.title, question, material, overlong }, signal);
        if (answer.kind === "unanswered") return { ...about, reason: answer.reason };
        const { prediction, seen } = answer;
        const graded = { question, references: answers, answer: prediction, summary: null };
        const { verdict, reason } = await gradeAnswer(grader, rubric, graded, signal);
        const grade = verdict.kind === "scored" ? verdict.score : null;
        return { qa, setting, prediction, ...(seen !== undefined && { seen }), grade, reason };
      }
    },
  );
  const { document, rows, judge, grader } = result;
  if (input.out !== undefined && !plan)
    await writeJsonLines(
      input.out,
      rows.map((row) => lineOf(row, document, judge, grader)),
    );
  return {
    book: { title: book.title, words: book.words },
    judge,
    grader,
    ...examReport(rows),
    calls: run.summary.calls,
    ...costFields(run.summary),
    plan,
    run,
  };
}

async function questionsFrom(path: string): Promise<QaDocument> {
  const [document, ...others] = await readQaDocuments(path);
  if (others.length > 0 || document!.qas.length === 0) {
    throw new FabulaError(
      "E_USAGE",
      `"${path}" holds ${others.length > 0 ? `${others.length + 1} books` : "no questions"}: give the questions about this one book, as \`fabula qa write\` writes them.`,
    );
  }
  return document!;
}

function summaryMaterial(summary: string): AnswerMaterial | null {
  return summary.trim() === "" ? null : { setting: "summary", summary };
}

function lineOf(
  { qa, setting, prediction, seen, grade, reason }: ExamRow,
  document: QaDocument,
  model: string,
  grader: string,
) {
  const { document_id, title } = document;
  const { question, answers, kind, scope, difficulty, known } = qa;
  return {
    ...{ document_id, title, question, answers, kind, scope, difficulty, known, model, setting, prediction },
    ...(seen !== undefined && { seen }),
    ...(grade === null ? prediction === null && { unscored: reason } : { scores: { [`${grader}-reference`]: grade } }),
  };
}

const PAIRS = [
  ["open", "closed"],
  ["open", "summary"],
  ["summary", "closed"],
] as const;
/** With fewer questions an interval says more about their number than about the model. */
const FEWEST = 5;

function examReport(
  rows: readonly ExamRow[],
): Pick<ReadingExam, "questions" | "known" | "settings" | "differences" | "scopes" | "missing"> {
  const of = (setting: ExamSetting) => rows.filter((row) => row.setting === setting);
  const questions = of("closed").map(({ qa }) => qa);
  const settings = EXAM_SETTINGS.map((setting) => [setting, meanGrade(of(setting))] as const);
  const differences = (own: readonly ExamRow[]) => PAIRS.map(([left, right]) => difference(own, left, right));
  return {
    questions: questions.length,
    known: questions.filter(({ known }) => known === true).length,
    settings: Object.fromEntries(settings) as Record<ExamSetting, MeanGrade>,
    differences: differences(rows),
    scopes: SCOPES.flatMap((scope) => {
      const own = rows.filter(({ qa }) => qa.scope === scope);
      return own.length === 0 ? [] : [{ scope, ...differences(own)[0]! }];
    }),
    missing: countBy(rows.flatMap(({ setting, grade, reason }) => (grade === null ? [`${setting}: ${reason}`] : []))),
  };
}

function meanGrade(rows: readonly ExamRow[]): MeanGrade {
  const grades = rows.flatMap(({ grade }) => grade ?? []);
  return {
    graded: grades.length,
    mean: grades.length === 0 ? null : mean(grades),
    interval: grades.length < FEWEST ? null : meanInterval(grades),
    right: grades.filter((grade) => grade >= RIGHT).length,
  };
}

/** Paired: each question is its own comparison, so that hard and easy ones do not count as noise. */
function difference(rows: readonly ExamRow[], left: ExamSetting, right: ExamSetting): GradeDifference {
  const gradesIn = (setting: ExamSetting) =>
    new Map(
      rows.flatMap((row) => (row.setting === setting && row.grade !== null ? [[row.qa, row.grade] as const] : [])),
    );
  const other = gradesIn(right);
  const pairs = [...gradesIn(left)].flatMap(([qa, grade]) => {
    const against = other.get(qa);
    return against === undefined ? [] : [grade - against];
  });
  return {
    left,
    right,
    n: pairs.length,
    difference: pairs.length === 0 ? null : mean(pairs),
    interval: pairs.length < FEWEST ? null : meanInterval(pairs),
  };
}

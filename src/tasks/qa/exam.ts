import { z } from "zod";
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
import { gradeAnswer } from "../../qa/grading.ts";
import { type PlantedBook, plantContradictions } from "../../qa/planting.ts";
import { RIGHT, SCOPES } from "../../qa/writing.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { type FinishedRun, inRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import { mean } from "../../stats/distribution.ts";
import { meanInterval, withinScale } from "../../stats/special/student-t.ts";
import { QuotationCheck } from "../../story/locate.ts";
import { withContext } from "../../story/reading-options.ts";
import type { Book } from "../../text/book.ts";
import { runSettingsOf } from "../define/shared-fields.ts";
import type { TaskServices } from "../define/task.ts";
import { type ModelInput, openQuestionedBook, writeQuestions } from "./write-questions.ts";

type ExamInput = ModelInput & {
  readonly questions?: string;
  readonly count: number;
  readonly grader?: string | ChatModel;
  readonly overlong: OverlongRule;
  readonly withoutFaults: boolean;
  readonly out?: string;
};

/** What the model reads before it answers: the book, a summary of it, or only its title. */
export const EXAM_SETTINGS = ["open", "summary", "closed"] as const;
/** In the additional setting `planted`, the model reads the book with its evidence changed. */
export type ExamSetting = (typeof EXAM_SETTINGS)[number] | "planted";

export interface MeanGrade {
  /** Answers with a grade, over which the mean is taken. */
  readonly graded: number;
  readonly mean: number | null;
  readonly interval: readonly [number, number] | null;
  /** How many answers have a grade of 4 or 5. */
  readonly right: number;
}

/** Compares two settings on the questions that were graded in both. */
export interface GradeDifference {
  readonly left: ExamSetting;
  readonly right: ExamSetting;
  readonly n: number;
  readonly difference: number | null;
  /** Over questions about this book; null for fewer than five, or if all differ by the same amount. */
  readonly interval: readonly [number, number] | null;
}

/**
 * Questions whose evidence was changed, asked again with the changed book, and graded by the answers of the unchanged
 * book.
 */
interface PlantedGrade extends MeanGrade {
  readonly faults: number;
  /** Answers that are right according to the changed text, which shows that the model read it there. */
  readonly followed: number;
  /** The changed book minus the unchanged book, on the same questions. */
  readonly change: GradeDifference;
}

export interface ReadingExam {
  readonly book: { readonly title: string; readonly words: number };
  readonly judge: string;
  readonly grader: string;
  readonly questions: number;
  /** Questions that the model that wrote them could answer from the title alone. */
  readonly known: number;
  readonly settings: Readonly<Record<(typeof EXAM_SETTINGS)[number], MeanGrade>>;
  /** Null if it was not requested or no evidence could be changed. */
  readonly planted: PlantedGrade | null;
  readonly differences: readonly GradeDifference[];
  /** What the book added to the title alone, by the scope of the evidence. */
  readonly scopes: readonly (GradeDifference & { readonly scope: string })[];
  /** How many answers are missing or have no grade, by setting and reason. */
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
  /** For an answer from a changed book: its grade by the changed text. */
  readonly followed?: number | null;
}

/**
 * Asks a model the questions about a book with the book, with its summary and with neither, and compares the grades.
 */
export async function examineOnBook(input: ExamInput, services: TaskServices): Promise<ReadingExam> {
  if (input.out !== undefined) checkJsonLinesName(input.out);
  const book = await openQuestionedBook(input, services);
  const given = input.questions === undefined ? null : await questionsFrom(input.questions);
  const { host, signal, onEvent, onProgress, onNote, byHand } = services;
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
      const faulty = faultsIn(book, document, input.withoutFaults, dryRun && given === null);
      if (faulty.faults.length === 0 && !input.withoutFaults) onNote?.(whyNoFaults(book, document));
      const changed = new Map(faulty.faults.map((fault) => [fault.question, fault.answers]));
      const materials: Record<ExamSetting, AnswerMaterial | null> = {
        open: { setting: "open", book: openText(book) },
        planted: { setting: "open", book: openText(faulty.book) },
        // A plan has no summary yet, so it estimates the length.
        summary: summaryMaterial(dryRun && given === null ? "What happens in the book. ".repeat(60) : document.summary),
        closed: { setting: "closed" },
      };
      // Goes setting by setting: questions with the whole book share the provider's prompt cache.
      const asked = [
        ...EXAM_SETTINGS.flatMap((setting) => document.qas.map((qa) => ({ qa, setting }))),
        ...faulty.faults.map(({ question: qa }) => ({ qa, setting: "planted" as const })),
      ];
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
        const row = { qa, setting, prediction, ...(seen !== undefined && { seen }), grade, reason };
        const references = setting === "planted" ? changed.get(qa) : undefined;
        if (references === undefined) return row;
        const { verdict: other } = await gradeAnswer(grader, rubric, { ...graded, references }, signal);
        return { ...row, followed: other.kind === "scored" ? other.score : null };
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
    planted: plantedReport(rows),
    calls: run.summary.calls,
    ...costFields(run.summary),
    plan,
    run,
  };
}

/**
 * The book with a contradiction in the evidence of each question that allows one. A plan has no questions yet; it
 * assumes the usual half of them.
 */
function faultsIn(book: Book, { qas }: QaDocument, areUnwanted: boolean, isGuess: boolean): PlantedBook {
  if (areUnwanted) return { book, faults: [] };
  if (isGuess) {
    const half = qas.slice(0, Math.ceil(qas.length / 2));
    return { book, faults: half.map((question) => ({ question, from: "", to: "", answers: question.answers })) };
  }
  const check = new QuotationCheck(book);
  return plantContradictions(
    book,
    qas.map((question) => {
      const quoted = evidenceSchema.safeParse(question.evidence);
      return { question, evidence: quoted.success ? check.locateAll(quoted.data) : [] };
    }),
  );
}

function whyNoFaults(book: Book, { qas }: QaDocument): string {
  const check = new QuotationCheck(book);
  const quoted = qas.map(({ evidence }) => evidenceSchema.safeParse(evidence));
  const read = quoted.flatMap(({ data }) => (data === undefined || data.length === 0 ? [] : [data]));
  const why =
    read.length === 0
      ? 'no question has evidence of the form [{"chapter": 1, "quote": "…"}]'
      : read.every((passages) => check.locateAll(passages).length === 0)
        ? "none of the quotations given as evidence is in its chapter"
        : "no answer shares a name or a number with its evidence that could be changed there";
  return `The book with faults was not tried: ${why}.`;
}

const evidenceSchema = z.array(z.object({ chapter: z.number(), quote: z.string() }));

function plantedReport(rows: readonly ExamRow[]): PlantedGrade | null {
  const own = rows.filter(({ setting }) => setting === "planted");
  if (own.length === 0) return null;
  return {
    ...meanGrade(own),
    faults: own.length,
    followed: own.filter(({ followed }) => followed != null && followed >= RIGHT).length,
    change: difference(rows, "planted", "open"),
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
/** With fewer questions an interval would mainly reflect how few there are. */
const FEWEST = 5;
/** The ends of the scale of `qa-grading`. */
const [LOWEST, HIGHEST] = [1, 5];

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
    settings: Object.fromEntries(settings) as ReadingExam["settings"],
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
    interval: grades.length < FEWEST ? null : withinScale(meanInterval(grades), LOWEST, HIGHEST),
    right: grades.filter((grade) => grade >= RIGHT).length,
  };
}

/** Paired by question, so that the difficulty of questions does not count as noise. */
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
    interval: pairs.length < FEWEST ? null : withinScale(meanInterval(pairs), LOWEST - HIGHEST, HIGHEST - LOWEST),
  };
}

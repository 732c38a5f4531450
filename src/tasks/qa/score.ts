import { FabulaError } from "../../core/errors.ts";
import { countBy } from "../../core/group-by.ts";
import { type BadLine, readFittingLines, writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { countOf } from "../../core/wording.ts";
import type { Grade } from "../../qa/grading.ts";
import type { BertScores } from "../../qa/metrics/bert-score.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import type { AnswerMetric } from "../../qa/metrics/metric.ts";
import type { ReferenceRule } from "../../qa/metrics/reference-rule.ts";
import { analyseLengths, type LengthBin } from "../../qa/scoring/length-analysis.ts";
import { type Prediction, predictionSchema } from "../../qa/scoring/prediction.ts";
import { type ItemScores, scorePredictions, tabulate } from "../../qa/scoring/score-predictions.ts";
import type { FinishedRun } from "../../runner/open-run.ts";
import type { Plan } from "../../runner/planning.ts";
import type { GradingRequest } from "./grade.ts";

export interface ScoringOptions {
  /** Which metrics to compute; by default all that need only words. */
  readonly metrics?: readonly string[];
  /** How scores against several references are combined; the best counts by default. */
  readonly references?: ReferenceRule;
  /** Into how many bins of length difference the answers are divided; without it there is no such analysis. */
  readonly lengthBins?: number;
  /** A model of token vectors, for BERTScore. */
  readonly bertScore?: BertScoreRequest;
  /** A judge that grades the answers as well. */
  readonly grading?: GradingRequest;
  readonly signal: AbortSignal;
  readonly onProgress: ProgressListener;
  readonly onNote?: (note: string) => void;
}

export interface BertScoreRequest {
  /** A model's folder or its name on the Hugging Face hub. */
  readonly model: string;
  readonly idf: boolean;
  readonly baseline?: BertScores;
  /** Where `@huggingface/transformers` is installed, if not beside this package or in the current folder. */
  readonly folder?: string;
}

export interface ScoreAnswersRequest extends ScoringOptions {
  /** The path of a file with a line for each answer, or the answers. */
  readonly input: string | readonly Prediction[];
  /** Where to write the scores of each answer. */
  readonly output?: string;
}

export interface ScoreAnswersReport {
  readonly items: number;
  /** Means: 0–1 for every metric; for a judge, on the rubric's scale, under the judge's name and what it saw. */
  readonly metrics: Readonly<Record<string, number>>;
  readonly references: ReferenceRule;
  readonly unscored: number;
  /** Invalid lines of the file, which are left out. */
  readonly badLines?: readonly BadLine[];
  /** Answers that the judge could not grade. */
  readonly ungraded?: number;
  /** How many of these answers each reason applies to. */
  readonly ungradedReasons?: Readonly<Record<string, number>>;
  readonly lengths?: readonly LengthBin[];
  readonly run?: FinishedRun;
  /** What a dry run would ask the judge. */
  readonly plan?: Plan;
}

/** A file's answers with their scores, and the summary for a report. */
export interface ScoredAnswers {
  readonly predictions: readonly Prediction[];
  readonly items: readonly ItemScores[];
  readonly report: ScoreAnswersReport;
  /** The answers in the form in which they are written: with all their scores, old and new. */
  rows(): object[];
}

/** Computes the mean of every metric, and the scores of each answer, from answers with their references. */
export async function scoreAnswers({ output, ...request }: ScoreAnswersRequest): Promise<ScoreAnswersReport> {
  const { report, rows } = await scoreFile(request);
  if (output !== undefined && report.plan === undefined) await writeJsonLines(output, rows());
  return report;
}

export async function scoreFile(request: Omit<ScoreAnswersRequest, "output">): Promise<ScoredAnswers> {
  const { references = "best" } = request;
  const [{ rows, bad }, metrics] = await Promise.all([
    typeof request.input === "string"
      ? readFittingLines(request.input, predictionSchema)
      : { rows: request.input, bad: [] },
    loadMetrics(request.metrics),
  ]);
  const predictions = withoutRepeats(rows);
  if (predictions.length < rows.length) {
    const where = typeof request.input === "string" ? ` in "${request.input}"` : "";
    const [count, verb] = [rows.length - predictions.length, rows.length - predictions.length === 1 ? "is" : "are"];
    request.onNote?.(
      `${countOf(count, "answer")}${where} ${verb} there already, the same to the same question: each is counted once.`,
    );
  }
  const lines = bad.length > 0 ? { badLines: bad } : {};
  if (predictions.length === 0) {
    throw new FabulaError(
      "E_QA_EMPTY",
      typeof request.input === "string"
        ? `"${request.input}" holds no answers: one JSON object per line is expected.`
        : "There are no answers to score: give at least one.",
    );
  }
  const all = [
    ...metrics,
    ...(request.bertScore ? [await bertScoreMetric(predictions, request.bertScore, request)] : []),
  ];
  const { items } = scorePredictions(predictions, all, request.onProgress, references);
  if (!request.grading) return finish(request, predictions, items, lines);

  // Imported only when a model is asked: providers' libraries take longer to load than word metrics take to run.
  const { gradeColumn, gradePredictions } = await import("./grade.ts");
  const { result: grades, run, plan } = await gradePredictions(predictions, request.grading);
  if (plan) return finish(request, predictions, items, { ...lines, plan });
  const column = gradeColumn(request.grading, request.grading.setting);
  const graded = items.map((item, index) => withGrade(item, grades[index]!, column));
  const reasons = grades.flatMap((grade) => (grade?.verdict.kind === "unscored" ? [grade.verdict.reason] : []));
  const facts = {
    ...lines,
    ungraded: reasons.length,
    ...(reasons.length > 0 && { ungradedReasons: countBy(reasons) }),
    run,
  };
  return finish(request, predictions, graded, facts, (row, index) => gradesOf(row, column, grades[index]!));
}

/**
 * A system's repeated answer to the same question is one observation. Without the question, answers cannot be
 * recognised as repeats.
 */
function withoutRepeats(rows: readonly Prediction[]): readonly Prediction[] {
  const seen = new Set<string>();
  return rows.filter(({ question, prediction, answers, document_id, title, system, model, setting, id, item }) => {
    if (question === undefined || prediction === null) return true;
    const key = JSON.stringify([document_id, title, question, answers, prediction, system, model, setting, id, item]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

const MODEL_THREADS = 2;

async function bertScoreMetric(
  predictions: readonly Prediction[],
  { model, folder, ...options }: BertScoreRequest,
  { signal, onProgress }: ScoringOptions,
): Promise<AnswerMetric> {
  const [{ transformersEmbedder }, { loadBertScore }] = await Promise.all([
    import("../../models/adapters/transformers-embedder.ts"),
    import("../../qa/metrics/bert-score.ts"),
  ]);
  onProgress({ stage: "loading the model", done: 0, total: null });
  const embedder = await transformersEmbedder({ model, maximumThreads: MODEL_THREADS, ...(folder && { folder }) });
  const pairs = predictions.flatMap(({ prediction, answers }) =>
    prediction === null ? [] : [{ prediction, references: answers }],
  );
  const onEmbedded = (done: number, total: number) => onProgress({ stage: "BERTScore", done, total });
  return loadBertScore(embedder, pairs, signal, { ...options, onProgress: onEmbedded });
}

/** A grade replaces the same judge's earlier one, even if there is none now. */
function withGrade(item: ItemScores, grade: Grade | null, column: string): ItemScores {
  if (item.kind === "unscored") return item;
  const { [column]: _earlier, ...others } = item.scores;
  if (grade?.verdict.kind !== "scored") return { kind: "scored", scores: others };
  return { kind: "scored", scores: { ...others, [column]: grade.verdict.score } };
}

function gradesOf({ grades }: Prediction, column: string, grade: Grade | null): Prediction["grades"] {
  return grade === null ? grades : { ...grades, [column]: grade };
}

function finish(
  { lengthBins, references = "best" }: ScoringOptions,
  predictions: readonly Prediction[],
  items: readonly ItemScores[],
  facts: Partial<ScoreAnswersReport> = {},
  gradesFor: (row: Prediction, index: number) => Prediction["grades"] = ({ grades }) => grades,
): ScoredAnswers {
  const { means, unscored } = tabulate(items);
  return {
    predictions,
    items,
    report: {
      items: predictions.length,
      metrics: means,
      references,
      unscored,
      ...(lengthBins !== undefined && { lengths: analyseLengths(predictions, items, lengthBins) }),
      ...facts,
    },
    rows: () =>
      predictions.map((prediction, index) => {
        const item = items[index]!;
        const grades = gradesFor(prediction, index);
        return {
          ...prediction,
          ...(item.kind === "scored" ? { scores: item.scores } : { unscored: item.reason }),
          ...(grades && { grades }),
        };
      }),
  };
}

import { basename } from "node:path";
import { FabulaError } from "../../core/errors.ts";
import { countBy } from "../../core/group-by.ts";
import { readJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { readTable } from "../../core/table/read-table.ts";
import { hasColumn, nameColumn, numberColumn } from "../../core/table/table.ts";
import { countOf } from "../../core/wording.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import type { AnswerMetric } from "../../qa/metrics/metric.ts";
import { analyseLengths } from "../../qa/scoring/length-analysis.ts";
import { type Prediction, predictionSchema } from "../../qa/scoring/prediction.ts";
import { type QuestionClusters, questionClusters } from "../../qa/scoring/question-clusters.ts";
import { scorePredictions } from "../../qa/scoring/score-predictions.ts";
import { mean } from "../../stats/distribution.ts";
import { systemAgreement } from "../../stats/meta-evaluation/agreement.ts";
import { clusterTotals, drawClusters, middleOf, resampledMeans } from "../../stats/resampling.ts";
import { gradeColumn, gradePredictions } from "../qa/grade.ts";
import { bookFinder } from "../qa/score-systems.ts";
import { type Findings, figureOf, type ReproducedFigure, type ReproduceRequest } from "./longstoryeval-tables.ts";
import type { Paper, PaperData } from "./paper.ts";

const METRICS = ["em", "f1", "rouge-1", "rouge-2", "rouge-l", "meteor"] as const;
/** A part of a file's name, and the id of that system's printed figures. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/llama-3\.1-8b/i, "llama-3.1-8b"],
  [/nextlong/i, "nextlong"],
  [/qwen2\.5-7b/i, "qwen2.5-7b"],
  [/qwen2\.5-14b/i, "qwen2.5-14b"],
  [/glm-4-9b/i, "glm-4-9b"],
  [/haiku/i, "haiku"],
  [/gemini/i, "gemini"],
];
/** The paper's two rules for several references. */
const RULES = ["best", "first"] as const;
const RESAMPLES = 1000;
const BINS = 5;

/** The judges with printed figures, recognised by a part of their names. */
const JUDGES: readonly (readonly [RegExp, string])[] = [
  [/prometheus/i, "prometheus"],
  [/sonnet-3[.-]7|3[.-]7-sonnet/i, "sonnet-3.7"],
  [/gpt-4\.1(?!-)/i, "gpt-4.1"],
];

/** The id of a judge's printed figures; the judge's own name if the paper does not have it. */
function printedJudge({ judge }: Grading): string {
  const name = typeof judge === "string" ? judge : judge.id;
  return JUDGES.find(([pattern]) => pattern.test(name))?.[1] ?? name;
}

type Grading = NonNullable<ReproduceRequest["grading"]>;

/** A grader's column of Table 7: the mean grade of each system's answers, from 1 to 5. */
async function gradedTable(
  paper: Paper,
  systems: readonly {
    readonly system: string;
    readonly predictions: readonly Prediction[];
    readonly intervalOf: IntervalOfMean;
  }[],
  grading: Grading,
  data: { readonly books: string | undefined; readonly onProgress: ReproduceRequest["onProgress"] },
): Promise<Findings> {
  const {
    result: grades,
    run,
    plan,
  } = await gradePredictions(
    systems.flatMap(({ predictions }) => predictions),
    { ...grading, ...(data.books !== undefined && { data: data.books }), onProgress: data.onProgress },
  );
  if (plan) return { figures: [], differences: [], plan };
  let from = 0;
  const reasons: string[] = [];
  const figures = systems.map(({ system, predictions, intervalOf }) => {
    const own = grades.slice(from, from + predictions.length);
    from += predictions.length;
    for (const grade of own) if (grade?.verdict.kind === "unscored") reasons.push(grade.verdict.reason);
    const scores = Float64Array.from(own, (grade) =>
      grade?.verdict.kind === "scored" ? grade.verdict.score : Number.NaN,
    );
    const present = scores.filter((score) => !Number.isNaN(score));
    return figureOf(paper, `${system}-${printedJudge(grading)}`, {
      place: "Table 7",
      name: `${system}: ${gradeColumn(grading, grading.setting)}`,
      value: present.length === 0 ? null : mean(present),
      interval: intervalOf(scores),
      n: present.length,
    });
  });
  const differences = Object.entries(countBy(reasons)).map(
    ([reason, count]) => `${countOf(count, "answer")} not graded, and left out of the means: ${reason}.`,
  );
  return { figures, differences, run };
}

/** Table 6: how well each metric, and a grader given the references or the summary, ranks systems as people do. */
async function judgedTable(
  paper: Paper,
  data: PaperData,
  request: ReproduceRequest,
  grading: Grading,
): Promise<Findings> {
  const [rated] = data.paths("rated.jsonl");
  if (rated === undefined) {
    throw new FabulaError(
      "E_DATA_MISSING",
      `Table 6 compares a judge with people: "${request.folder}" needs rated.jsonl, the answers with what people gave them, as \`fabula qa rate --out rated.jsonl\` writes them.`,
    );
  }
  const [books] = data.paths("test.jsonl");
  const { setting: _setting, table: _table, ...asked } = grading;
  const { agreeOnAnswers } = await import("../qa/agree.ts");
  const report = await agreeOnAnswers({
    files: [rated],
    grading: { ...asked, ...(books !== undefined && { data: books }) },
    seed: request.seed,
    onProgress: request.onProgress,
  });
  if (report.plan) return { figures: [], differences: [], plan: report.plan };
  const own = gradeColumn(grading, "reference").replace(/-reference$/, "");
  const figures = report.datasets.flatMap(({ dataset, metrics }) =>
    metrics.flatMap((row) =>
      (["reference", "summary"] as const).flatMap((setting) => {
        const found = row[setting];
        if (!found) return [];
        const { kendall, n } = found.agreement;
        const id = row.metric === own ? `${printedJudge(grading)}-${setting}` : row.metric;
        return [
          figureOf(paper, `table-6-${id}`, {
            place: "Table 6",
            name: `${row.metric}, ${setting}: system-level Kendall τ with people${report.datasets.length > 1 ? `, ${dataset}` : ""}`,
            value: kendall.value,
            interval: kendall.interval,
            n,
          }),
        ];
      }),
    ),
  );
  const differences = Object.entries(report.ungraded ?? {}).map(
    ([reason, count]) => `${countOf(count, "rated answer")} not graded, and left out: ${reason}.`,
  );
  return { figures, differences, ...(report.run && { run: report.run }) };
}

/** Tables 7 and 8 and Figure 2 from published answers; Table 6 if people's ratings are given too. */
export async function reproduceLiteraryQa(paper: Paper, data: PaperData, request: ReproduceRequest): Promise<Findings> {
  const { grading } = request;
  if (grading?.table === 6) return judgedTable(paper, data, request, grading);
  const metrics = await loadMetrics(METRICS);
  const [books] = data.paths("test.jsonl");
  const bookOf = await bookFinder(books);
  const figures: ReproducedFigure[] = [];
  const withoutBooks: string[] = [];
  const files = data.paths("predictions-");
  if (files.length === 0)
    throw new FabulaError(
      "E_DATA_MISSING",
      `"${request.folder}" has no file whose name begins with predictions-. Get the data: ${paper.get}.`,
    );
  const systems: Parameters<typeof gradedTable>[1][number][] = [];
  for (const [done, path] of files.entries()) {
    request.onProgress({ stage: "Scoring answers", done, total: files.length, note: basename(path) });
    request.signal.throwIfAborted();
    const file = basename(path).replace(/^predictions-|\.jsonl(\.gz)?$/g, "");
    const system = SYSTEMS.find(([pattern]) => pattern.test(file))?.[1] ?? file;
    const predictions = await readJsonLines(path, predictionSchema);
    const { items } = scorePredictions(predictions, metrics);
    const clusters = questionClusters(predictions.map(bookOf));
    if (clusters.over === "questions") withoutBooks.push(system);
    const intervalOf = intervalsOver(clusters, request.seed);
    systems.push({ system, predictions, intervalOf });
    for (const metric of metrics) figures.push(tableFigure(paper, system, metric, predictions, intervalOf));
    figures.push(...lengthFigures(paper, system, predictions, items));
  }
  const graded = grading && (await gradedTable(paper, systems, grading, { books, onProgress: request.onProgress }));
  return {
    figures: [...figures, ...(graded?.figures ?? []), ...(await ratedFigures(paper, data, request))],
    differences: [
      ...(withoutBooks.length === 0 ? [] : [narrowIntervals(withoutBooks)]),
      ...(graded?.differences ?? []),
    ],
    ...(graded?.run && { run: graded.run }),
    ...(graded?.plan && { plan: graded.plan }),
  };
}

function narrowIntervals(systems: readonly string[]): string {
  return `The intervals of ${systems.join(", ")} draw questions, because the answers do not name their books. Questions about one book rise and fall together, so the true intervals are wider: with LiteraryQA's test.jsonl in the folder, whole books are drawn.`;
}

/**
 * A cell of Table 7, by whichever of the two rules for references comes closest to the printed value; by the best
 * reference if nothing is printed.
 */
function tableFigure(
  paper: Paper,
  system: string,
  metric: AnswerMetric,
  predictions: readonly Prediction[],
  intervalOf: IntervalOfMean,
): ReproducedFigure {
  const printed = paper.printed[`${system}-${metric.id}`];
  const byRule = RULES.map((rule) => {
    const scores = Float64Array.from(predictions, ({ prediction, answers }) =>
      prediction === null ? Number.NaN : metric.score(prediction, answers, rule),
    );
    const present = scores.filter((score) => !Number.isNaN(score));
    return { rule, scores, n: present.length, value: present.length === 0 ? null : mean(present) };
  });
  const distance = ({ value }: { readonly value: number | null }) =>
    printed === undefined || value === null ? 0 : Math.abs(value - printed);
  const nearest = byRule.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  const figure = figureOf(paper, `${system}-${metric.id}`, {
    place: system === "haiku" || system === "gemini" ? "Tables 7 and 8" : "Table 7",
    name: `${system}: ${metric.id}`,
    value: nearest.value,
    interval: intervalOf(nearest.scores),
    n: nearest.n,
  });
  return { ...figure, rule: nearest.rule };
}

/** The interval of the mean of a column of scores, NaN where an answer is missing. */
type IntervalOfMean = (scores: Float64Array) => readonly [number, number] | null;

function intervalsOver({ clusterOf, clusters }: QuestionClusters, seed: number): IntervalOfMean {
  const draws = drawClusters(clusters, RESAMPLES, seededRandom(seed));
  return (scores) => middleOf(resampledMeans(clusterTotals(scores, clusterOf, clusters), draws));
}

/** Figure 2: how far a metric's standardised mean moves between the bins of length difference. */
function lengthFigures(
  paper: Paper,
  system: string,
  predictions: Parameters<typeof analyseLengths>[0],
  items: Parameters<typeof analyseLengths>[1],
): ReproducedFigure[] {
  const bins = analyseLengths(predictions, items, BINS);
  return METRICS.map((metric) => {
    const means = bins.flatMap((bin) => bin.metrics[metric]?.mean ?? []);
    return figureOf(paper, `figure-2-${system}-${metric}`, {
      place: "Figure 2",
      name: `${system}: range of standardised ${metric} over ${BINS} bins of length difference`,
      value: means.length === 0 ? null : Math.max(...means) - Math.min(...means),
      n: items.length,
    });
  });
}

async function ratedFigures(paper: Paper, data: PaperData, request: ReproduceRequest): Promise<ReproducedFigure[]> {
  const [path] = data.paths("ratings.csv");
  if (path === undefined) return [];
  const table = await readTable(path);
  const [system, item, human] = [nameColumn(table, "system"), nameColumn(table, "item"), numberColumn(table, "human")];
  const options = {
    resamples: 1000,
    seed: request.seed,
    confidence: 0.95,
    interval: "percentile",
    over: "both",
  } as const;
  return METRICS.filter((metric) => hasColumn(table, metric)).map((metric) => {
    const { kendall, n } = systemAgreement({ human, metric: numberColumn(table, metric), system, item }, options);
    return figureOf(paper, `table-6-${metric}`, {
      place: "Table 6",
      name: `${metric}: system-level Kendall τ with people`,
      value: kendall.value,
      interval: kendall.interval,
      n,
    });
  });
}

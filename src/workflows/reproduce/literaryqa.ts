import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { readJsonLines } from "../../core/json-lines.ts";
import { type Random, seededRandom } from "../../core/random.ts";
import { readTable } from "../../core/table/read-table.ts";
import { hasColumn, nameColumn, numberColumn } from "../../core/table/table.ts";
import { loadMetrics } from "../../qa/metrics/load-metrics.ts";
import type { AnswerMetric } from "../../qa/metrics/metric.ts";
import { analyseLengths } from "../../qa/scoring/length-analysis.ts";
import { type Prediction, predictionSchema } from "../../qa/scoring/prediction.ts";
import { scorePredictions } from "../../qa/scoring/score-predictions.ts";
import { mean } from "../../stats/distribution/mean.ts";
import { systemAgreement } from "../../stats/meta-evaluation/agreement.ts";
import { drawPositions, percentileBootstrap } from "../../stats/resampling/percentile-bootstrap.ts";
import type { Paper, PaperData } from "./paper.ts";
import type { ReproduceRequest } from "./reproduce-request.ts";
import { figureOf, type ReproducedFigure } from "./reproduction.ts";

const METRICS = ["em", "f1", "rouge-1", "rouge-2", "rouge-l", "meteor"] as const;
/** A part of the file's name → the name under which the paper's figures are kept. */
const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/llama-3\.1-8b/i, "llama-3.1-8b"],
  [/nextlong/i, "nextlong"],
  [/qwen2\.5-7b/i, "qwen2.5-7b"],
  [/qwen2\.5-14b/i, "qwen2.5-14b"],
  [/glm-4-9b/i, "glm-4-9b"],
  [/haiku/i, "haiku"],
  [/gemini/i, "gemini"],
];
/** The paper's two ways to use several references. */
const RULES = ["best", "first"] as const;
const RESAMPLES = 300;
const BINS = 5;

/** Tables 7 and 8 and Figure 2 from published answers; Table 6 where people's ratings are given too. */
export async function reproduceLiteraryQa(
  paper: Paper,
  data: PaperData,
  request: ReproduceRequest,
): Promise<ReproducedFigure[]> {
  const metrics = await loadMetrics(METRICS);
  const random = seededRandom(request.seed);
  const figures: ReproducedFigure[] = [];
  const files = data.paths("predictions-");
  for (const [done, path] of files.entries()) {
    request.onProgress({ stage: "Scoring answers", done, total: files.length, note: basename(path) });
    request.signal.throwIfAborted();
    const file = basename(path).replace(/^predictions-|\.jsonl(\.gz)?$/g, "");
    const system = SYSTEMS.find(([pattern]) => pattern.test(file))?.[1] ?? file;
    const predictions = await readJsonLines(path, predictionSchema);
    const { items } = scorePredictions(predictions, metrics);
    for (const metric of metrics) figures.push(tableFigure(paper, system, metric, predictions, random));
    figures.push(...lengthFigures(paper, system, predictions, items));
  }
  return [...figures, ...(await ratedFigures(paper, request))];
}

/**
 * A cell of Table 7, by the one of its two rules of references that comes nearest to what is printed; the best of the
 * references where nothing is.
 */
function tableFigure(
  paper: Paper,
  system: string,
  metric: AnswerMetric,
  predictions: readonly Prediction[],
  random: Random,
): ReproducedFigure {
  const printed = paper.printed[`${system}-${metric.id}`];
  const byRule = RULES.map((rule) => {
    const values = predictions.flatMap(({ prediction, answers }) =>
      prediction === null ? [] : metric.score(prediction, answers, rule),
    );
    return { rule, values, value: mean(values) };
  });
  const distance = ({ value }: { readonly value: number }) => (printed === undefined ? 0 : Math.abs(value - printed));
  const nearest = byRule.reduce((best, one) => (distance(one) < distance(best) ? one : best));
  const statistic = (positions: ArrayLike<number>) => ({
    value: mean(Array.from(positions, (position) => nearest.values[position]!)),
  });
  const draw = drawPositions(nearest.values.length);
  const figure = figureOf(paper, `${system}-${metric.id}`, {
    place: system === "haiku" || system === "gemini" ? "Tables 7 and 8" : "Table 7",
    name: `${system}: ${metric.id}`,
    value: nearest.value,
    interval: percentileBootstrap({ draw, statistic, random, resamples: RESAMPLES }).interval,
    n: nearest.values.length,
  });
  return { ...figure, rule: nearest.rule };
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

async function ratedFigures(paper: Paper, request: ReproduceRequest): Promise<ReproducedFigure[]> {
  const path = join(request.folder, "ratings.csv");
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) return [];
  const table = await readTable(path);
  const [system, item, human] = [nameColumn(table, "system"), nameColumn(table, "item"), numberColumn(table, "human")];
  const options = {
    resamples: 1000,
    seed: request.seed,
    confidence: 0.95,
    interval: "percentile",
    over: "items",
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

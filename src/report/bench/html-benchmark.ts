import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { htmlFigure, htmlPage } from "../html-page.ts";
import { escapeHtml } from "../markup.ts";
import { densityPlot } from "../plots/density.ts";
import { heatMap } from "../plots/heat-map.ts";
import { intervalDots } from "../plots/interval-dots.ts";
import { placedWritersPlot } from "../plots/placed-writers.ts";
import { radarPlot } from "../plots/radar.ts";
import { scatterPlot } from "../plots/scatter.ts";
import { type BenchmarkRow, benchmarkTable, populationInWords, validityInWords } from "./benchmark-table.ts";
import { pairMatrix } from "./pair-matrix.ts";
import { reportWordsIn } from "./words/report-words-in.ts";

export function htmlBenchmark(benchmark: WriterBenchmark): string {
  const rows = benchmarkTable(benchmark);
  const { anchors } = benchmark;
  const words = reportWordsIn(benchmark.population.language);
  const figures = [
    htmlFigure(
      intervalDots(
        [
          ...rows.map((row) => ({
            label: row.writer,
            value: row.level,
            interval: [row.low, row.high] as const,
            note: row.groups,
          })),
          ...(anchors ? [{ label: words.anchors, value: anchors.level, interval: anchors.interval, note: "" }] : []),
        ],
        [0, 100],
        "Level of each writer",
      ),
      "Mean percentile among the population, with its interval over novels and chapters. Writers that share a letter cannot be told apart.",
    ),
    ...judgeFigures(benchmark),
    htmlFigure(
      placedWritersPlot(
        benchmark.population.novels.map((novel) => novel.composite),
        rows.map((row) => ({ label: row.writer, score: row.composite })),
        "Writers on the distribution of human novels",
      ),
      "The curve is the population's composite score; each line is a writer.",
    ),
    ...dimensionFigures(benchmark, rows),
    htmlFigure(
      pairMatrix(benchmark.board, words),
      "Difference of composites, row minus column, over the novels that both wrote. Bold pairs are told apart after correction for all pairs.",
    ),
    ...weightFigures(benchmark),
    lengthFigure(rows),
    `<div class="grid-of-plots">${benchmark.population.dimensions
      .map((dimension, index) =>
        densityPlot(
          benchmark.population.novels.map((novel) => novel.scores[index]!),
          dimension,
        ),
      )
      .join("")}</div>`,
  ];
  const remarks = [...validityInWords(benchmark), ...benchmark.warnings.map(words.warning)];
  return htmlPage(
    "Writers among human novels",
    `<header><div><h1>Writers among human novels</h1>
<p>${escapeHtml(populationInWords(benchmark))}</p></div></header>
<section><h2>Can this be believed?</h2>
<ul>${remarks.map((remark) => `<li>${escapeHtml(remark)}</li>`).join("")}</ul></section>
<section><h2>Leaderboard</h2>${figures.filter(Boolean).join("\n")}</section>`,
  );
}

/** With a panel, the level by each of its judges. */
function judgeFigures({ panel }: WriterBenchmark): string[] {
  return (panel?.judges ?? []).map(({ judge, board }) =>
    htmlFigure(
      intervalDots(
        board.rows.map((row) => ({ label: row.writer, value: row.level, interval: row.interval, note: row.groups })),
        [0, 100],
        `Level of each writer by ${judge}`,
      ),
      `The same chapters by ${judge} alone.`,
    ),
  );
}

/** One heat map; with a panel, each judge's own dimensions. */
function dimensionFigures({ population, panel }: WriterBenchmark, rows: readonly BenchmarkRow[]): string[] {
  if (!panel) {
    const own = rows.map(({ writer, dimensions }) => ({ writer, scores: dimensions }));
    return [
      htmlFigure(
        dimensionHeatMap(population.dimensions, own, "Writers by dimensions"),
        "Mean score of each writer in each dimension; darker is higher within the dimension.",
      ),
    ];
  }
  return panel.judges.map(({ judge, dimensions, means }) => {
    const own = rows.map(({ writer }) => ({ writer, scores: means.get(writer) ?? dimensions.map(() => null) }));
    return htmlFigure(
      dimensionHeatMap(dimensions, own, `Writers by dimensions, judged by ${judge}`),
      `Mean score that ${judge} gave each writer in each dimension.`,
    );
  });
}

export function dimensionHeatMap(
  dimensions: readonly string[],
  rows: readonly { readonly writer: string; readonly scores: readonly (number | null)[] }[],
  caption: string,
): string {
  const ranges = dimensions.map((_, index) => {
    const values = rows.flatMap(({ scores }) => scores[index] ?? []);
    return { low: Math.min(...values), span: Math.max(...values) - Math.min(...values) || 1 };
  });
  return heatMap(
    dimensions,
    rows.map(({ writer, scores }) => ({
      label: writer,
      cells: scores.map((score, index) =>
        score === null
          ? null
          : { position: (score - ranges[index]!.low) / ranges[index]!.span, text: score.toFixed(1) },
      ),
    })),
    caption,
  );
}

function weightFigures(benchmark: WriterBenchmark): string[] {
  if (benchmark.population.panel) return [];
  return [
    htmlFigure(weightRadar(benchmark), "How much each dimension counts: the first component's loadings."),
    htmlFigure(screePlot(benchmark), "Share of the variance that each component explains."),
  ];
}

function weightRadar({ population }: WriterBenchmark): string {
  const top = Math.max(...population.weights, 1e-9);
  return radarPlot(
    population.dimensions.map((label, index) => ({
      label: `${label} ${(population.weights[index]! * 100).toFixed(1)} %`,
      value: Math.max(0, population.weights[index]! / top),
      low: null,
      high: null,
    })),
    "Weights of the dimensions",
  );
}

function screePlot({ population }: WriterBenchmark): string {
  return intervalDots(
    population.explainedVariance.map((share, index) => ({
      label: `Component ${index + 1}`,
      value: share * 100,
      interval: [0, share * 100],
      note: `${(share * 100).toFixed(1)} %`,
    })),
    [0, 100],
    "Explained variance",
  );
}

function lengthFigure(rows: readonly BenchmarkRow[]): string {
  const points = rows.flatMap((row) =>
    row.meanWords === null ? [] : [{ x: row.meanWords, y: row.level, label: row.writer }],
  );
  if (points.length < 2) return "";
  return htmlFigure(
    scatterPlot(points, { x: "mean words per chapter", y: "level" }, "Level against length"),
    "Level of each writer against the mean length of the chapters.",
  );
}

import { scaleLinear } from "d3-scale";
import { area } from "d3-shape";
import type { WriterBenchmark } from "../../bench/benchmark-writers.ts";
import type { WriterComparison } from "../../bench/writers/compare-writers.ts";
import type { Leaderboard } from "../../bench/writers/leaderboard.ts";
import { signedNumber } from "../../core/wording.ts";
import { extent, kernelDensity } from "../../stats/distribution.ts";
import { escapeHtml, htmlFigure, htmlPage, svg, svgText } from "../markup.ts";
import { densityPlot, inFigures, intervalDots, scatterPlot } from "../plots/plots.ts";
import { type BenchmarkRow, benchmarkTable, populationInWords, validityInWords } from "./benchmark-table.ts";
import { dimensionHeatMap } from "./dimension-heat-map.ts";
import { type ReportWords, reportWordsIn } from "./words.ts";

/** Every two writers as a table: the difference of composites, row minus column; p and effect size in the cell's title. */
export function pairMatrix({ rows, comparisons }: Leaderboard, { matrix }: ReportWords): string {
  const found = new Map(comparisons.pairs.map((pair) => [`${pair.first}\u0000${pair.second}`, pair]));
  const head = rows.map(({ rank }) => `<th scope="col">${rank}</th>`).join("");
  const lines = rows.map(({ rank, writer }) => {
    const cells = rows.map((column) => cell(writer, column.writer, found, comparisons.significance, matrix));
    return `<tr><th scope="row">${rank} ${escapeHtml(writer)}</th>${cells.join("")}</tr>`;
  });
  return `<div class="table-scroller" role="region" aria-label="${escapeHtml(matrix.label)}" tabindex="0"><table class="matrix"><thead><tr><th></th>${head}</tr></thead><tbody>${lines.join("")}</tbody></table></div>`;
}

function cell(
  row: string,
  column: string,
  found: ReadonlyMap<string, WriterComparison>,
  significance: number,
  matrix: ReportWords["matrix"],
): string {
  if (row === column) return '<td class="same">·</td>';
  const pair = found.get(`${row}\u0000${column}`) ?? found.get(`${column}\u0000${row}`);
  if (!pair) return "<td></td>";
  const difference = pair.first === row ? pair.difference : -pair.difference;
  const isApart = pair.adjusted !== null && pair.adjusted < significance;
  const words = [
    `${row} − ${column}: ${difference.toFixed(2)}`,
    pair.effect === null ? null : matrix.effect(Math.abs(pair.effect).toFixed(2)),
    pair.p === null ? null : matrix.significance(pInWords(pair.p), pInWords(pair.adjusted ?? 1)),
    pair.design === "paired" ? matrix.shared(pair.shared) : matrix.unpaired,
  ].filter((part) => part !== null);
  const text = signedNumber(difference, 2);
  return `<td class="${isApart ? "apart" : "level"}" title="${escapeHtml(words.join("; "))}">${isApart ? `<b>${text}</b>` : text}<small>${pair.adjusted === null ? "" : pInWords(pair.adjusted)}</small></td>`;
}

export function pInWords(p: number): string {
  return p < 0.001 ? "<0.001" : p.toFixed(3);
}

const WIDTH = 760;
const HEIGHT = 330;
const FLOOR = 280;
const STEPS = 160;

/** The population's curve with a line for each writer; the names of the first few stand beside their lines. */
export function placedWritersPlot(
  population: readonly number[],
  writers: readonly { readonly label: string; readonly score: number }[],
  caption: string,
): string {
  const [low, high] = extent([...population, ...writers.map((writer) => writer.score)]);
  const spread = high - low || 1;
  const domain: [number, number] = [low - spread * 0.08, low + spread * 1.08];
  const density = kernelDensity(population) ?? (() => 0);
  const grid = Array.from({ length: STEPS + 1 }, (_, step) => domain[0] + ((domain[1] - domain[0]) * step) / STEPS);
  const heights = grid.map(density);
  const x = scaleLinear(domain, [20, WIDTH - 20]);
  const y = scaleLinear([0, Math.max(...heights) || 1], [FLOOR, 120]);
  const curve = area<number>()
    .x((value) => x(value))
    .y0(FLOOR)
    .y1((_value, step) => y(heights[step] ?? 0))(grid);
  const marks = writers.flatMap((writer, index) => {
    const named = index < 8 || index >= writers.length - 2;
    const top = named ? 14 + (index % 8) * 12 : 112;
    return [
      svg(
        "line",
        { x1: x(writer.score), x2: x(writer.score), y1: top, y2: FLOOR, class: named ? "marker thin" : "rug" },
        svg("title", {}, escapeHtml(writer.label)),
      ),
      ...(named ? [nameBeside(writer.label, x(writer.score), top + 3)] : []),
    ];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot placed", role: "img" },
    svg("title", {}, escapeHtml(caption)),
    curve ? svg("path", { d: curve, class: "density" }) : "",
    svg("line", { x1: 20, x2: WIDTH - 20, y1: FLOOR, y2: FLOOR, class: "axis" }),
    ...x
      .ticks(8)
      .map((tick) => svgText({ x: x(tick), y: FLOOR + 20, "text-anchor": "middle", class: "tick" }, inFigures(tick))),
    ...marks,
  );
}

/** On the left of its line, and on the right where the frame would cut it off. */
function nameBeside(name: string, at: number, y: number): string {
  const isNearLeft = at < WIDTH / 3;
  const place = { x: at + (isNearLeft ? 4 : -4), y, "text-anchor": isNearLeft ? "start" : "end", class: "tick small" };
  return svgText(place, name.slice(0, 30));
}

/** What a dimension is called in the language of the report; its id where the rubric is not at hand. */
type NameOf = (dimension: string) => string;

/** One page in the language of the novels. */
export function htmlBenchmark(benchmark: WriterBenchmark, names: ReadonlyMap<string, string> = new Map()): string {
  const rows = benchmarkTable(benchmark);
  const words = reportWordsIn(benchmark.population.language);
  const { figures: texts } = words;
  const nameOf: NameOf = (dimension) => names.get(dimension) ?? dimension;
  const figures = [
    levelFigure(benchmark, rows, words),
    ...judgeFigures(benchmark, words),
    htmlFigure(
      placedWritersPlot(
        benchmark.population.novels.map((novel) => novel.composite),
        rows.map((row) => ({ label: row.writer, score: row.composite })),
        texts.placed,
      ),
      texts.placedHint,
    ),
    ...dimensionFigures(benchmark, rows, words, nameOf),
    htmlFigure(pairMatrix(benchmark.board, words), texts.pairsHint),
    ...weightFigures(benchmark, words, nameOf),
    lengthFigure(rows, words),
    distributions(benchmark, words, nameOf),
  ];
  const remarks = [...validityInWords(benchmark), ...benchmark.warnings.map(words.warning)];
  return htmlPage(
    words.title,
    `<header><div><h1>${escapeHtml(words.title)}</h1>
<p>${escapeHtml(populationInWords(benchmark))}</p></div></header>
<section><h2>${escapeHtml(texts.believed)}</h2>
<ul>${remarks.map((remark) => `<li>${escapeHtml(remark)}</li>`).join("")}</ul></section>
<section><h2>${escapeHtml(texts.board)}</h2>${figures.filter(Boolean).join("\n")}</section>`,
    texts.lang,
  );
}

function levelFigure({ anchors }: WriterBenchmark, rows: readonly BenchmarkRow[], words: ReportWords): string {
  const { levels, levelsHint } = words.figures;
  const dots = rows.map((row) => ({
    label: row.writer,
    value: row.level,
    interval: [row.low, row.high] as const,
    note: row.groups,
  }));
  const classics = anchors
    ? [{ label: words.anchors, value: anchors.level, interval: anchors.interval, note: "" }]
    : [];
  return htmlFigure(intervalDots([...dots, ...classics], [0, 100], levels), levelsHint);
}

/** With a panel, the level by each of its judges. */
function judgeFigures({ panel }: WriterBenchmark, { figures: texts }: ReportWords): string[] {
  return (panel?.judges ?? []).map(({ judge, board }) =>
    htmlFigure(
      intervalDots(
        board.rows.map((row) => ({ label: row.writer, value: row.level, interval: row.interval, note: row.groups })),
        [0, 100],
        texts.levelsBy(judge),
      ),
      texts.levelsByHint(judge),
    ),
  );
}

/** One heat map; with a panel, each judge's own dimensions. */
function dimensionFigures(
  { population, panel }: WriterBenchmark,
  rows: readonly BenchmarkRow[],
  { figures: texts }: ReportWords,
  nameOf: NameOf,
): string[] {
  if (!panel) {
    const own = rows.map(({ writer, dimensions }) => ({ writer, scores: dimensions }));
    const map = dimensionHeatMap(population.dimensions.map(nameOf), own, texts.dimensions);
    return [htmlFigure(map, texts.dimensionsHint)];
  }
  return panel.judges.map(({ judge, dimensions, means }) => {
    const own = rows.map(({ writer }) => ({ writer, scores: means.get(writer) ?? dimensions.map(() => null) }));
    const map = dimensionHeatMap(dimensions.map(nameOf), own, texts.dimensionsBy(judge));
    return htmlFigure(map, texts.dimensionsByHint(judge));
  });
}

function weightFigures(benchmark: WriterBenchmark, words: ReportWords, nameOf: NameOf): string[] {
  if (benchmark.population.panel) return [];
  return [
    htmlFigure(weightPlot(benchmark, words.figures, nameOf), words.figures.weightsHint),
    htmlFigure(screePlot(benchmark, words), words.figures.varianceHint),
  ];
}

function weightPlot(
  { population: { dimensions, weights } }: WriterBenchmark,
  texts: ReportWords["figures"],
  nameOf: NameOf,
) {
  const dots = dimensions.map((dimension, index) => {
    const share = 100 * weights[index]!;
    const interval = [Math.min(0, share), Math.max(0, share)] as const;
    return { label: nameOf(dimension), value: share, interval, note: `${share.toFixed(1)} %` };
  });
  return intervalDots(dots, extent(dots.flatMap(({ interval }) => interval)), texts.weights);
}

function screePlot({ population }: WriterBenchmark, { figures }: ReportWords): string {
  return intervalDots(
    population.explainedVariance.map((share, index) => ({
      label: figures.component(index + 1),
      value: share * 100,
      interval: [0, share * 100],
      note: `${(share * 100).toFixed(1)} %`,
    })),
    [0, 100],
    figures.variance,
  );
}

function lengthFigure(rows: readonly BenchmarkRow[], { figures: texts, columns }: ReportWords): string {
  const points = rows.flatMap((row) =>
    row.meanWords === null ? [] : [{ x: row.meanWords, y: row.level, label: row.writer }],
  );
  if (points.length < 2) return "";
  const plot = scatterPlot(points, { x: texts.wordsPerChapter, y: columns.level }, texts.lengths);
  return htmlFigure(plot, texts.lengthsHint);
}

function distributions({ population }: WriterBenchmark, { figures }: ReportWords, nameOf: NameOf): string {
  const plots = population.dimensions.map((dimension, index) =>
    densityPlot(
      population.novels.map((novel) => novel.scores[index]!),
      nameOf(dimension),
    ),
  );
  return htmlFigure(`<div class="grid-of-plots">${plots.join("")}</div>`, figures.distributionsHint);
}

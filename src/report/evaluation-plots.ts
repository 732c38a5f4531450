import { scaleLinear } from "d3-scale";
import { area, curveBasis, line } from "d3-shape";
import type { BookEvaluation } from "../judge/evaluation.ts";
import { extent, kernelDensity } from "../stats/distribution.ts";
import type { EvaluationView } from "./evaluation-view.ts";
import { escapeHtml, svg, svgText } from "./markup.ts";
import { radarPlot } from "./plots/radar.ts";
import { intervalInWords, scoreInWords } from "./wording.ts";

const WIDTH = 640;
const HEIGHT = 210;
const MARGIN = { top: 34, right: 20, bottom: 34, left: 20 };
const STEPS = 160;

/** The reference population as a curve with a tick for each book, and this book's place on it. */
function distributionPlot(
  population: readonly number[],
  place: { readonly score: number; readonly label: string; readonly interval: readonly [number, number] | null },
  caption: string,
): string {
  const [low, high] = extent([...population, place.score, ...(place.interval ?? [])]);
  const spread = high - low || 1;
  const domain: [number, number] = [low - spread * 0.12, high + spread * 0.12];
  // A population of equal scores has no bandwidth: it is drawn as its ticks alone.
  const density = kernelDensity(population) ?? (() => 0);
  const grid = Array.from({ length: STEPS + 1 }, (_, step) => domain[0] + ((domain[1] - domain[0]) * step) / STEPS);
  const heights = grid.map((value) => density(value));
  const floor = HEIGHT - MARGIN.bottom;
  const x = scaleLinear(domain, [MARGIN.left, WIDTH - MARGIN.right]);
  const y = scaleLinear([0, Math.max(...heights) || 1], [floor, MARGIN.top]);
  const curve = area<number>()
    .x((value) => x(value))
    .y0(floor)
    .y1((_value, step) => y(heights[step] ?? 0))
    .curve(curveBasis)(grid);
  const rug = population.map((value) =>
    svg("line", { x1: x(value), x2: x(value), y1: floor, y2: floor + 6, class: "rug" }),
  );
  const ticks = x
    .ticks(8)
    .map((tick) => svgText({ x: x(tick), y: floor + 24, "text-anchor": "middle", class: "tick" }, String(tick)));
  const band = place.interval
    ? svg("rect", {
        x: x(place.interval[0]),
        width: Math.max(1, x(place.interval[1]) - x(place.interval[0])),
        y: MARGIN.top - 6,
        height: floor - MARGIN.top + 6,
        class: "band",
      })
    : "";
  const left = x(place.score) > WIDTH * 0.7;
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot distribution", role: "img" },
    svg("title", {}, escapeHtml(caption)),
    curve ? svg("path", { d: curve, class: "density" }) : "",
    svg("line", { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: floor, y2: floor, class: "axis" }),
    ...rug,
    ...ticks,
    band,
    svg("line", { x1: x(place.score), x2: x(place.score), y1: MARGIN.top - 12, y2: floor, class: "marker" }),
    svgText(
      {
        x: x(place.score) + (left ? -6 : 6),
        y: MARGIN.top - 14,
        "text-anchor": left ? "end" : "start",
        class: "label",
      },
      place.label,
    ),
  );
}

/**
 * The radar shows percentiles when there is a population, since scores of different aspects have different levels and a
 * percentile makes them comparable; otherwise it shows scores over the whole scale.
 */
export function aspectRadar({ aspects: rows, scale }: EvaluationView): string {
  const aspects = rows.filter(({ isPart }) => !isPart);
  const ranked = aspects.some(({ result }) => result.percentile !== null);
  const span = scale.maximum - scale.minimum;
  const spokes = aspects.map(({ result, label }) => {
    if (result.verdict.kind === "unscored") return { label, value: null, low: null, high: null };
    if (ranked)
      return { label, value: result.percentile === null ? null : result.percentile / 100, low: null, high: null };
    const position = (score: number) => Math.min(1, Math.max(0, (score - scale.minimum) / span));
    const { score, interval } = result.verdict;
    return {
      label,
      value: position(score),
      low: interval ? position(interval[0]) : null,
      high: interval ? position(interval[1]) : null,
    };
  });
  return radarPlot(spokes, ranked ? "Percentile of each aspect in the reference population" : "Score of each aspect");
}

export function overallCoursePlot(evaluation: BookEvaluation): string {
  const points = evaluation.overallCourse.map((point) => coursePoint(point, evaluation));
  return coursePlot(points, {
    caption: "Overall score, chapter by chapter",
    width: 760,
    height: 240,
    domain: domainOf(points, evaluation),
    axes: true,
    level: evaluation.overall.kind === "scored" ? evaluation.overall.score : null,
  });
}

export function aspectCoursePlot(evaluation: BookEvaluation, id: string): string {
  const aspect = evaluation.aspects.find((candidate) => candidate.id === id);
  if (!aspect || aspect.course.length < 2) return "";
  const points = aspect.course.map((point) => coursePoint(point, evaluation));
  return coursePlot(points, {
    caption: `${aspect.name}, chapter by chapter`,
    width: 260,
    height: 64,
    domain: domainOf(points, evaluation),
    axes: false,
    level: aspect.verdict.kind === "scored" ? aspect.verdict.score : null,
  });
}

export function populationPlot(evaluation: BookEvaluation): string {
  const { overall, population, book } = evaluation;
  if (overall.kind === "unscored" || !population || population.overall.length < 3) return "";
  return distributionPlot(
    population.overall,
    { score: overall.score, label: shortTitle(book.title), interval: overall.interval ?? null },
    `${book.title} among ${population.size} books`,
  );
}

function coursePoint(
  { chapter, verdict }: BookEvaluation["overallCourse"][number],
  evaluation: BookEvaluation,
): CoursePoint {
  const title = evaluation.book.chapters.find((candidate) => candidate.index === chapter)?.title;
  const heading = title ? `${chapter}. ${title}` : `Chapter ${chapter}`;
  if (verdict.kind === "unscored")
    return { chapter, value: null, low: null, high: null, label: `${heading}: ${verdict.reason}` };
  return {
    chapter,
    value: verdict.score,
    low: verdict.interval?.[0] ?? null,
    high: verdict.interval?.[1] ?? null,
    label: `${heading}: ${scoreInWords(verdict)} ${intervalInWords(verdict)}`.trim(),
  };
}

/** The part of the scale that the book moves in, with room to breathe, so that a change can be seen and none is blown up. */
function domainOf(points: readonly CoursePoint[], { scale }: BookEvaluation): [number, number] {
  const values = points.flatMap((point) => [point.value, point.low, point.high].filter((value) => value !== null));
  if (values.length === 0) return [scale.minimum, scale.maximum];
  const span = scale.maximum - scale.minimum;
  const middle = (Math.min(...values) + Math.max(...values)) / 2;
  const half = Math.max((Math.max(...values) - Math.min(...values)) * 0.6, span * 0.1);
  return [Math.max(scale.minimum, middle - half), Math.min(scale.maximum, middle + half)];
}

function shortTitle(title: string): string {
  return title.length <= 40 ? title : `${title.slice(0, 39).trimEnd()}…`;
}

interface CoursePoint {
  readonly chapter: number;
  /** null where the chapter is unscored: the line breaks there, it does not fall to zero. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly label: string;
}

interface CourseOptions {
  readonly caption: string;
  readonly width: number;
  readonly height: number;
  /** The whole scale or the part of it worth showing. */
  readonly domain: readonly [number, number];
  readonly axes: boolean;
  /** A thin line for the book's own level. */
  readonly level: number | null;
}

/** One line over the chapters, with its intervals; gaps stay gaps. */
function coursePlot(points: readonly CoursePoint[], options: CourseOptions): string {
  const margin = options.axes ? { top: 12, right: 14, bottom: 30, left: 36 } : { top: 6, right: 6, bottom: 6, left: 6 };
  const last = Math.max(2, ...points.map((point) => point.chapter));
  const x = scaleLinear([1, last], [margin.left, options.width - margin.right]);
  const y = scaleLinear([...options.domain], [options.height - margin.bottom, margin.top]);
  const scored = (point: CoursePoint) => point.value !== null;
  const path = line<CoursePoint>()
    .defined(scored)
    .x((point) => x(point.chapter))
    .y((point) => y(point.value ?? 0))([...points]);
  const band = area<CoursePoint>()
    .defined((point) => point.low !== null && point.high !== null)
    .x((point) => x(point.chapter))
    .y0((point) => y(point.low ?? 0))
    .y1((point) => y(point.high ?? 0))([...points]);
  const level =
    options.level === null
      ? []
      : [
          svg("line", {
            x1: margin.left,
            x2: options.width - margin.right,
            y1: y(options.level),
            y2: y(options.level),
            class: "level",
          }),
        ];
  const dots = points
    .filter(scored)
    .map((point) =>
      svg(
        "circle",
        { cx: x(point.chapter), cy: y(point.value ?? 0), r: options.axes ? 3.5 : 1.8, class: "dot" },
        svg("title", {}, escapeHtml(point.label)),
      ),
    );
  return svg(
    "svg",
    { viewBox: `0 0 ${options.width} ${options.height}`, class: "plot course", role: "img" },
    svg("title", {}, escapeHtml(options.caption)),
    ...(options.axes ? axes(x, y, last, options, margin) : []),
    ...level,
    band ? svg("path", { d: band, class: "band" }) : "",
    path ? svg("path", { d: path, class: "outline" }) : "",
    ...(points.length > 120 ? [] : dots),
  );
}

type Linear = ReturnType<typeof scaleLinear<number, number>>;

function axes(
  x: Linear,
  y: Linear,
  last: number,
  { width, height }: CourseOptions,
  margin: { left: number; right: number; bottom: number },
): string[] {
  const rows = y
    .ticks(5)
    .flatMap((tick) => [
      svg("line", { x1: margin.left, x2: width - margin.right, y1: y(tick), y2: y(tick), class: "grid" }),
      svgText({ x: margin.left - 8, y: y(tick) + 4, "text-anchor": "end", class: "tick" }, String(tick)),
    ]);
  const marks = x
    .ticks(Math.min(last, 12))
    .filter((tick) => Number.isInteger(tick) && tick >= 1)
    .map((tick) =>
      svgText({ x: x(tick), y: height - margin.bottom + 18, "text-anchor": "middle", class: "tick" }, String(tick)),
    );
  return [...rows, ...marks];
}

import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { escapeHtml, svg, svgText } from "../markup.ts";

export interface CoursePoint {
  readonly chapter: number;
  /** null where the chapter is unscored: the line breaks there, it does not fall to zero. */
  readonly value: number | null;
  readonly low: number | null;
  readonly high: number | null;
  readonly label: string;
}

export interface CourseOptions {
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
export function coursePlot(points: readonly CoursePoint[], options: CourseOptions): string {
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

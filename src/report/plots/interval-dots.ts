import { scaleLinear } from "d3-scale";
import { escapeHtml, svg, svgText } from "../markup.ts";

export interface IntervalDot {
  readonly label: string;
  readonly value: number;
  readonly interval: readonly [number, number];
  readonly note: string;
}

const ROW = 22;
const MARGIN = { top: 10, right: 60, bottom: 30, left: 240 };
const WIDTH = 760;

/** One line per item, best first: the dot is the estimate, the line its interval. */
export function intervalDots(dots: readonly IntervalDot[], domain: readonly [number, number], caption: string): string {
  const height = MARGIN.top + dots.length * ROW + MARGIN.bottom;
  const x = scaleLinear([...domain], [MARGIN.left, WIDTH - MARGIN.right]);
  const floor = height - MARGIN.bottom;
  const grid = x
    .ticks(6)
    .flatMap((tick) => [
      svg("line", { x1: x(tick), x2: x(tick), y1: MARGIN.top, y2: floor, class: "grid" }),
      svgText({ x: x(tick), y: floor + 18, "text-anchor": "middle", class: "tick" }, String(tick)),
    ]);
  const rows = dots.flatMap((dot, index) => {
    const y = MARGIN.top + index * ROW + ROW / 2;
    return [
      svgText({ x: MARGIN.left - 10, y: y + 4, "text-anchor": "end", class: "tick" }, clipped(dot.label)),
      svg("line", { x1: x(dot.interval[0]), x2: x(dot.interval[1]), y1: y, y2: y, class: "outline" }),
      svg("circle", { cx: x(dot.value), cy: y, r: 4, class: "dot" }),
      svgText({ x: WIDTH - MARGIN.right + 10, y: y + 4, class: "tick" }, dot.note),
    ];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${height}`, class: "plot dots", role: "img" },
    svg("title", {}, escapeHtml(caption)),
    ...grid,
    ...rows,
  );
}

function clipped(label: string): string {
  return label.length <= 36 ? label : `${label.slice(0, 35)}…`;
}

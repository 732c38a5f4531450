import { scaleLinear } from "d3-scale";
import { extent } from "../../stats/distribution.ts";
import { escapeHtml, svg, svgText } from "../markup.ts";

export interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

const WIDTH = 560;
const HEIGHT = 380;
const MARGIN = { top: 14, right: 20, bottom: 44, left: 56 };
const MOST_DOTS = 3000;

/**
 * Points with both axes named; hovering a point shows its label, and `named` writes the labels beside the points. A long
 * list is thinned evenly, so that the file stays small and the shape stays true.
 */
export function scatterPlot(
  points: readonly ScatterPoint[],
  axes: { readonly x: string; readonly y: string },
  caption: string,
  options: { readonly named?: boolean } = {},
): string {
  const x = scaleLinear(padded(points.map((point) => point.x)), [MARGIN.left, WIDTH - MARGIN.right]).nice();
  const y = scaleLinear(padded(points.map((point) => point.y)), [HEIGHT - MARGIN.bottom, MARGIN.top]).nice();
  const rows = y
    .ticks(5)
    .flatMap((tick) => [
      svg("line", { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(tick), y2: y(tick), class: "grid" }),
      svgText({ x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end", class: "tick" }, String(tick)),
    ]);
  const columns = x
    .ticks(6)
    .map((tick) =>
      svgText({ x: x(tick), y: HEIGHT - MARGIN.bottom + 18, "text-anchor": "middle", class: "tick" }, String(tick)),
    );
  const step = Math.max(1, Math.ceil(points.length / MOST_DOTS));
  const shown = points.filter((_, index) => index % step === 0);
  const dots = shown.map((point) =>
    svg("circle", { cx: x(point.x), cy: y(point.y), r: 3.5, class: "dot" }, svg("title", {}, escapeHtml(point.label))),
  );
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot scatter", role: "img" },
    svg("title", {}, escapeHtml(caption)),
    ...rows,
    ...columns,
    svgText({ x: (MARGIN.left + WIDTH) / 2, y: HEIGHT - 8, "text-anchor": "middle", class: "tick" }, axes.x),
    svgText(
      { x: 14, y: HEIGHT / 2, transform: `rotate(-90 14 ${HEIGHT / 2})`, "text-anchor": "middle", class: "tick" },
      axes.y,
    ),
    ...dots,
    ...(options.named ? shown.map((point) => nameBeside(point.label, x(point.x), y(point.y))) : []),
  );
}

/** On the right of its dot, and on the left where the frame ends. */
function nameBeside(name: string, cx: number, cy: number): string {
  const left = cx > WIDTH * 0.75;
  const text = name.length <= 40 ? name : `${name.slice(0, 39)}…`;
  return svgText({ x: cx + (left ? -7 : 7), y: cy + 4, "text-anchor": left ? "end" : "start", class: "tick" }, text);
}

function padded(values: readonly number[]): [number, number] {
  const [low, high] = extent(values);
  const room = (high - low || Math.abs(high) || 1) * 0.05;
  return [low - room, high + room];
}

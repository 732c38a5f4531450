import { scaleLinear } from "d3-scale";
import { area, curveBasis } from "d3-shape";
import { extent } from "../../stats/distribution/extent.ts";
import { kernelDensity } from "../../stats/distribution/kernel-density.ts";
import { escapeHtml, svg, svgText } from "../markup.ts";

const WIDTH = 640;
const HEIGHT = 210;
const MARGIN = { top: 34, right: 20, bottom: 34, left: 20 };
const STEPS = 160;

/** The reference population as a curve with a tick for each book, and this book's place on it. */
export function distributionPlot(
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

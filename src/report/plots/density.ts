import { scaleLinear } from "d3-scale";
import { line } from "d3-shape";
import { kernelDensity, mean, standardDeviation } from "../../stats/distribution.ts";
import { escapeHtml, svg, svgText } from "../markup.ts";

const WIDTH = 240;
const HEIGHT = 120;
const STEPS = 80;

/**
 * A dimension's distribution (solid) against the normal curve of the same mean and deviation (dashed), and where others
 * stand on it (ticks).
 */
export function densityPlot(values: readonly number[], title: string, marks: readonly number[] = []): string {
  const density = kernelDensity(values);
  const centre = mean(values);
  const deviation = standardDeviation(values);
  if (!density || deviation === 0) return "";
  const domain: [number, number] = [
    Math.min(centre - 3.2 * deviation, ...marks),
    Math.max(centre + 3.2 * deviation, ...marks),
  ];
  const grid = Array.from({ length: STEPS + 1 }, (_, step) => domain[0] + ((domain[1] - domain[0]) * step) / STEPS);
  const normal = (value: number) =>
    Math.exp(-0.5 * ((value - centre) / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI));
  const top = Math.max(...grid.map((value) => Math.max(density(value), normal(value))));
  const x = scaleLinear(domain, [8, WIDTH - 8]);
  const y = scaleLinear([0, top], [HEIGHT - 22, 20]);
  const curve = (height: (value: number) => number) =>
    line<number>()
      .x((value) => x(value))
      .y((value) => y(height(value)))(grid) ?? "";
  return svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "plot density-small", role: "img" },
    svg("title", {}, escapeHtml(title)),
    svgText({ x: WIDTH / 2, y: 12, "text-anchor": "middle", class: "tick" }, title),
    svg("path", { d: curve(density), class: "outline" }),
    svg("path", { d: curve(normal), class: "level normal" }),
    ...marks.map((mark) =>
      svg("line", { x1: x(mark), x2: x(mark), y1: HEIGHT - 30, y2: HEIGHT - 18, class: "outline mark" }),
    ),
    ...x
      .ticks(4)
      .map((tick) => svgText({ x: x(tick), y: HEIGHT - 6, "text-anchor": "middle", class: "tick" }, String(tick))),
  );
}

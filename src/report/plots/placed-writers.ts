import { scaleLinear } from "d3-scale";
import { area } from "d3-shape";
import { extent } from "../../stats/distribution/extent.ts";
import { kernelDensity } from "../../stats/distribution/kernel-density.ts";
import { escapeHtml, svg, svgText } from "../markup.ts";

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
      .map((tick) => svgText({ x: x(tick), y: FLOOR + 20, "text-anchor": "middle", class: "tick" }, String(tick))),
    ...marks,
  );
}

/** On the left of its line, and on the right where the frame would cut it off. */
function nameBeside(name: string, at: number, y: number): string {
  const isNearLeft = at < WIDTH / 3;
  const place = { x: at + (isNearLeft ? 4 : -4), y, "text-anchor": isNearLeft ? "start" : "end", class: "tick small" };
  return svgText(place, name.slice(0, 30));
}

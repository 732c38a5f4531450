import { scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { escapeHtml, svg, svgText } from "../markup.ts";

export interface HistoryCurveLine {
  readonly name: string;
  readonly points: readonly {
    readonly length: number;
    readonly value: number | null;
    readonly interval: readonly [number, number] | null;
  }[];
}

const WIDTH = 640;
const HEIGHT = 360;
const MARGIN = { top: 16, right: 150, bottom: 44, left: 52 };
/** Told apart in print and by those who do not see every colour. */
const STROKES = ["#1b6ca8", "#c2541b", "#5a5a5a", "#3c8d40"];
const DASHES = [undefined, "6 3", "2 3", "8 3 2 3"];

/** Agreement with the readers over how many of their reviews were shown; the first line has its band of uncertainty. */
export function historyCurvePlot(lines: readonly HistoryCurveLine[], caption: string, measure: string): string {
  const points = lines.flatMap((one) => one.points);
  const lengths = [...new Set(points.map(({ length }) => length))];
  const values = points
    .flatMap(({ value, interval }) => [value, ...(interval ?? [])])
    .filter((value) => value !== null);
  const x = scaleLinear(
    [Math.min(...lengths), Math.max(...lengths, Math.min(...lengths) + 1)],
    [MARGIN.left, WIDTH - MARGIN.right],
  );
  const y = scaleLinear(
    [Math.min(0, ...values), Math.max(0.1, ...values)],
    [HEIGHT - MARGIN.bottom, MARGIN.top],
  ).nice();
  const path = line<HistoryCurveLine["points"][number]>()
    .defined(({ value }) => value !== null)
    .x(({ length }) => x(length))
    .y(({ value }) => y(value ?? 0));
  const band = area<HistoryCurveLine["points"][number]>()
    .defined(({ interval }) => interval !== null)
    .x(({ length }) => x(length))
    .y0(({ interval }) => y(interval?.[0] ?? 0))
    .y1(({ interval }) => y(interval?.[1] ?? 0));
  return svg(
    "svg",
    {
      xmlns: "http://www.w3.org/2000/svg",
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "font-family": "sans-serif",
      "font-size": 12,
    },
    svg("title", {}, escapeHtml(caption)),
    svg("rect", { width: WIDTH, height: HEIGHT, fill: "white" }),
    ...y
      .ticks(6)
      .flatMap((tick) => [
        svg("line", { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(tick), y2: y(tick), stroke: "#ddd" }),
        svgText({ x: MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" }, tick.toFixed(2)),
      ]),
    ...lengths.map((length) =>
      svgText({ x: x(length), y: HEIGHT - MARGIN.bottom + 18, "text-anchor": "middle" }, String(length)),
    ),
    svgText(
      { x: (MARGIN.left + WIDTH - MARGIN.right) / 2, y: HEIGHT - 8, "text-anchor": "middle" },
      "earlier reviews shown",
    ),
    svgText({ x: MARGIN.left, y: 12 }, measure),
    svg("path", { d: band([...(lines[0]?.points ?? [])]) ?? "", fill: STROKES[0], "fill-opacity": 0.15 }),
    ...lines.flatMap(({ name, points: own }, index) => {
      const last = own.findLast(({ value }) => value !== null);
      const stroke = STROKES[index % STROKES.length]!;
      return [
        svg("path", {
          d: path([...own]) ?? "",
          fill: "none",
          stroke,
          "stroke-width": 2,
          "stroke-dasharray": DASHES[index % DASHES.length],
        }),
        ...(last ? [svgText({ x: x(last.length) + 8, y: y(last.value ?? 0) + 4, fill: stroke }, name)] : []),
      ];
    }),
  );
}

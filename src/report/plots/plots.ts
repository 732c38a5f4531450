import { type ScaleLinear, scaleLinear } from "d3-scale";
import { area, line } from "d3-shape";
import { extent } from "../../stats/distribution.ts";
import { escapeHtml, svg, svgText } from "../markup.ts";

/** A value on an axis, with a real minus as everywhere else. */
function inFigures(value: number): string {
  return String(value).replace("-", "−");
}

const DOTS_WIDTH = 760;
const DOTS_MARGIN = { top: 10, bottom: 30, left: 240 };
const LONGEST_LABEL = 36;

interface DotRow {
  readonly label: string;
  readonly value: number;
  readonly note: string;
  /** What lies under the dot, in the middle of the row at `y`. */
  readonly interval: (x: ScaleLinear<number, number>, y: number) => readonly string[];
}

interface DotRowsOptions {
  readonly caption: string;
  readonly rowHeight: number;
  readonly noteWidth: number;
  /** The scale of the values, laid over this range of the drawing. */
  readonly scale: (range: [number, number]) => ScaleLinear<number, number>;
  readonly tick: (value: number) => { readonly text: string; readonly class: "grid" | "level" };
}

/** Items below one another on a common scale: a name to the left of each, a dot with its interval, a note to the right. */
function dotRows(dots: readonly DotRow[], options: DotRowsOptions): string {
  const { caption, rowHeight, noteWidth } = options;
  const height = DOTS_MARGIN.top + dots.length * rowHeight + DOTS_MARGIN.bottom;
  const floor = height - DOTS_MARGIN.bottom;
  const x = options.scale([DOTS_MARGIN.left, DOTS_WIDTH - noteWidth]);
  const grid = x.ticks(6).flatMap((value) => {
    const tick = options.tick(value);
    return [
      svg("line", { x1: x(value), x2: x(value), y1: DOTS_MARGIN.top, y2: floor, class: tick.class }),
      svgText({ x: x(value), y: floor + 18, "text-anchor": "middle", class: "tick" }, tick.text),
    ];
  });
  const rows = dots.flatMap(({ label, value, note, interval }, index) => {
    const y = DOTS_MARGIN.top + index * rowHeight + rowHeight / 2;
    return [
      svgText({ x: DOTS_MARGIN.left - 10, y: y + 4, "text-anchor": "end", class: "tick" }, clipped(label)),
      ...interval(x, y),
      svg("circle", { cx: x(value), cy: y, r: 4, class: "dot" }),
      svgText({ x: DOTS_WIDTH - noteWidth + 10, y: y + 4, class: "tick" }, note),
    ];
  });
  return svg(
    "svg",
    { viewBox: `0 0 ${DOTS_WIDTH} ${height}`, class: "plot dots", role: "img" },
    svg("title", {}, escapeHtml(caption)),
    ...grid,
    ...rows,
  );
}

function clipped(label: string): string {
  return label.length <= LONGEST_LABEL ? label : `${label.slice(0, LONGEST_LABEL - 1)}…`;
}

interface IntervalDot {
  readonly label: string;
  readonly value: number;
  readonly interval: readonly [number, number];
  readonly note: string;
}

/** One line per item, best first: the dot is the estimate, the line its interval. */
export function intervalDots(dots: readonly IntervalDot[], domain: readonly [number, number], caption: string): string {
  const rows = dots.map(({ label, value, note, interval: [low, high] }) => ({
    label,
    value,
    note,
    interval: (x: (value: number) => number, y: number) => [
      svg("line", { x1: x(low), x2: x(high), y1: y, y2: y, class: "outline" }),
    ],
  }));
  return dotRows(rows, {
    caption,
    rowHeight: 22,
    noteWidth: 60,
    scale: (range) => scaleLinear([...domain], range),
    tick: (value) => ({ text: inFigures(value), class: "grid" }),
  });
}

interface ScatterPoint {
  readonly x: number;
  readonly y: number;
  readonly label: string;
}

const SCATTER_WIDTH = 560;
const SCATTER_HEIGHT = 380;
const SCATTER_MARGIN = { top: 14, right: 20, bottom: 44, left: 56 };
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
  const x = scaleLinear(padded(points.map((point) => point.x)), [
    SCATTER_MARGIN.left,
    SCATTER_WIDTH - SCATTER_MARGIN.right,
  ]).nice();
  const y = scaleLinear(padded(points.map((point) => point.y)), [
    SCATTER_HEIGHT - SCATTER_MARGIN.bottom,
    SCATTER_MARGIN.top,
  ]).nice();
  const rows = y.ticks(5).flatMap((tick) => [
    svg("line", {
      x1: SCATTER_MARGIN.left,
      x2: SCATTER_WIDTH - SCATTER_MARGIN.right,
      y1: y(tick),
      y2: y(tick),
      class: "grid",
    }),
    svgText({ x: SCATTER_MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end", class: "tick" }, inFigures(tick)),
  ]);
  const columns = x
    .ticks(6)
    .map((tick) =>
      svgText(
        { x: x(tick), y: SCATTER_HEIGHT - SCATTER_MARGIN.bottom + 18, "text-anchor": "middle", class: "tick" },
        inFigures(tick),
      ),
    );
  const step = Math.max(1, Math.ceil(points.length / MOST_DOTS));
  const shown = points.filter((_, index) => index % step === 0);
  const dots = shown.map((point) =>
    svg("circle", { cx: x(point.x), cy: y(point.y), r: 3.5, class: "dot" }, svg("title", {}, escapeHtml(point.label))),
  );
  return svg(
    "svg",
    { viewBox: `0 0 ${SCATTER_WIDTH} ${SCATTER_HEIGHT}`, class: "plot scatter", role: "img" },
    svg("title", {}, escapeHtml(caption)),
    ...rows,
    ...columns,
    svgText(
      { x: (SCATTER_MARGIN.left + SCATTER_WIDTH) / 2, y: SCATTER_HEIGHT - 8, "text-anchor": "middle", class: "tick" },
      axes.x,
    ),
    svgText(
      {
        x: 14,
        y: SCATTER_HEIGHT / 2,
        transform: `rotate(-90 14 ${SCATTER_HEIGHT / 2})`,
        "text-anchor": "middle",
        class: "tick",
      },
      axes.y,
    ),
    ...dots,
    ...(options.named ? shown.map((point) => nameBeside(point.label, x(point.x), y(point.y))) : []),
  );
}

/** On the right of its dot, and on the left where the frame ends. */
function nameBeside(name: string, cx: number, cy: number): string {
  const left = cx > SCATTER_WIDTH * 0.75;
  const text = name.length <= 40 ? name : `${name.slice(0, 39)}…`;
  return svgText({ x: cx + (left ? -7 : 7), y: cy + 4, "text-anchor": left ? "end" : "start", class: "tick" }, text);
}

function padded(values: readonly number[]): [number, number] {
  const [low, high] = extent(values);
  const room = (high - low || Math.abs(high) || 1) * 0.05;
  return [low - room, high + room];
}

interface HistoryCurveLine {
  readonly name: string;
  readonly points: readonly {
    readonly length: number;
    readonly value: number | null;
    readonly interval: readonly [number, number] | null;
  }[];
}

const CURVE_WIDTH = 640;
const CURVE_HEIGHT = 360;
const CURVE_MARGIN = { top: 16, right: 150, bottom: 44, left: 52 };
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
    [CURVE_MARGIN.left, CURVE_WIDTH - CURVE_MARGIN.right],
  );
  const y = scaleLinear(
    [Math.min(0, ...values), Math.max(0.1, ...values)],
    [CURVE_HEIGHT - CURVE_MARGIN.bottom, CURVE_MARGIN.top],
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
      viewBox: `0 0 ${CURVE_WIDTH} ${CURVE_HEIGHT}`,
      role: "img",
      "font-family": "sans-serif",
      "font-size": 12,
    },
    svg("title", {}, escapeHtml(caption)),
    svg("rect", { width: CURVE_WIDTH, height: CURVE_HEIGHT, fill: "white" }),
    ...y.ticks(6).flatMap((tick) => [
      svg("line", {
        x1: CURVE_MARGIN.left,
        x2: CURVE_WIDTH - CURVE_MARGIN.right,
        y1: y(tick),
        y2: y(tick),
        stroke: "#ddd",
      }),
      svgText({ x: CURVE_MARGIN.left - 8, y: y(tick) + 4, "text-anchor": "end" }, tick.toFixed(2)),
    ]),
    ...lengths.map((length) =>
      svgText({ x: x(length), y: CURVE_HEIGHT - CURVE_MARGIN.bottom + 18, "text-anchor": "middle" }, String(length)),
    ),
    svgText(
      { x: (CURVE_MARGIN.left + CURVE_WIDTH - CURVE_MARGIN.right) / 2, y: CURVE_HEIGHT - 8, "text-anchor": "middle" },
      "earlier reviews shown",
    ),
    svgText({ x: CURVE_MARGIN.left, y: 12 }, measure),
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

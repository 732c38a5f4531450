import { type ScaleLinear, scaleLinear } from "d3-scale";
import { escapeHtml, svg, svgText } from "../markup.ts";

const WIDTH = 760;
const MARGIN = { top: 10, bottom: 30, left: 240 };
const LONGEST_LABEL = 36;

export interface DotRow {
  readonly label: string;
  readonly value: number;
  readonly note: string;
  /** What lies under the dot, in the middle of the row at `y`. */
  readonly interval: (x: ScaleLinear<number, number>, y: number) => readonly string[];
}

export interface DotRowsOptions {
  readonly caption: string;
  readonly rowHeight: number;
  readonly noteWidth: number;
  /** The scale of the values, laid over this range of the drawing. */
  readonly scale: (range: [number, number]) => ScaleLinear<number, number>;
  readonly tick: (value: number) => { readonly text: string; readonly class: "grid" | "level" };
}

/** Items below one another on a common scale: a name to the left of each, a dot with its interval, a note to the right. */
export function dotRows(dots: readonly DotRow[], options: DotRowsOptions): string {
  const { caption, rowHeight, noteWidth } = options;
  const height = MARGIN.top + dots.length * rowHeight + MARGIN.bottom;
  const floor = height - MARGIN.bottom;
  const x = options.scale([MARGIN.left, WIDTH - noteWidth]);
  const grid = x.ticks(6).flatMap((value) => {
    const tick = options.tick(value);
    return [
      svg("line", { x1: x(value), x2: x(value), y1: MARGIN.top, y2: floor, class: tick.class }),
      svgText({ x: x(value), y: floor + 18, "text-anchor": "middle", class: "tick" }, tick.text),
    ];
  });
  const rows = dots.flatMap(({ label, value, note, interval }, index) => {
    const y = MARGIN.top + index * rowHeight + rowHeight / 2;
    return [
      svgText({ x: MARGIN.left - 10, y: y + 4, "text-anchor": "end", class: "tick" }, clipped(label)),
      ...interval(x, y),
      svg("circle", { cx: x(value), cy: y, r: 4, class: "dot" }),
      svgText({ x: WIDTH - noteWidth + 10, y: y + 4, class: "tick" }, note),
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
  return label.length <= LONGEST_LABEL ? label : `${label.slice(0, LONGEST_LABEL - 1)}…`;
}

export interface IntervalDot {
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
    tick: (value) => ({ text: String(value), class: "grid" }),
  });
}

import { scaleLinear } from "d3-scale";
import { escapeHtml, svg, svgText } from "../markup.ts";

export interface ChangeDot {
  readonly label: string;
  readonly difference: number;
  /** Where the difference may lie; null when there are too few runs to say. */
  readonly interval: readonly [number, number] | null;
  readonly beyondNoise: boolean;
}

const ROW = 24;
const MARGIN = { top: 10, right: 150, bottom: 30, left: 240 };
const WIDTH = 760;

/** One line per change: the dot is the difference, the band what noise may make of it, the dashed line no change. */
export function changeDots(dots: readonly ChangeDot[], caption: string): string {
  const reach = Math.max(
    0.5,
    ...dots.flatMap(({ difference, interval }) => [difference, ...(interval ?? [])].map(Math.abs)),
  );
  const height = MARGIN.top + dots.length * ROW + MARGIN.bottom;
  const floor = height - MARGIN.bottom;
  const x = scaleLinear([-reach, reach], [MARGIN.left, WIDTH - MARGIN.right]).nice();
  const grid = x
    .ticks(6)
    .flatMap((tick) => [
      svg("line", { x1: x(tick), x2: x(tick), y1: MARGIN.top, y2: floor, class: tick === 0 ? "level" : "grid" }),
      svgText({ x: x(tick), y: floor + 18, "text-anchor": "middle", class: "tick" }, signed(tick)),
    ]);
  const rows = dots.flatMap(({ label, difference, interval, beyondNoise }, index) => {
    const y = MARGIN.top + index * ROW + ROW / 2;
    const band = interval
      ? [
          svg("rect", {
            x: x(interval[0]),
            width: x(interval[1]) - x(interval[0]),
            y: y - 7,
            height: 14,
            class: "band",
          }),
        ]
      : [];
    const note = `${signed(difference)}${beyondNoise ? ", more than noise" : ""}`;
    return [
      svgText({ x: MARGIN.left - 10, y: y + 4, "text-anchor": "end", class: "tick" }, clipped(label)),
      ...band,
      svg("circle", { cx: x(difference), cy: y, r: 4, class: "dot" }),
      svgText({ x: WIDTH - MARGIN.right + 10, y: y + 4, class: "tick" }, note),
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

function signed(value: number): string {
  const text = Math.abs(value).toFixed(1);
  return value > 0 ? `+${text}` : value < 0 ? `−${text}` : "0";
}

function clipped(label: string): string {
  return label.length <= 36 ? label : `${label.slice(0, 35)}…`;
}

import { scaleLinear } from "d3-scale";
import { svg } from "../markup.ts";
import { dotRows } from "./dot-rows.ts";

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

import { scaleLinear } from "d3-scale";
import { signedNumber } from "../../core/signed-number.ts";
import { svg } from "../markup.ts";
import { dotRows } from "./dot-rows.ts";

export interface ChangeDot {
  readonly label: string;
  readonly difference: number;
  /** Where the difference may lie; null when there are too few runs to say. */
  readonly interval: readonly [number, number] | null;
  readonly beyondNoise: boolean;
}

/** One line per change: the dot is the difference, the band what noise may make of it, the dashed line no change. */
export function changeDots(dots: readonly ChangeDot[], caption: string): string {
  const reach = Math.max(
    0.5,
    ...dots.flatMap(({ difference, interval }) => [difference, ...(interval ?? [])].map(Math.abs)),
  );
  const rows = dots.map(({ label, difference, interval, beyondNoise }) => ({
    label,
    value: difference,
    note: `${signedNumber(difference, 1)}${beyondNoise ? ", more than noise" : ""}`,
    interval: (x: (value: number) => number, y: number) =>
      interval
        ? [
            svg("rect", {
              x: x(interval[0]),
              width: x(interval[1]) - x(interval[0]),
              y: y - 7,
              height: 14,
              class: "band",
            }),
          ]
        : [],
  }));
  return dotRows(rows, {
    caption,
    rowHeight: 24,
    noteWidth: 150,
    scale: (range) => scaleLinear([-reach, reach], range).nice(),
    tick: (value) => ({ text: signedNumber(value, 1), class: value === 0 ? "level" : "grid" }),
  });
}

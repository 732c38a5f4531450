import { type ReactNode, useCallback } from "react";
import type { IntervalRow } from "../../src/api/evaluations.ts";
import { PlotFigure } from "./course-plot.tsx";
import type { Draw } from "./draw.ts";

const LONGEST_NAME = 36;

/** Estimates one under the other with their intervals; `level` is a dashed line to compare them with. */
export function IntervalPlot({
  rows,
  axis,
  maximum,
  level,
  caption,
  children,
}: {
  readonly rows: readonly IntervalRow[];
  readonly axis: string;
  /** The end of the axis; the highest interval where it is not given. */
  readonly maximum?: number;
  readonly level?: number | undefined;
  readonly caption: string;
  readonly children?: ReactNode;
}) {
  const shown = JSON.stringify(rows);
  const draw = useCallback<Draw>(
    (Plot, width) => {
      const own: IntervalRow[] = JSON.parse(shown);
      const longest = Math.min(LONGEST_NAME, Math.max(...own.map(({ name }) => name.length)));
      return {
        height: 60 + 28 * own.length,
        marginLeft: Math.min(width * 0.4, Math.max(140, 7 * longest)),
        marginBottom: 40,
        x: {
          label: axis,
          domain: [Math.min(0, ...own.map(({ low }) => low)), maximum ?? Math.max(...own.map(({ high }) => high))],
          grid: true,
        },
        y: {
          label: null,
          domain: own.map(({ name }) => name),
          tickFormat: (name: string) => clipped(name, LONGEST_NAME),
        },
        marks: [
          Plot.ruleX([0]),
          ...(level === undefined ? [] : [Plot.ruleX([level], { strokeDasharray: "4 3" })]),
          Plot.ruleY(own, { y: "name", x1: "low", x2: "high", strokeWidth: 2, stroke: "var(--accent)" }),
          Plot.dot(own, { y: "name", x: "value", r: 5, fill: "var(--accent)" }),
        ],
      };
    },
    [shown, axis, maximum, level],
  );
  return (
    <PlotFigure label={caption} caption={caption} draw={draw}>
      {children}
    </PlotFigure>
  );
}

export function clipped(name: string, limit: number): string {
  return name.length <= limit ? name : `${name.slice(0, limit - 1)}…`;
}

import { useCallback } from "react";
import type { ScatterView } from "../../src/api/benchmarks.ts";
import { figure } from "../parts/formats.ts";
import { ColumnNames } from "../parts/table.tsx";
import { useTexts } from "../texts/preferences.tsx";
import { PlotFigure } from "./course-plot.tsx";
import type { Draw } from "./draw.ts";

/** Points by two measures, with their names beside them. */
export function PointsPlot({ view: { title, caption, x, y, points } }: { readonly view: ScatterView }) {
  const texts = useTexts();
  const draw = useCallback<Draw>(
    (Plot) => {
      const xs = points.map((point) => point.x);
      const middle = (Math.min(...xs) + Math.max(...xs)) / 2;
      const named = (points: ScatterView["points"], textAnchor: "start" | "end") =>
        Plot.text(points, {
          ...{ x: "x", y: "y", text: "name", textAnchor, dx: textAnchor === "start" ? 8 : -8 },
          ...{ fill: "var(--ink)", fontSize: 12 },
        });
      return {
        ...{ height: 380, marginLeft: 50, marginBottom: 42, inset: 12 },
        x: { label: x, ticks: 6, nice: true },
        y: { label: y, ticks: 5, grid: true, nice: true },
        marks: [
          Plot.dot(points, { x: "x", y: "y", fill: "var(--accent)", r: 4, title: "name" }),
          named(
            points.filter((point) => point.x <= middle),
            "start",
          ),
          named(
            points.filter((point) => point.x > middle),
            "end",
          ),
        ],
      };
    },
    [points, x, y],
  );
  return (
    <PlotFigure label={title} caption={caption} draw={draw}>
      <table>
        <ColumnNames names={[texts.writer, x, y]} />
        <tbody>
          {points.map((point) => (
            <tr key={point.name}>
              <th scope="row">{point.name}</th>
              <td className="number">{figure(point.x)}</td>
              <td className="number">{figure(point.y)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </PlotFigure>
  );
}

import { useCallback } from "react";
import { figure } from "../parts/formats.ts";
import { ColumnNames } from "../parts/table.tsx";
import { useTexts } from "../texts/preferences.tsx";
import { PlotFigure } from "./course-plot.tsx";
import type { Draw } from "./draw.ts";

interface Point {
  readonly name: string;
  readonly x: number;
  readonly y: number;
}

/** Writers by two measures, with their names beside them. */
export function PointsPlot({
  title,
  caption,
  x,
  y,
  points,
}: {
  readonly title: string;
  readonly caption: string;
  readonly x: string;
  readonly y: string;
  readonly points: readonly Point[];
}) {
  const texts = useTexts();
  const draw = useCallback<Draw>(
    (Plot) => {
      const xs = points.map((point) => point.x);
      const ys = points.map((point) => point.y);
      const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
      const middle = (left + right) / 2;
      const isNear = (one: Point, other: Point) =>
        Math.abs(one.x - other.x) < 0.2 * (right - left) && Math.abs(one.y - other.y) < 0.04 * (top - bottom);
      // Of names that would lie on one another the first is written; all are in the table.
      const written: Point[] = [];
      for (const point of points) if (!written.some((other) => isNear(point, other))) written.push(point);
      const named = (points: readonly Point[], textAnchor: "start" | "end") =>
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
            written.filter((point) => point.x <= middle),
            "start",
          ),
          named(
            written.filter((point) => point.x > middle),
            "end",
          ),
        ],
      };
    },
    [points, x, y],
  );
  return (
    <>
      <h2>{title}</h2>
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
    </>
  );
}

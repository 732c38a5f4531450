import { createContext, lazy, type ReactNode, Suspense, useCallback, useContext } from "react";
import type { Verdict } from "../../src/api/evaluations.ts";
import { intervalOf, type Scale, scoreInFigures } from "../parts/formats.ts";
import { ColumnNames } from "../parts/table.tsx";
import { useReason, useTexts } from "../texts/preferences.tsx";
import type { Draw } from "./draw.ts";

const Drawing = lazy(() => import("./drawing.tsx"));

/** Draws where there is no browser to do it: in the file of a report. */
export const StaticDrawing = createContext<((label: string, draw: Draw) => string) | null>(null);

/** A plot, what it shows in one sentence, and the same figures as a table for readers who cannot see it, where none stands beside it. */
export function PlotFigure({
  label,
  caption,
  draw,
  children,
}: {
  readonly label: string;
  readonly caption: string;
  readonly draw: Draw;
  readonly children?: ReactNode;
}) {
  const texts = useTexts();
  const drawn = useContext(StaticDrawing);
  return (
    <figure className="plot-figure">
      {drawn ? (
        // biome-ignore lint/security/noDangerouslySetInnerHtml: it escapes what it draws.
        <div className="drawing" dangerouslySetInnerHTML={{ __html: drawn(label, draw) }} />
      ) : (
        <Suspense fallback={<div className="drawing" />}>
          <Drawing label={label} draw={draw} />
        </Suspense>
      )}
      <figcaption>{caption}</figcaption>
      {children ? (
        <details>
          <summary>{texts.showAsTable}</summary>
          {children}
        </details>
      ) : null}
    </figure>
  );
}

export interface CoursePoint {
  readonly chapter: number;
  readonly name: string;
  readonly verdict: Verdict;
  readonly href: string;
}

/** A score over the chapters, with the judge's uncertainty as a band; a chapter without a score is a gap. */
export function CoursePlot({
  points,
  level,
  scale,
  label,
}: {
  readonly points: readonly CoursePoint[];
  readonly level: Verdict;
  readonly scale: Scale;
  readonly label: string;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const draw = useCallback<Draw>(
    (Plot, width) => {
      const rows = points.map(({ chapter, name, verdict }) => ({
        chapter,
        score: verdict.kind === "scored" ? verdict.score : Number.NaN,
        low: intervalOf(verdict)?.[0] ?? Number.NaN,
        high: intervalOf(verdict)?.[1] ?? Number.NaN,
        title: verdict.kind === "scored" ? `${name}\n${scoreInFigures(verdict.score)}` : name,
      }));
      const isDense = rows.length > width / 12;
      return {
        height: 260,
        marginLeft: 40,
        marginBottom: 40,
        x: {
          label: texts.contents,
          ticks: Math.min(rows.length, Math.max(2, Math.floor(width / 70))),
          tickFormat: "d",
        },
        y: { domain: domainOf(rows, scale), label: texts.score, grid: true, ticks: 5 },
        marks: [
          Plot.areaY(rows, { x: "chapter", y1: "low", y2: "high", fill: "var(--accent-soft)" }),
          ...(level.kind === "scored"
            ? [Plot.ruleY([level.score], { stroke: "var(--muted)", strokeDasharray: "4 4" })]
            : []),
          Plot.lineY(rows, { x: "chapter", y: "score", stroke: "var(--accent)", strokeWidth: 2 }),
          Plot.dot(rows, { x: "chapter", y: "score", fill: "var(--accent)", r: isDense ? 1.5 : 3.5 }),
          // A dot is small; what can be pointed at is not.
          Plot.dot(rows, { x: "chapter", y: "score", fill: "var(--accent)", fillOpacity: 0, r: 9, title: "title" }),
        ],
      };
    },
    [points, level, scale, texts],
  );
  return (
    <PlotFigure label={label} caption={texts.courseHint} draw={draw}>
      <table>
        <ColumnNames names={[texts.contents, texts.score, texts.interval]} />
        <tbody>
          {points.map(({ chapter, name, verdict, href }) => (
            <tr key={chapter}>
              <th scope="row">
                <a href={href}>{name}</a>
              </th>
              {verdict.kind === "unscored" ? (
                <td className="unscored" colSpan={2}>
                  {texts.unscoredBecause(inWords(verdict.reason))}
                </td>
              ) : (
                <>
                  <td className="number">{scoreInFigures(verdict.score)}</td>
                  <td className="number">
                    {verdict.interval ? verdict.interval.map(scoreInFigures).join("–") : texts.noInterval}
                  </td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </PlotFigure>
  );
}

/** The part of the scale the book moves in, with room to breathe: a change can be seen, and none is blown up. */
function domainOf(rows: readonly { score: number; low: number; high: number }[], scale: Scale): [number, number] {
  const values = rows.flatMap((row) => [row.score, row.low, row.high]).filter((value) => Number.isFinite(value));
  if (values.length === 0) return [scale.minimum, scale.maximum];
  const low = Math.min(...values);
  const high = Math.max(...values);
  const half = Math.max((high - low) * 0.55, (scale.maximum - scale.minimum) * 0.1);
  const middle = (low + high) / 2;
  return [Math.max(scale.minimum, middle - half), Math.min(scale.maximum, middle + half)];
}

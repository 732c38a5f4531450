import { useCallback } from "react";
import type { DimensionScores } from "../../src/api/benchmarks.ts";
import { mean, standardDeviation } from "../../src/stats/distribution.ts";
import { figure } from "../parts/formats.ts";
import { ColumnNames } from "../parts/table.tsx";
import { useTexts } from "../texts/preferences.tsx";
import { PlotFigure } from "./course-plot.tsx";
import { density } from "./distribution-plot.tsx";
import type { Draw } from "./draw.ts";

/** How the human novels score in each dimension, and the writers' means; nothing where the scores are not known. */
export function DimensionCurves({ dimensions, writers, novels }: DimensionScores) {
  const texts = useTexts();
  if (novels.length === 0) return null;
  return (
    <>
      <div className="dimension-curves">
        {dimensions.map((name, at) => (
          <Curve
            // biome-ignore lint/suspicious/noArrayIndexKey: two dimensions may have one name, and their order never changes.
            key={at}
            name={name}
            values={novels.map((scores) => scores[at]!)}
            marks={writers.map(({ writer, scores }) => ({ writer, score: scores[at] ?? null }))}
          />
        ))}
      </div>
      <p className="hint">{texts.dimensionCurves}</p>
    </>
  );
}

function Curve({
  name,
  values,
  marks,
}: {
  readonly name: string;
  readonly values: readonly number[];
  readonly marks: readonly { readonly writer: string; readonly score: number | null }[];
}) {
  const texts = useTexts();
  const [centre, deviation] = [mean(values), standardDeviation(values)];
  const draw = useCallback<Draw>(
    (Plot) => {
      const known = marks.flatMap(({ score }) => score ?? []);
      const domain: [number, number] = [
        Math.min(centre - 3.2 * deviation, ...known),
        Math.max(centre + 3.2 * deviation, ...known),
      ];
      const curve = density(values, domain, 80);
      const normal = curve.map(({ x }) => ({
        x,
        y: Math.exp(-0.5 * ((x - centre) / deviation) ** 2) / (deviation * Math.sqrt(2 * Math.PI)),
      }));
      const top = Math.max(...[...curve, ...normal].map(({ y }) => y));
      return {
        ...{ width: 240, height: 130, marginLeft: 8, marginRight: 8, marginTop: 6, marginBottom: 24 },
        x: { domain, label: null, ticks: 4 },
        y: { axis: null, domain: [-0.12 * top, top] },
        marks: [
          Plot.lineY(curve, { x: "x", y: "y", stroke: "var(--accent)" }),
          Plot.lineY(normal, { x: "x", y: "y", stroke: "var(--muted)", strokeDasharray: "4 3" }),
          Plot.ruleX(known, { y1: -0.12 * top, y2: -0.02 * top, stroke: "var(--marker)" }),
        ],
      };
    },
    [values, marks, centre, deviation],
  );
  // Equal scores have no curve.
  if (deviation === 0) return null;
  return (
    <PlotFigure label={name} caption={name} draw={draw}>
      <table>
        <ColumnNames names={[texts.writer, texts.score]} />
        <tbody>
          {[{ writer: texts.humanNovels, score: centre }, ...marks].map(({ writer, score }) => (
            <tr key={writer}>
              <th scope="row">{writer}</th>
              <td className="number">{score === null ? "–" : figure(score)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </PlotFigure>
  );
}

import { useCallback, useMemo } from "react";
import { kernelDensity } from "../../src/stats/distribution.ts";
import { scoreInFigures } from "../parts/formats.ts";
import { ColumnNames } from "../parts/table.tsx";
import { useTexts } from "../texts/preferences.tsx";
import { PlotFigure } from "./course-plot.tsx";
import type { Draw } from "./draw.ts";

export interface Placed {
  readonly name: string;
  readonly score: number;
  readonly interval: readonly [number, number] | null;
}

/** A larger population is thinned evenly in ticks and table, so that the shape stays true and the page stays small. */
const MOST_SHOWN = 400;
/** Names stand below each other; of more writers, those in the middle have a line without a name. */
const MOST_NAMED = 16;

/** A population as a curve with a tick for each member, and where others stand on it. */
export function DistributionPlot({
  population,
  placed,
  label,
  caption,
}: {
  readonly population: readonly number[];
  readonly placed: readonly Placed[];
  readonly label: string;
  readonly caption: string;
}) {
  const texts = useTexts();
  const shown = useMemo(() => {
    const step = Math.ceil(population.length / MOST_SHOWN);
    const ranked = [...population].sort((left, right) => right - left);
    return ranked.map((score, at) => ({ score, rank: at + 1 })).filter((_, at) => at % step === 0);
  }, [population]);
  const draw = useCallback<Draw>(
    (Plot, width) => {
      const ends = placed.flatMap(({ score, interval }) => [score, ...(interval ?? [])]);
      const all = [...population, ...ends];
      const margin = (Math.max(...all) - Math.min(...all)) * 0.08 || 1;
      const domain: [number, number] = [Math.min(...all) - margin, Math.max(...all) + margin];
      const curve = density(population, domain);
      const top = Math.max(...curve.map((point) => point.y), 0) || 1;
      const bands = placed.flatMap((one) =>
        one.interval ? [{ ...one, low: one.interval[0], high: one.interval[1] }] : [],
      );
      const isRight = (score: number) => score > (domain[0] + domain[1]) / 2;
      // Names lean to the middle, over the lines of those who stand nearer to it: these are shorter.
      const offCentre = ({ score }: Placed) => Math.abs(score - (domain[0] + domain[1]) / 2);
      const named = placed
        .filter((_, at) => at < MOST_NAMED - 2 || at >= placed.length - 2)
        .sort((one, other) => offCentre(one) - offCentre(other));
      const step = top * 0.12;
      const rows = placed.map((one) => {
        const place = named.indexOf(one);
        return {
          ...one,
          y: top * (place < 0 ? 1.02 : 1.1) + step * Math.max(place, 0),
          short: place < 0 ? "" : one.name.length > 28 ? `${one.name.slice(0, 27)}…` : one.name,
        };
      });
      return {
        height: 230 + named.length * 14,
        marginLeft: 10,
        marginRight: 10,
        x: { domain, label: texts.score, ticks: Math.max(3, Math.floor(width / 90)) },
        y: { axis: null, domain: [-top * 0.08, Math.max(top, ...rows.map((row) => row.y)) + step] },
        marks: [
          Plot.areaY(curve, { x: "x", y: "y", className: "density", fill: "var(--accent-soft)" }),
          Plot.lineY(curve, { x: "x", y: "y", stroke: "var(--accent)" }),
          Plot.ruleX(shown, {
            x: "score",
            y1: -top * 0.08,
            y2: -top * 0.01,
            stroke: "var(--muted)",
            strokeOpacity: 0.7,
            title: ({ score }: { readonly score: number }) => scoreInFigures(score),
          }),
          Plot.rectX(bands, { x1: "low", x2: "high", y1: 0, y2: top * 1.05, fill: "var(--marker)", fillOpacity: 0.14 }),
          Plot.ruleX(rows, { x: "score", y1: 0, y2: "y", stroke: "var(--marker)", strokeWidth: 2 }),
          Plot.text(
            rows.filter((row) => !isRight(row.score)),
            { x: "score", y: "y", text: "short", textAnchor: "start", dx: 6, fill: "var(--ink)", fontSize: 12 },
          ),
          Plot.text(
            rows.filter((row) => isRight(row.score)),
            { x: "score", y: "y", text: "short", textAnchor: "end", dx: -6, fill: "var(--ink)", fontSize: 12 },
          ),
        ],
      };
    },
    [population, placed, shown, texts],
  );
  return (
    <PlotFigure label={label} caption={caption} draw={draw}>
      <table>
        <ColumnNames names={[texts.title, texts.score, texts.percentile]} />
        <tbody>
          {placed.map((one) => (
            <tr key={one.name}>
              <th scope="row">{one.name}</th>
              <td className="number">{scoreInFigures(one.score)}</td>
              <td className="number">{texts.percentileShort(percentileIn(population, one.score))}</td>
            </tr>
          ))}
          {shown.map(({ score, rank }) => (
            <tr key={rank}>
              <th scope="row">{texts.publishedBook(rank)}</th>
              <td className="number">{scoreInFigures(score)}</td>
              <td className="number">{texts.percentileShort(percentileIn(population, score))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </PlotFigure>
  );
}

function percentileIn(population: readonly number[], score: number): number {
  return Math.round((population.filter((value) => value <= score).length / Math.max(1, population.length)) * 100);
}

/** Points of a smooth curve over a population: the same curve that reports draw. Empty where a population has no spread. */
export function density(
  values: readonly number[],
  [low, high]: readonly [number, number],
  steps = 120,
): { readonly x: number; readonly y: number }[] {
  const height = kernelDensity(values);
  if (!height) return [];
  return Array.from({ length: steps + 1 }, (_, step) => {
    const x = low + ((high - low) * step) / steps;
    return { x, y: height(x) };
  });
}

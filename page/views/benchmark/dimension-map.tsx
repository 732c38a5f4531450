import type { BenchmarkDetails } from "../../../src/api/benchmarks.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const steps = 5;

/** A table whose cells are shaded within each dimension: a heat map that can also be read. */
export function DimensionMap({ details }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const shadeOf = new Map(
    details.dimensions.map(({ id }) => [id, shades(details.writerRows.map((writer) => writer.dimensions[id] ?? null))]),
  );
  return (
    <>
      <p className="hint">{texts.heatMapHint}</p>
      <TableScroller label={texts.heatMap}>
        <table className="dimension-map">
          <ColumnNames names={[texts.writer, ...details.dimensions.map(({ name }) => name)]} />
          <tbody>
            {details.writerRows.map((writer) => (
              <tr key={writer.name}>
                <th scope="row">{writer.name}</th>
                {details.dimensions.map(({ id }) => {
                  const value = writer.dimensions[id] ?? null;
                  return (
                    <td key={id} className={value === null ? "unscored" : `shade-${shadeOf.get(id)?.(value) ?? 0}`}>
                      {value === null ? "–" : value.toFixed(1)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </>
  );
}

function shades(values: readonly (number | null)[]): (value: number) => number {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const span = Math.max(...known) - low;
  return (value) => (span === 0 ? 2 : Math.min(steps - 1, Math.floor(((value - low) / span) * steps)));
}

import type { BenchmarkDetails, WriterPair } from "../../../src/api/benchmarks.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { signed } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** Every two writers: the difference of their composites, row minus column. Those told apart are in bold. */
export function PairMatrix({ details: { writerRows, pairs } }: { readonly details: BenchmarkDetails }) {
  const texts = useTexts();
  const compared = new Set(pairs.flatMap(({ first, second }) => [first, second]));
  const rows = writerRows.filter(({ name }) => compared.has(name));
  const found = new Map(pairs.map((pair) => [`${pair.first}\u0000${pair.second}`, pair]));
  return (
    <>
      <p className="hint">{texts.pairsHint}</p>
      <TableScroller label={texts.pairs}>
        <table className="pair-matrix">
          <ColumnNames names={[texts.writer, ...rows.map(({ name }) => name)]} />
          <tbody>
            {rows.map(({ name }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {rows.map((other) => {
                  const pair = found.get(`${name}\u0000${other.name}`);
                  const turned = found.get(`${other.name}\u0000${name}`);
                  return <Difference key={other.name} pair={pair ?? turned} isTurned={pair === undefined} />;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </>
  );
}

function Difference({ pair, isTurned }: { readonly pair: WriterPair | undefined; readonly isTurned: boolean }) {
  if (!pair) return <td className="muted">·</td>;
  const figure = signed(isTurned ? -pair.difference : pair.difference, 2);
  return (
    <td className="number">
      {pair.isApart ? <strong>{figure}</strong> : <span className="muted">{figure}</span>}
      {pair.adjusted === null ? null : (
        <small className="muted"> p {pair.adjusted < 0.001 ? "< 0.001" : pair.adjusted.toFixed(3)}</small>
      )}
    </td>
  );
}

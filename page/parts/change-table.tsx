import type { ReactNode } from "react";
import type { Change } from "../../src/api/evaluations.ts";
import { useTexts } from "../texts/preferences.tsx";
import { ColumnNames } from "./column-names.tsx";
import { scoreInFigures, signed } from "./formats.ts";
import { TableScroller } from "./table-scroller.tsx";

export type NamedChange = readonly [ReactNode, Change];

/** Scores before and after, and whether a difference is more than the judge may err by. */
export function ChangeTable({
  label,
  first,
  rows,
}: {
  readonly label: string;
  readonly first: string;
  readonly rows: readonly NamedChange[];
}) {
  const texts = useTexts();
  return (
    <TableScroller label={label}>
      <table className="changes">
        <ColumnNames names={[first, texts.before, texts.after, texts.difference, texts.interval, texts.meaning]} />
        <tbody>
          {rows.map(([name, change], position) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two parts may have one title, and the list never changes.
            <tr key={position}>
              <th scope="row">{name}</th>
              <td className="number">{figure(change.before)}</td>
              <td className="number">{figure(change.after)}</td>
              <td className="number">{change.difference === null ? "–" : signed(change.difference)}</td>
              <td className="number">
                {change.interval ? `${signed(change.interval[0])} … ${signed(change.interval[1])}` : "–"}
              </td>
              <td>
                <Meaning change={change} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

/** Without a score on either side nothing is known: that is not "no change". */
function Meaning({ change }: { readonly change: Change }) {
  const texts = useTexts();
  if (change.difference === null) return <span className="unscored">{texts.notComparable}</span>;
  if (change.interval === null && change.difference !== 0) return <span className="unscored">{texts.oneRun}</span>;
  return (
    <span className={change.beyondNoise ? "tag" : "tag quiet"}>
      {change.beyondNoise ? texts.beyondNoise : texts.withinNoise}
    </span>
  );
}

function figure(score: number | null): string {
  return score === null ? "–" : scoreInFigures(score);
}

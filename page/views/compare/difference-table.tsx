import type { ComparisonRow, ComparisonView } from "../../../src/api/comparisons.ts";
import { signed } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { VerdictInWords } from "../../parts/verdict.tsx";
import { useNames, useTexts } from "../../texts/preferences.tsx";

/** Row by row, what the right has over the left, drawn from a line in the middle and with its interval. */
export function DifferenceTable({ view }: { readonly view: ComparisonView }) {
  const texts = useTexts();
  const names = useNames();
  const { minimum, maximum } = view.scale;
  const reach = Math.max(
    (maximum - minimum) / 20,
    ...view.rows.flatMap((row) => [row.difference ?? 0, ...(row.interval ?? [])].map(Math.abs)),
  );
  return (
    <TableScroller label={texts.difference}>
      <table className="differences">
        <caption>
          {view.isSameBook ? texts.sameBook : texts.twoBooks} · {texts.differenceHint(minimum, maximum)}
        </caption>
        <thead>
          <tr>
            <th scope="col">{texts.aspect}</th>
            <th scope="col">{texts.left}</th>
            <th scope="col">{texts.right}</th>
            <th scope="col">{texts.difference}</th>
            <th scope="col" className="wide">
              {texts.interval}
            </th>
            <th scope="col">
              <span className="visually-hidden">{texts.clear}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {view.rows.map((row) => (
            <tr key={row.id}>
              <th scope="row">{row.id === "overall" ? texts.overall : names.aspect(row.id, row.name)}</th>
              <td>
                <VerdictInWords verdict={row.left} />
              </td>
              <td>
                <VerdictInWords verdict={row.right} />
              </td>
              <td className="number">{row.difference === null ? "–" : signed(row.difference)}</td>
              <td className="wide">
                <DifferenceBar row={row} reach={reach} />
              </td>
              <td>
                {row.isClear === null ? null : (
                  <span className={row.isClear ? "tag" : "tag quiet"}>
                    {row.isClear ? texts.clear : texts.notClear}
                  </span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

function DifferenceBar({ row, reach }: { readonly row: ComparisonRow; readonly reach: number }) {
  const texts = useTexts();
  if (row.difference === null) return null;
  const percent = (value: number) => 50 + (Math.max(-reach, Math.min(reach, value)) / reach) * 50;
  const zero = 50;
  const end = percent(row.difference);
  return (
    <>
      <span className="difference-bar" aria-hidden="true">
        <i
          className={row.difference >= 0 ? "fill" : "fill lower"}
          style={{ left: `${Math.min(zero, end)}%`, width: `${Math.abs(end - zero)}%` }}
        />
        {row.interval ? (
          <i
            className="whisker"
            style={{
              left: `${percent(row.interval[0])}%`,
              width: `${percent(row.interval[1]) - percent(row.interval[0])}%`,
            }}
          />
        ) : null}
      </span>
      <span className="number muted">
        {row.interval ? `${signed(row.interval[0])} … ${signed(row.interval[1])}` : texts.noInterval}
      </span>
    </>
  );
}

import type { FigureChange } from "../../../src/api/drafts.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { figureInWords, rangeInWords } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useNames, useTexts } from "../../texts/preferences.tsx";

/** Figures of the manuscript map that differ, beside published novels. */
export function FigureChanges({ figures }: { readonly figures: readonly FigureChange[] }) {
  const texts = useTexts();
  const names = useNames();
  const changed = figures.filter(
    ({ before, after, unit }) => figureInWords(before, unit) !== figureInWords(after, unit),
  );
  if (changed.length === 0) return null;
  const isOutside = (value: number | null, reference: FigureChange["reference"]) =>
    value !== null && reference !== null && (value < reference.low || value > reference.high);
  return (
    <section>
      <h2>{texts.figureChanges}</h2>
      <p className="hint">
        {texts.figureChangesHint} {texts.onlyChangedFigures}
      </p>
      <TableScroller label={texts.figureChanges}>
        <table>
          <ColumnNames names={[texts.figureName, texts.before, texts.after, texts.referenceRange]} />
          <tbody>
            {changed.map(({ id, name, unit, before, after, reference }) => (
              <tr key={id}>
                <th scope="row">{names.figure(id, name)}</th>
                {[before, after].map((value, position) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two columns, always in this order.
                  <td key={position} className="number">
                    {figureInWords(value, unit)}
                    {isOutside(value, reference) ? <small className="doubt"> {texts.outsideRange}</small> : null}
                  </td>
                ))}
                <td className="number muted">{reference ? rangeInWords(reference.low, reference.high, unit) : "–"}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

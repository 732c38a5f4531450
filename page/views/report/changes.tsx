import type { BookEvaluation, Change, DraftChanges } from "../../../src/api/evaluations.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { scoreInFigures, signed } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** How this draft differs from the earlier one, and whether that is more than the judge's own noise. */
export function Changes({
  evaluation,
  changes,
}: {
  readonly evaluation: BookEvaluation;
  readonly changes: DraftChanges;
}) {
  const texts = useTexts();
  const whole: NamedChange[] = [
    [texts.overall, changes.overall],
    ...evaluation.aspects.flatMap((aspect): NamedChange[] => {
      const change = changes.aspects[aspect.id];
      return change ? [[aspect.name, change]] : [];
    }),
  ];
  const parts = changes.segments.map(({ title, overall }): NamedChange => [title, overall]);
  return (
    <section>
      <h2>{texts.changes}</h2>
      <p>{texts.changesCounted(parts.length, changes.unchanged, changes.removed)}</p>
      <ChangeTable label={texts.changes} first={texts.aspect} rows={whole} />
      {parts.length > 0 ? (
        <>
          <h3>{texts.changedParts}</h3>
          <ChangeTable label={texts.changedParts} first={texts.changedPart} rows={parts} />
        </>
      ) : null}
    </section>
  );
}

type NamedChange = readonly [string, Change];

function ChangeTable({
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
  return (
    <span className={change.beyondNoise ? "tag" : "tag quiet"}>
      {change.beyondNoise ? texts.beyondNoise : texts.withinNoise}
    </span>
  );
}

function figure(score: number | null): string {
  return score === null ? "–" : scoreInFigures(score);
}

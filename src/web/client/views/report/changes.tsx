import type { Change, DraftChanges } from "../../../../judge/drafts/change-schema.ts";
import type { BookEvaluation } from "../../../../judge/evaluation.ts";
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
  const rows: [string, Change][] = [
    [texts.overall, changes.overall],
    ...evaluation.aspects.flatMap((aspect): [string, Change][] => {
      const change = changes.aspects[aspect.id];
      return change ? [[aspect.name, change]] : [];
    }),
  ];
  return (
    <section>
      <h2>{texts.changes}</h2>
      <TableScroller label={texts.changes}>
        <table>
          <ColumnNames names={[texts.aspect, texts.before, texts.after, texts.difference, texts.interval]} />
          <tbody>
            {rows.map(([name, change]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td className="number">{figure(change.before)}</td>
                <td className="number">{figure(change.after)}</td>
                <td className="number">{change.difference === null ? "–" : signed(change.difference)}</td>
                <td>
                  {change.interval ? `${signed(change.interval[0])} … ${signed(change.interval[1])} · ` : ""}
                  <span className="muted">{change.beyondNoise ? texts.beyondNoise : texts.withinNoise}</span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

function figure(score: number | null): string {
  return score === null ? "–" : scoreInFigures(score);
}

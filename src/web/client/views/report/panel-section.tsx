import type { BookEvaluation, Panel } from "../../../../judge/evaluation.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { scoreInFigures } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { VerdictInWords } from "../../parts/verdict.tsx";
import { useTexts } from "../../texts/preferences.tsx";

/** What each judge of a panel said, side by side. */
export function PanelSection({ evaluation, panel }: { readonly evaluation: BookEvaluation; readonly panel: Panel }) {
  const texts = useTexts();
  const aspects = evaluation.aspects.filter((aspect) => aspect.parent === undefined);
  return (
    <section>
      <h2>{texts.panel}</h2>
      {panel.difference === null ? null : <p>{texts.panelAgreement(scoreInFigures(panel.difference))}</p>}
      <TableScroller label={texts.panel}>
        <table>
          <ColumnNames names={[texts.judge, texts.overall, ...aspects.map(({ name }) => name)]} />
          <tbody>
            {panel.judges.map((judge) => (
              <tr key={judge.judge}>
                <th scope="row">{judge.judge}</th>
                <td>
                  <VerdictInWords verdict={judge.overall} />
                </td>
                {aspects.map((aspect) => {
                  const verdict = judge.aspects[aspect.id];
                  return <td key={aspect.id}>{verdict ? <VerdictInWords verdict={verdict} /> : "–"}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

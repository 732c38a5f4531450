import type { BookEvaluation, Panel } from "../../../src/api/evaluations.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { scoreInFigures } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { VerdictInWords } from "../../parts/verdict.tsx";
import { useNames, useTexts } from "../../texts/preferences.tsx";

/** What each judge of a panel said, side by side: aspects are more than judges, and read better downwards. */
export function PanelSection({ evaluation, panel }: { readonly evaluation: BookEvaluation; readonly panel: Panel }) {
  const texts = useTexts();
  const names = useNames();
  const aspects = evaluation.aspects;
  return (
    <section>
      <h2>{texts.panel}</h2>
      {panel.difference === null ? null : <p>{texts.panelAgreement(scoreInFigures(panel.difference))}</p>}
      <TableScroller label={texts.panel}>
        <table className="panel-judges">
          <ColumnNames
            names={[texts.aspect, ...panel.judges.map(({ judge }) => <JudgeLabel key={judge} judge={judge} />)]}
          />
          <tbody>
            <tr>
              <th scope="row">{texts.overall}</th>
              {panel.judges.map(({ judge, overall }) => (
                <td key={judge}>
                  <VerdictInWords verdict={overall} />
                </td>
              ))}
            </tr>
            {aspects.map(({ id, name }) => (
              <tr key={id}>
                <th scope="row">{names.aspect(id, name)}</th>
                {panel.judges.map((judge) => {
                  const verdict = judge.aspects[id];
                  return <td key={judge.judge}>{verdict ? <VerdictInWords verdict={verdict} /> : "–"}</td>;
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

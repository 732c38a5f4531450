import type { JudgeStanding } from "../../../src/api/votes.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { signed } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** Which judge goes its own way. The name leads to what is known of whether it can be trusted. */
export function JudgeStandings({ standings }: { readonly standings: readonly JudgeStanding[] }) {
  const texts = useTexts();
  return (
    <section aria-label={texts.againstOthers}>
      <h2>{texts.againstOthers}</h2>
      <p className="hint">{texts.againstOthersNote}</p>
      <TableScroller label={texts.againstOthers}>
        <table className="standings">
          <ColumnNames
            names={[
              texts.judge,
              texts.correlationWithOthers,
              texts.intervalShare,
              texts.leanColumn,
              texts.distanceColumn,
              texts.verdictsColumn,
            ]}
          />
          <tbody>
            {standings.map((standing) => (
              <tr key={standing.name}>
                <th scope="row">
                  <a href={to(["evaluations", standing.evaluationId], { tab: "trust" })}>
                    <JudgeLabel judge={standing.judge} name={standing.name} />
                  </a>{" "}
                  {standing.standsApart ? <span className="tag">{texts.standsApart}</span> : null}
                </th>
                <td className="number">{standing.correlation ? signed(standing.correlation.value, 2) : "–"}</td>
                <td className="number muted">
                  {standing.correlation?.interval
                    ? standing.correlation.interval.map((end) => signed(end, 2)).join(" … ")
                    : "–"}
                </td>
                <td className="number">{signed(standing.lean)}</td>
                <td className="number">{standing.distance.toFixed(1)}</td>
                <td className="number">{standing.verdicts.toLocaleString("en-GB")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

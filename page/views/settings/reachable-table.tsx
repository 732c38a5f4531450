import { useCallback, useState } from "react";
import type { Reachable } from "../../../src/api/settings.ts";
import { send } from "../../api/request.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { usePreferences } from "../../texts/preferences.tsx";

/** What can be reached now, and how quickly. Checked when asked for: it goes out to the providers. */
export function ReachableTable() {
  const { texts, language } = usePreferences();
  const [found, setFound] = useState<readonly Reachable[] | null>(null);
  const check = useAction(
    useCallback(async () => setFound(await send<readonly Reachable[]>("POST", "/api/settings/check")), []),
  );
  const states = { ready: texts.reachReady, absent: texts.reachAbsent, broken: texts.reachBroken };
  return (
    <section>
      <h2>{texts.reachableHeading}</h2>
      <p>{texts.reachableNote}</p>
      <button type="button" disabled={check.isBusy} onClick={() => void check.run()}>
        {check.isBusy ? texts.checking : texts.checkNow}
      </button>
      {check.problem ? <ProblemNotice problem={check.problem} /> : null}
      {found ? (
        <TableScroller label={texts.reachableHeading}>
          <table>
            <ColumnNames names={[texts.provider, texts.status, texts.latency, texts.detail]} />
            <tbody>
              {found.map(({ name, state, detail, milliseconds }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td className={state === "broken" ? "doubt" : ""}>{states[state]}</td>
                  <td className="number">{milliseconds === null ? "–" : texts.milliseconds(milliseconds)}</td>
                  <td lang={language === "en" ? undefined : "en"}>{detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      ) : null}
    </section>
  );
}

import type { RunCallRow } from "../../../src/api/runs.ts";
import { usePages } from "../../api/use-pages.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { moment, money } from "../../parts/formats.ts";
import { LoadMore } from "../../parts/load-more.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { usePreferences } from "../../texts/preferences.tsx";
import "./runs.css";

const nothing = {};
const LONGEST_SUMMARY = 60;

/** Every call of a run with its reply as the model wrote it: shown as text, whatever is in it. */
export function RunCalls({ id }: { readonly id: string }) {
  const { texts, language } = usePreferences();
  const pages = usePages<RunCallRow>(`/api/runs/${encodeURIComponent(id)}/calls`, nothing, 30);
  return (
    <section>
      <h2>{texts.everyCall}</h2>
      {pages.items.length === 0 && !pages.isLoading ? <p className="muted">{texts.noCalls}</p> : null}
      {pages.items.length > 0 ? (
        <TableScroller label={texts.everyCall}>
          <table className="calls">
            <ColumnNames names={[texts.at, texts.model, texts.purpose, texts.outcome, texts.cost, texts.reply]} />
            <tbody>
              {pages.items.map((call) => (
                <tr key={call.position}>
                  <td className="moment">{moment(call.at, language)}</td>
                  <td>{call.model}</td>
                  <td>{call.purpose}</td>
                  <td>
                    {call.outcome}
                    {call.reason ? <span className="muted">: {call.reason}</span> : null}
                  </td>
                  <td className="number">{call.cost === null ? texts.unknown : money(call.cost)}</td>
                  <td>
                    {call.reply === null ? (
                      "–"
                    ) : (
                      <details>
                        <summary>{beginning(call.reply)}</summary>
                        <pre>{call.reply}</pre>
                      </details>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      ) : null}
      <LoadMore pages={pages} />
    </section>
  );
}

function beginning(reply: string): string {
  return reply.length <= LONGEST_SUMMARY ? reply : `${reply.slice(0, LONGEST_SUMMARY)}…`;
}

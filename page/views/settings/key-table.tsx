import { useCallback } from "react";
import type { ServerFacts } from "../../../src/api/settings.ts";
import { send } from "../../api/request.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";
import { KeyForm } from "../evaluate/key-form.tsx";

/** Which providers have a key, and from where; a key itself is never shown. */
export function KeyTable({ keys, onChange }: { readonly keys: ServerFacts["keys"]; readonly onChange: () => void }) {
  const texts = useTexts();
  const forget = useAction(
    useCallback(
      async (variable: string) => {
        await send("DELETE", `/api/keys/${encodeURIComponent(variable)}`);
        onChange();
      },
      [onChange],
    ),
  );
  const origins = { environment: texts.keyEnvironment, session: texts.keySession };
  return (
    <section>
      <h2>{texts.keysHeading}</h2>
      <p>{texts.keysNote}</p>
      <TableScroller label={texts.keysHeading}>
        <table>
          <ColumnNames names={[texts.provider, texts.status, texts.detail]} />
          <tbody>
            {keys.map(({ provider, variable, origin }) => (
              <tr key={provider}>
                <th scope="row">{provider}</th>
                <td className="moment">{origin === null ? texts.keyMissing : origins[origin]}</td>
                <td>
                  {origin === "session" ? (
                    <button type="button" className="quiet" onClick={() => void forget.run(variable)}>
                      {texts.forgetKey}
                    </button>
                  ) : null}
                  {origin === "environment" ? <code>{variable}</code> : null}
                  {origin === null ? <KeyForm variable={variable} onKey={onChange} /> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {forget.problem ? <ProblemNotice problem={forget.problem} /> : null}
    </section>
  );
}

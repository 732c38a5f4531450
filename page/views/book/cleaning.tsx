import { useState } from "react";
import type { BookDetails } from "../../../src/api/books.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const atFirst = 20;

/** What was in the file and will not be judged, with the rule that removed it, so that a user can check. */
export function Cleaning({ removed }: { readonly removed: BookDetails["removed"] }) {
  const texts = useTexts();
  const [shown, setShown] = useState(atFirst);
  if (removed.length === 0)
    return (
      <section>
        <h2>{texts.cleanedAway}</h2>
        <p className="muted">{texts.cleanedNothing}</p>
      </section>
    );
  return (
    <section>
      <h2>{texts.cleanedAway}</h2>
      <p className="hint">{texts.cleanedHint(removed.length)}</p>
      <TableScroller label={texts.cleanedAway}>
        <table>
          <ColumnNames names={[texts.rule, texts.where, texts.text]} />
          <tbody>
            {removed.slice(0, shown).map((removal, position) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same line may be taken out twice, and the list never changes.
              <tr key={position}>
                <td>{removal.rule}</td>
                <td className="muted">{removal.where}</td>
                <td className="removed-text">{removal.text}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TableScroller>
      {shown < removed.length ? (
        <div className="load-more">
          <span className="muted">{texts.rowsOf(shown, removed.length)}</span>
          <button type="button" onClick={() => setShown(shown + 200)}>
            {texts.more}
          </button>
        </div>
      ) : null}
    </section>
  );
}

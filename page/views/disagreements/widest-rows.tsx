import type { DisagreementRow } from "../../../src/api/votes.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { to } from "../../routing.ts";
import { useNames, useTexts } from "../../texts/preferences.tsx";

interface WidestRowsProps {
  readonly rows: readonly DisagreementRow[];
  readonly linkTo: (row: DisagreementRow) => string;
}

/** Books and aspects by how far the judges' scores lie apart; no names, since a vote may follow. */
export function WidestRows({ rows, linkTo }: WidestRowsProps) {
  const texts = useTexts();
  const names = useNames();
  return (
    <section aria-label={texts.widest}>
      <h2>{texts.widest}</h2>
      <TableScroller label={texts.widest}>
        <table className="widest">
          <ColumnNames names={[texts.book, texts.aspect, texts.spreadColumn, texts.scoresColumn, texts.voteOnThis]} />
          <tbody>
            {rows.map((row) => {
              const aspect = row.aspect === "overall" ? texts.overall : names.aspect(row.aspect, row.aspectName);
              return (
                <tr key={row.id}>
                  <th scope="row">
                    <a href={to(["books", row.bookId])}>{row.title}</a>
                  </th>
                  <td>
                    {aspect}{" "}
                    {row.passages.length > 0 ? (
                      <span className="tag quiet">{texts.passageDisputed(row.passages.length)}</span>
                    ) : null}
                  </td>
                  <td className="number">{row.spread.toFixed(1)}</td>
                  <td>
                    <ScoreDots scores={row.scores} />
                    <span className="number muted">{row.scores.map((score) => score.toFixed(1)).join(" · ")}</span>
                  </td>
                  <td>
                    <a href={linkTo(row)} aria-label={`${texts.voteOnThis}: ${row.title}, ${aspect}`}>
                      {texts.voteOnThis}
                    </a>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </TableScroller>
    </section>
  );
}

function ScoreDots({ scores }: { readonly scores: readonly number[] }) {
  return (
    <span className="share-bar" aria-hidden="true">
      {scores.map((score, position) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two scores may be alike.
        <i key={position} className="dot" style={{ left: `${Math.max(0, Math.min(100, score))}%` }} />
      ))}
    </span>
  );
}

import type { ReaderSummary } from "../../../src/api/readers.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { ImportForm } from "./import-form.tsx";

export default function ReadersView() {
  const texts = useTexts();
  const readers = useAnswer<readonly ReaderSummary[]>("/api/readers");
  return (
    <View title={texts.readers}>
      <p>{texts.readersIntroduction}</p>
      <div className="two-columns">
        <Waiting asked={readers}>{(list) => <ReaderTable readers={list} />}</Waiting>
        <ImportForm onImported={readers.reload} />
      </div>
    </View>
  );
}

function ReaderTable({ readers }: { readonly readers: readonly ReaderSummary[] }) {
  const texts = useTexts();
  if (readers.length === 0)
    return (
      <div className="empty-state">
        <strong>{texts.noReaders}</strong>
        <p>{texts.readerFile}</p>
      </div>
    );
  return (
    <TableScroller label={texts.readers}>
      <table>
        <ColumnNames names={[texts.readerName, texts.reviews, texts.meanRating, texts.bookLanguage]} />
        <tbody>
          {readers.map((reader) => (
            <tr key={reader.name}>
              <th scope="row">
                <a href={to(["readers", reader.name])}>{reader.name}</a>
              </th>
              <td className="number">{reader.reviews}</td>
              <td className="number">{reader.meanRating?.toFixed(2) ?? "–"}</td>
              <td>{reader.language}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

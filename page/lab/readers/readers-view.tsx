import { useCallback, useRef, useState } from "react";
import type { ReaderImport, ReaderSummary } from "../../../src/api/readers.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Field } from "../../parts/field.tsx";
import { languageInWords } from "../../parts/formats.ts";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useAction } from "../../parts/use-action.ts";
import { useDrop } from "../../parts/use-drop.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";

export default function ReadersView() {
  const texts = useTexts();
  const readers = useAnswer(api.readers);
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
  const { texts, language } = usePreferences();
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
              <td>{languageInWords(reader.language, language)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </TableScroller>
  );
}

/** A reading history becomes a reader whose taste can be asked about. */
function ImportForm({ onImported }: { readonly onImported: () => void }) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [name, setName] = useState("");
  const [scale, setScale] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const form = useRef<HTMLFormElement>(null);
  const isDragging = useDrop(
    useCallback(([first]) => {
      if (!first || !file.current) return;
      // A dropped file stands in the field as if it had been chosen there: one way in, one set of checks.
      const holder = new DataTransfer();
      holder.items.add(first);
      file.current.files = holder.files;
      form.current?.requestSubmit();
    }, []),
  );
  const [imported, setImported] = useState<ReaderImport | null>(null);
  const importing = useAction(
    useCallback(async () => {
      const chosen = file.current?.files?.[0];
      if (!chosen) return;
      const fields = { name: name.trim(), ...(scale !== "" && { scale }) };
      const result = await ask(api.readers.$post, { form: { ...fields, file: chosen } });
      setImported(result);
      announce(texts.imported(result.imported, result.reader.name));
      onImported();
    }, [name, scale, announce, texts, onImported]),
  );
  return (
    <form
      ref={form}
      className={isDragging ? "panel drop-target" : "panel"}
      aria-label={texts.importReader}
      onSubmit={(event) => {
        event.preventDefault();
        void importing.run();
      }}
    >
      <h2 className="form-heading">{texts.importReader}</h2>
      <p className="hint">{texts.dropReaderFile}</p>
      <Field label={texts.readerName}>
        {(attributes) => (
          <input {...attributes} required value={name} onChange={(event) => setName(event.target.value)} />
        )}
      </Field>
      <Field label={texts.file} hint={texts.readerFile}>
        {(attributes) => <input {...attributes} ref={file} type="file" required accept=".csv,.jsonl,.json,.txt" />}
      </Field>
      <Field label={texts.readerScale}>
        {(attributes) => (
          <select {...attributes} value={scale} onChange={(event) => setScale(event.target.value)}>
            <option value="">5</option>
            <option value="10">10</option>
            <option value="20">20</option>
            <option value="100">100</option>
          </select>
        )}
      </Field>
      <button type="submit" className="primary" disabled={importing.isBusy}>
        {texts.importButton}
      </button>
      {imported ? (
        <div className="notice">
          <p>
            <a href={to(["readers", imported.reader.name])}>
              {texts.imported(imported.imported, imported.reader.name)}
            </a>
          </p>
          {imported.without > 0 ? <p>{texts.importedWithout(imported.without)}</p> : null}
          {imported.repeats > 0 ? <p>{texts.importedRepeats(imported.repeats)}</p> : null}
        </div>
      ) : null}
      {importing.problem ? <ProblemNotice problem={importing.problem} /> : null}
    </form>
  );
}

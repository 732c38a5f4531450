import { useCallback, useRef, useState } from "react";
import type { ReaderImport } from "../../../src/api/readers.ts";
import { send } from "../../api/request.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

/** A reading history becomes a reader whose taste can be asked about. */
export function ImportForm({ onImported }: { readonly onImported: () => void }) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const [name, setName] = useState("");
  const [scale, setScale] = useState("");
  const file = useRef<HTMLInputElement>(null);
  const [imported, setImported] = useState<ReaderImport | null>(null);
  const importing = useAction(
    useCallback(async () => {
      const chosen = file.current?.files?.[0];
      if (!chosen) return;
      const form = new FormData();
      form.append("name", name.trim());
      form.append("file", chosen, chosen.name);
      if (scale !== "") form.append("scale", scale);
      const result = await send<ReaderImport>("POST", "/api/readers", form);
      setImported(result);
      announce(texts.imported(result.imported, result.reader.name));
      onImported();
    }, [name, scale, announce, texts, onImported]),
  );
  return (
    <form
      className="panel"
      aria-label={texts.importReader}
      onSubmit={(event) => {
        event.preventDefault();
        void importing.run();
      }}
    >
      <h2 className="form-heading">{texts.importReader}</h2>
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

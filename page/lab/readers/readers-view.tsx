import { useCallback, useRef, useState } from "react";
import type { ReaderImport, ReaderSummary } from "../../../src/api/readers.ts";
import { api, ask } from "../../api/client.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ActionForm, fileIn } from "../../parts/action.tsx";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Field, Input } from "../../parts/field.tsx";
import { languageInWords } from "../../parts/formats.ts";
import { Table } from "../../parts/table.tsx";
import { useDrop } from "../../parts/use-drop.ts";
import { View } from "../../parts/view.tsx";
import { Waiting } from "../../parts/waiting.tsx";
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
    <Table
      label={texts.readers}
      rows={readers}
      columns={[
        [texts.readerName, ({ name }) => <a href={to(["readers", name])}>{name}</a>],
        [texts.reviews, ({ reviews }) => reviews, "number"],
        [texts.meanRating, ({ meanRating }) => meanRating?.toFixed(2) ?? "–", "number"],
        [texts.bookLanguage, (reader) => languageInWords(reader.language, language)],
      ]}
    />
  );
}

/** A reading history becomes a reader whose taste can be asked about. */
function ImportForm({ onImported }: { readonly onImported: () => void }) {
  const texts = useTexts();
  const announce = useAnnouncer();
  const file = useRef<HTMLInputElement>(null);
  const isDragging = useDrop(
    useCallback(([first]) => {
      if (!first || !file.current) return;
      // A dropped file stands in the field as if it had been chosen there: one way in, one set of checks.
      const holder = new DataTransfer();
      holder.items.add(first);
      file.current.files = holder.files;
      file.current.form?.requestSubmit();
    }, []),
  );
  const [imported, setImported] = useState<ReaderImport | null>(null);
  return (
    <ActionForm
      className={isDragging ? "panel drop-target" : "panel"}
      label={texts.importReader}
      submit={texts.importButton}
      act={async (given) => {
        const name = String(given.get("name")).trim();
        const scale = String(given.get("scale"));
        const form = { name, ...(scale !== "" && { scale }), file: fileIn(given) };
        const result = await ask(api.readers.$post, { form });
        setImported(result);
        announce(texts.imported(result.imported, result.reader.name));
        onImported();
      }}
      below={() => (imported ? <Imported imported={imported} /> : null)}
    >
      <h2 className="form-heading">{texts.importReader}</h2>
      <p className="hint">{texts.dropReaderFile}</p>
      <Input label={texts.readerName} name="name" required />
      <Input
        label={texts.file}
        hint={texts.readerFile}
        name="file"
        ref={file}
        type="file"
        required
        accept=".csv,.jsonl,.json,.txt"
      />
      <Field label={texts.readerScale}>
        {(attributes) => (
          <select {...attributes} name="scale">
            <option value="">5</option>
            {[10, 20, 100].map((highest) => (
              <option key={highest}>{highest}</option>
            ))}
          </select>
        )}
      </Field>
    </ActionForm>
  );
}

function Imported({ imported: { imported, reader, without, repeats } }: { readonly imported: ReaderImport }) {
  const texts = useTexts();
  return (
    <div className="notice">
      <p>
        <a href={to(["readers", reader.name])}>{texts.imported(imported, reader.name)}</a>
      </p>
      {without > 0 ? <p>{texts.importedWithout(without)}</p> : null}
      {repeats > 0 ? <p>{texts.importedRepeats(repeats)}</p> : null}
    </div>
  );
}

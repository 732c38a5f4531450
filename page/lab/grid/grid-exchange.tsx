import { useRef, useState } from "react";
import type { ImportAnswer } from "../../../src/api/grid.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { saveFile } from "../../api/save-file.ts";
import { Field } from "../../parts/field.tsx";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { useTexts } from "../../texts/preferences.tsx";

const FIELDS = [
  ["judgeScale", "importJudgeScale", "importJudgeScaleHint"],
  ["peopleScale", "importPeopleScale", "importPeopleScaleHint"],
  ["human", "trustHuman", "importHumanHint"],
  ["judge", "trustJudges", "importJudgesHint"],
  ["rater", "trustRater", "trustRaterHint"],
  ["id", "importId", "importIdHint"],
] as const;
/** The rest is wanted less often. */
const FIRST = 2;
const SHAPES = ["csv", "jsonl", "inspect.json", "promptfoo.json", "langfuse.jsonl", "langsmith.jsonl"];

/** Verdicts, ratings and votes made elsewhere come in, and what the grid holds goes out in the same shapes. */
export function GridExchange({ onImported }: { readonly onImported: () => void }) {
  const texts = useTexts();
  return (
    <details className="grid-exchange">
      <summary>{texts.exchange}</summary>
      <ImportForm onImported={onImported} />
      <Export />
    </details>
  );
}

function ImportForm({ onImported }: { readonly onImported: () => void }) {
  const texts = useTexts();
  const form = useRef<HTMLFormElement>(null);
  const [answer, setAnswer] = useState<ImportAnswer | null>(null);
  const importing = useAction(async () => {
    if (!form.current) return;
    const given = new FormData(form.current);
    // The fields come before the file: what is sent after it may be read too late.
    const columns = Object.fromEntries(FIELDS.map(([name]) => [name, String(given.get(name) ?? "")]));
    const file = given.get("file");
    if (!(file instanceof File)) return;
    setAnswer(null);
    setAnswer(await ask(api.grid.import.$post, { form: { ...columns, file } }));
    onImported();
  });
  const field = ([name, label, hint]: (typeof FIELDS)[number]) => (
    <Field key={name} label={texts[label]} hint={texts[hint]}>
      {(attributes) => <input {...attributes} name={name} type="text" maxLength={1000} autoComplete="off" />}
    </Field>
  );
  return (
    <form
      className="panel"
      ref={form}
      aria-label={texts.importVerdicts}
      onSubmit={(event) => {
        event.preventDefault();
        void importing.run();
      }}
    >
      <Field label={texts.importFile} hint={texts.importFileHint}>
        {(attributes) => (
          <input {...attributes} name="file" type="file" required accept=".csv,.tsv,.jsonl,.json,.parquet,.eval,.gz" />
        )}
      </Field>
      <div className="toolbar">{FIELDS.slice(0, FIRST).map(field)}</div>
      <details>
        <summary>{texts.trustMoreColumns}</summary>
        {FIELDS.slice(FIRST).map(field)}
      </details>
      <button type="submit" className="primary" disabled={importing.isBusy}>
        {texts.importVerdicts}
      </button>
      <ProblemNotice problem={importing.problem} />
      <div role="status">{answer ? <p>{importedInWords(answer, texts)}</p> : null}</div>
    </form>
  );
}

function importedInWords(
  { verdicts, judges, elsewhere, votes, unused }: ImportAnswer,
  texts: ReturnType<typeof useTexts>,
): string {
  return [
    verdicts > 0 ? texts.importedVerdicts(verdicts, judges.join(", ")) : null,
    elsewhere.length > 0 ? texts.importedElsewhere(elsewhere.length) : null,
    votes > 0 ? texts.importedVotes(votes) : null,
    unused > 0 ? texts.importedUnused(unused) : null,
  ]
    .filter((sentence) => sentence !== null)
    .join(" ");
}

function Export() {
  const texts = useTexts();
  const [format, setFormat] = useState("csv");
  const saving = useAction(() => saveFile(pathOf(api.grid.export, { query: { format } })));
  return (
    <div className="toolbar">
      <Field label={texts.exportShape} hint={texts.exportShapeHint}>
        {(attributes) => (
          <select {...attributes} value={format} onChange={(event) => setFormat(event.target.value)}>
            {SHAPES.map((shape) => (
              <option key={shape} value={shape}>
                .{shape}
              </option>
            ))}
          </select>
        )}
      </Field>
      <button type="button" onClick={() => void saving.run()} disabled={saving.isBusy}>
        {texts.exportVerdicts}
      </button>
      <ProblemNotice problem={saving.problem} />
    </div>
  );
}

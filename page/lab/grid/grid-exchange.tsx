import { useState } from "react";
import type { ImportAnswer } from "../../../src/api/grid.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { saveFile } from "../../api/save-file.ts";
import { ActionButton, ActionForm, fileIn } from "../../parts/action.tsx";
import { Choice, Input } from "../../parts/field.tsx";
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
  const [answer, setAnswer] = useState<ImportAnswer | null>(null);
  const field = ([name, label, hint]: (typeof FIELDS)[number]) => (
    <Input
      key={name}
      label={texts[label]}
      hint={texts[hint]}
      name={name}
      type="text"
      maxLength={1000}
      autoComplete="off"
    />
  );
  return (
    <ActionForm
      label={texts.importVerdicts}
      submit={texts.importVerdicts}
      act={async (given) => {
        // The fields come before the file: what is sent after it may be read too late.
        const columns = Object.fromEntries(FIELDS.map(([name]) => [name, String(given.get(name) ?? "")]));
        setAnswer(null);
        setAnswer(await ask(api.grid.import.$post, { form: { ...columns, file: fileIn(given) } }));
        onImported();
      }}
      below={() => <div role="status">{answer ? <p>{importedInWords(answer, texts)}</p> : null}</div>}
    >
      <Input
        label={texts.importFile}
        hint={texts.importFileHint}
        name="file"
        type="file"
        required
        accept=".csv,.tsv,.jsonl,.json,.parquet,.eval,.gz"
      />
      <div className="toolbar">{FIELDS.slice(0, FIRST).map(field)}</div>
      <details>
        <summary>{texts.trustMoreColumns}</summary>
        {FIELDS.slice(FIRST).map(field)}
      </details>
    </ActionForm>
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
  return (
    <div className="toolbar">
      <Choice
        label={texts.exportShape}
        hint={texts.exportShapeHint}
        value={format}
        options={SHAPES.map((shape) => [shape, `.${shape}`])}
        onChoose={setFormat}
      />
      <ActionButton act={() => saveFile(pathOf(api.grid.export, { query: { format } }))}>
        {texts.exportVerdicts}
      </ActionButton>
    </div>
  );
}

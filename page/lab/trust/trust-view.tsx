import { useState } from "react";
import type { IntervalRow } from "../../../src/api/evaluations.ts";
import type { TrustAnswer, TrustFigure } from "../../../src/api/trust.ts";
import { api, ask } from "../../api/client.ts";
import { ActionForm, fileIn } from "../../parts/action.tsx";
import { Input } from "../../parts/field.tsx";
import { Table, TextTable } from "../../parts/table.tsx";
import { View } from "../../parts/view.tsx";
import { IntervalPlot } from "../../plots/interval-plot.tsx";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import "../report/trust/trust.css";

const COLUMNS = [
  ["human", "trustHuman", "trustHumanHint"],
  ["judge", "trustJudges", "trustJudgesHint"],
  ["rater", "trustRater", "trustRaterHint"],
  ["system", "trustSystem", "trustSystemHint"],
  ["item", "trustItem", "trustItemHint"],
  ["kind", "trustKind", "trustKindHint"],
] as const;
/** The rest is wanted less often. */
const FIRST = 2;

/** A table of texts, people and judges → which judge to trust, and how many more texts would settle what is open. */
export default function TrustView() {
  const texts = useTexts();
  const [found, setFound] = useState<TrustAnswer | null>(null);
  return (
    <View title={texts.trust} className="trust-view">
      <p>{texts.trustPageIntroduction}</p>
      <TableForm onFound={setFound} />
      {found ? <Answer found={found} /> : null}
    </View>
  );
}

function TableForm({ onFound }: { readonly onFound: (found: TrustAnswer | null) => void }) {
  const texts = useTexts();
  const column = ([name, label, hint]: (typeof COLUMNS)[number]) => (
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
      className="panel trust-form"
      label={texts.trustTable}
      submit={texts.trustAsk}
      act={async (given) => {
        // The columns come before the file: what is sent after it may be read too late.
        const columns = Object.fromEntries(COLUMNS.map(([name]) => [name, String(given.get(name) ?? "")]));
        onFound(null);
        onFound(await ask(api.trust.$post, { form: { ...columns, file: fileIn(given) } }));
      }}
      below={(isBusy) => <div role="status">{isBusy ? <progress aria-label={texts.trustWorking} /> : null}</div>}
    >
      <Input
        label={texts.trustTable}
        hint={texts.trustTableHint}
        name="file"
        type="file"
        required
        accept=".csv,.jsonl,.json,.parquet,.eval,.gz,.tsv"
      />
      {COLUMNS.slice(0, FIRST).map(column)}
      <details>
        <summary>{texts.trustMoreColumns}</summary>
        {COLUMNS.slice(FIRST).map(column)}
      </details>
    </ActionForm>
  );
}

export function Answer({ found }: { readonly found: TrustAnswer }) {
  const { texts, language } = usePreferences();
  const { answer, notes, tables, warnings } = found;
  // Sentences of the server are in English.
  const spoken = language === "en" ? undefined : "en";
  return (
    <div className="trust-answer" lang={spoken}>
      <section className="panel" aria-label={texts.trustAnswer} role="status">
        <h2>{texts.trustAnswer}</h2>
        {answer.map((sentence) => (
          <p key={sentence}>
            <strong>{sentence}</strong>
          </p>
        ))}
        {notes.map((note) => (
          <p key={note} className="muted">
            {note}
          </p>
        ))}
      </section>
      <AgreementPlot found={found} />
      {tables.map((table) => (
        <section key={table.title} aria-label={table.title}>
          <h2>{table.title}</h2>
          <TextTable table={table} />
        </section>
      ))}
      {warnings.map((warning) => (
        <p key={warning} className="notice">
          {warning}
        </p>
      ))}
    </div>
  );
}

function rowOf(name: string, { value, interval }: TrustFigure): IntervalRow[] {
  return value === null ? [] : [{ name, value, low: interval?.[0] ?? value, high: interval?.[1] ?? value }];
}

/** Each judge beside one person: how well it agrees with the others, with its interval. */
function AgreementPlot({ found: { people, judges } }: { readonly found: TrustAnswer }) {
  const texts = useTexts();
  const hasCeiling = people.value !== null;
  const rows = [
    ...rowOf(texts.trustOnePerson, people),
    ...judges.flatMap(({ judge, besidePeople, spearman }) => rowOf(judge, hasCeiling ? besidePeople : spearman)),
  ];
  if (rows.length === 0) return null;
  const caption = hasCeiling ? texts.trustPlotBeside : texts.trustPlotMean;
  return (
    <IntervalPlot rows={rows} axis="ρ" maximum={1} level={people.value ?? undefined} caption={caption}>
      <Table
        label={caption}
        rows={rows}
        columns={[
          [texts.judge, ({ name }) => name],
          ["ρ", ({ value }) => value.toFixed(2), "number"],
          ["95 %", ({ low, high }) => `${low.toFixed(2)} – ${high.toFixed(2)}`, "number"],
        ]}
      />
    </IntervalPlot>
  );
}

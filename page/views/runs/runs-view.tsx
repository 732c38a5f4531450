import { useState } from "react";
import type { RunRow, RunState } from "../../../src/api/runs.ts";
import { usePages } from "../../api/use-pages.ts";
import { ColumnNames } from "../../parts/column-names.tsx";
import { Field } from "../../parts/field.tsx";
import { moment, spending } from "../../parts/formats.ts";
import { LoadMore } from "../../parts/load-more.tsx";
import { TableScroller } from "../../parts/table-scroller.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { to } from "../../routing.ts";
import { usePreferences } from "../../texts/preferences.tsx";
import { runStates } from "./run-states.ts";
import "./runs.css";

const statuses = Object.keys(runStates) as RunState[];

export default function RunsView() {
  const { texts, language } = usePreferences();
  const [words, setWords] = useState("");
  const [status, setStatus] = useState("");
  const search = useDebounced(words.trim(), 250);
  const pages = usePages<RunRow>("/api/runs", { search, status });
  const isEmpty = !pages.isLoading && !pages.problem && pages.items.length === 0;
  return (
    <View title={texts.runs}>
      <p>{texts.runsIntroduction}</p>
      <div className="toolbar">
        <Field label={texts.searchRuns}>
          {(attributes) => (
            <input {...attributes} type="search" value={words} onChange={(event) => setWords(event.target.value)} />
          )}
        </Field>
        <Field label={texts.status}>
          {(attributes) => (
            <select {...attributes} value={status} onChange={(event) => setStatus(event.target.value)}>
              <option value="">{texts.anyStatus}</option>
              {statuses.map((name) => (
                <option key={name} value={name}>
                  {texts[runStates[name]]}
                </option>
              ))}
            </select>
          )}
        </Field>
      </div>
      {isEmpty ? (
        <p className="muted">{search === "" && status === "" ? texts.noRunsYet : texts.noRuns}</p>
      ) : (
        <TableScroller label={texts.runs}>
          <table>
            <ColumnNames
              names={[texts.command, texts.status, texts.started, texts.calls, texts.asked, texts.failed, texts.cost]}
            />
            <tbody>
              {pages.items.map((run) => (
                <tr key={run.id}>
                  <th scope="row" className="command">
                    <a href={to(["runs", run.id])}>{run.command}</a>
                  </th>
                  <td>{texts[runStates[run.status]]}</td>
                  <td className="moment">{moment(run.startedAt, language)}</td>
                  <td className="number">{run.calls.toLocaleString("en-GB")}</td>
                  <td className="number">{run.asked.toLocaleString("en-GB")}</td>
                  <td className="number">{run.failed.toLocaleString("en-GB")}</td>
                  <td className="number">{spending(run, texts)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </TableScroller>
      )}
      <LoadMore pages={pages} />
    </View>
  );
}

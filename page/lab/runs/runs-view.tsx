import { useState } from "react";
import type { RunRow, RunState } from "../../../src/api/runs.ts";
import { api } from "../../api/client.ts";
import { useAnswer, useRepeated } from "../../api/use-answer.ts";
import { usePages } from "../../api/use-pages.ts";
import { EmptyState } from "../../parts/empty-state.tsx";
import { Filter, Input } from "../../parts/field.tsx";
import { moment, spending } from "../../parts/formats.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { judgeName } from "../../parts/judges/judge-name.ts";
import { LoadMore } from "../../parts/load-more.tsx";
import { Table } from "../../parts/table.tsx";
import { useDebounced } from "../../parts/use-debounced.ts";
import { View } from "../../parts/view.tsx";
import { replaceRoute, to, type ViewProps } from "../../routing.ts";
import { count } from "../../texts/language.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { runStates } from "./run-states.ts";
import "./runs.css";
import { isEnded, stateInWords } from "../../parts/job-state.ts";
import { ServerSentence } from "../../parts/server-sentence.tsx";

const OFTEN_MILLISECONDS = 3000;

/** What the server is doing: running, waiting, failed and why. */
function RightNow() {
  const texts = useTexts();
  const asked = useAnswer(api.jobs);
  const { answer } = asked;
  const open = (answer ?? []).filter(({ state }) => !isEnded(state));
  const failed = (answer ?? []).filter(({ state }) => state === "failed");
  const isBusy = open.some(({ state }) => state !== "paused");
  useRepeated(asked, OFTEN_MILLISECONDS, isBusy);
  if (answer === null) return null;
  const waiting = open.filter(({ state }) => state === "queued" || state === "paused");
  return (
    <section className="panel right-now" aria-label={texts.rightNow}>
      <p>
        <strong>{texts.rightNow}:</strong>{" "}
        {open.length + failed.length === 0
          ? texts.nothingNow
          : [
              texts.nowRunning(open.length - waiting.length),
              texts.nowWaiting(waiting.length),
              texts.nowFailed(failed.length),
            ].join(" · ")}
      </p>
      {open.length + failed.length > 0 ? (
        <ul>
          {[...open, ...failed].map((job) => (
            <li key={job.id}>
              <a href={to(["jobs", job.id])}>{job.title}</a> ·{" "}
              {job.request.judges.map((judge) => judgeName(judge, texts)).join(", ")} · {stateInWords(job.state, texts)}
              {job.total > 0 ? ` · ${texts.jobProgress(job.done, job.total)}` : ""}
              {job.note ? <ServerSentence code={job.noteCode} message={job.note} /> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

const statuses = Object.keys(runStates) as RunState[];
const FILTERS = ["search", "status", "model", "book"] as const;

/** What runs, waits and failed, and every run there was; the filter is in the address. */
export default function RunsView({ route: { query } }: ViewProps) {
  const texts = useTexts();
  const chosen = Object.fromEntries(FILTERS.map((name) => [name, query.get(name) ?? ""]));
  const [words, setWords] = useState(chosen.search!);
  const search = useDebounced(words.trim(), 250);
  const pages = usePages(api.runs, { query: { ...chosen, search } });
  const about = useAnswer(api.about);
  const books = useAnswer(api.books, { query: { limit: 200 } });
  const choose = (change: Readonly<Record<string, string>>) => replaceRoute(to(["runs"], { ...chosen, ...change }));
  const isEmpty = !pages.isLoading && !pages.problem && pages.items.length === 0;
  const isFiltered = search !== "" || FILTERS.some((name) => name !== "search" && chosen[name] !== "");
  return (
    <View title={texts.runs}>
      <p>{texts.runsIntroduction}</p>
      <RightNow />
      <div className="toolbar">
        <Input
          label={texts.searchRuns}
          type="search"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
            choose({ search: event.target.value.trim() });
          }}
        />
        <Filter
          label={texts.status}
          any={texts.anyStatus}
          value={chosen.status!}
          options={statuses.map((name) => [name, texts[runStates[name]]])}
          onChoose={(status) => choose({ status })}
        />
        <Filter
          label={texts.filterJudge}
          any={texts.anyJudge}
          value={chosen.model!}
          options={(about.answer?.judges ?? [])
            .filter(({ languages }) => languages === null)
            .map(({ name }) => [name, judgeName(name, texts)])}
          onChoose={(model) => choose({ model })}
        />
        <Filter
          label={texts.filterBook}
          any={texts.anyBook}
          value={chosen.book!}
          options={(books.answer?.items ?? []).map(({ id, title }) => [id, title])}
          onChoose={(book) => choose({ book })}
        />
      </div>
      {isEmpty ? <Nothing isFiltered={isFiltered} /> : <RunTable runs={pages.items} />}
      <LoadMore pages={pages} />
    </View>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }) {
  const texts = useTexts();
  if (isFiltered) return <p className="muted">{texts.noRuns}</p>;
  return <EmptyState title={texts.noRunsYet} hint={texts.firstRun} />;
}

/** A run of the web app by its book and its judges, with the command that would do the same. */
function RunName({ run }: { readonly run: RunRow }) {
  const texts = useTexts();
  const link = to(["runs", run.id]);
  if (run.title === null)
    return (
      // What the web app asked of a model outside an evaluation has no command.
      <a className="command-line-link" href={link} title={run.command}>
        {run.command || `${texts.run} ${run.id}`}
      </a>
    );
  return (
    <>
      <a href={link}>{run.title}</a>{" "}
      {run.judges.map((judge) => (
        <JudgeLabel key={judge} judge={judge} />
      ))}
      <small className="muted command-words" title={run.command}>
        {run.command}
      </small>
    </>
  );
}

function RunTable({ runs }: { readonly runs: readonly RunRow[] }) {
  const { texts, language } = usePreferences();
  return (
    <Table
      label={texts.runs}
      rows={runs}
      keyOf={({ id }) => id}
      columns={[
        [texts.command, (run) => <RunName run={run} />, "command"],
        [texts.status, ({ status }) => texts[runStates[status]]],
        [texts.started, ({ startedAt }) => moment(startedAt, language), "moment"],
        [texts.calls, ({ calls }) => count(calls), "number"],
        [texts.asked, ({ asked }) => count(asked), "number"],
        [texts.failed, ({ failed }) => count(failed), "number"],
        [texts.cost, (run) => spending(run, texts), "number"],
      ]}
    />
  );
}

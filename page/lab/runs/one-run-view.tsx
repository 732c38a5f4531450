import type { Job, ResumeRequest } from "../../../src/api/jobs.ts";
import type { RunDetails } from "../../../src/api/runs.ts";
import { api, ask, pathOf } from "../../api/client.ts";
import { saveFile } from "../../api/save-file.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { ActionButton } from "../../parts/action.tsx";
import { Facts } from "../../parts/facts.tsx";
import { moment, money, spending } from "../../parts/formats.ts";
import { JobControls, type JobVerb } from "../../parts/job-controls.tsx";
import { stateInWords } from "../../parts/job-state.ts";
import { JudgeLabel } from "../../parts/judges/judge-label.tsx";
import { Table } from "../../parts/table.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice, Waiting } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { count } from "../../texts/language.ts";
import { usePreferences, useTexts } from "../../texts/preferences.tsx";
import { RunCalls } from "./run-calls.tsx";
import { outcomeInWords, purposeInWords, runStates } from "./run-states.ts";

const FORMATS = ["csv", "parquet", "jsonl"] as const;
const UNFINISHED = ["interrupted", "stopped", "failed", "killed"];

/** Pause, resume, cancel and export. A run of the command line is resumed there, with the command that does it. */
function RunActions({ run, onJob }: { readonly run: RunDetails; readonly onJob: (job: Job) => void }) {
  const texts = useTexts();
  const { job } = run;
  const control = useAction(async (verb: JobVerb, body?: ResumeRequest) => {
    if (job) onJob(await ask(api.jobs[":id"][verb].$post, { param: { id: job.id }, ...(body && { json: body }) }));
  });
  return (
    <>
      {job ? (
        <p>
          <a href={to(["jobs", job.id])}>{job.title}</a> · {stateInWords(job.state, texts)}
        </p>
      ) : null}
      {job ? (
        <JobControls job={job} isBusy={control.isBusy} onControl={(verb, body) => void control.run(verb, body)} />
      ) : null}
      {!job && UNFINISHED.includes(run.status) ? (
        <>
          <p>{texts.resumeCommand}</p>
          <pre className="command-line">{`fabula runs resume ${run.id}`}</pre>
        </>
      ) : null}
      <ProblemNotice problem={control.problem} />
      <div className="actions">
        <span className="muted">{texts.exportCalls}:</span>
        {FORMATS.map((format) => (
          <ActionButton
            key={format}
            className="quiet"
            act={() => saveFile(pathOf(api.runs[":id"].export, { param: { id: run.id }, query: { format } }))}
          >
            {format.toUpperCase()}
          </ActionButton>
        ))}
      </div>
    </>
  );
}

export default function OneRunView({ route }: ViewProps) {
  const { texts, language } = usePreferences();
  const id = route.path[1] ?? "";
  const asked = useAnswer(api.runs[":id"], { param: { id } });
  return (
    <View title={texts.run} kicker={<a href={to(["runs"])}>{texts.runs}</a>}>
      <Waiting asked={asked}>
        {(run) => (
          <>
            <pre className="command-line">{run.command}</pre>
            <Facts
              facts={[
                [texts.status, texts[runStates[run.status]]],
                [texts.calls, count(run.calls)],
                [texts.asked, count(run.asked)],
                [texts.failed, count(run.failed)],
                [
                  texts.cost,
                  run.maximumCost === null
                    ? spending(run, texts)
                    : `${spending(run, texts)} / ${money(run.maximumCost)}`,
                ],
                [texts.started, moment(run.startedAt, language)],
                [texts.finished, run.finishedAt ? moment(run.finishedAt, language) : "–"],
              ]}
            />
            {run.pieces ? <p>{texts.pieces(run.pieces.done, run.pieces.total)}</p> : null}
            {run.note ? <p className="notice">{run.note}</p> : null}
            <RunActions run={run} onJob={(job) => asked.replace({ ...run, job })} />
            <ByModel run={run} />
            <Failures run={run} />
            <RunCalls run={run} query={route.query} />
            <Events run={run} />
          </>
        )}
      </Waiting>
    </View>
  );
}

function ByModel({ run }: { readonly run: RunDetails }) {
  const texts = useTexts();
  if (run.byModel.length === 0) return null;
  return (
    <section>
      <h2>{texts.byModel}</h2>
      <Table
        label={texts.byModel}
        rows={run.byModel}
        columns={[
          [texts.model, ({ model }) => <JudgeLabel judge={model} />],
          [texts.purpose, ({ purpose }) => purposeInWords(purpose, texts)],
          [texts.outcome, ({ outcome }) => outcomeInWords(outcome, texts)],
          [texts.calls, ({ calls }) => count(calls), "number"],
          [texts.inputTokens, ({ inputTokens }) => count(inputTokens), "number"],
          [texts.outputTokens, ({ outputTokens }) => count(outputTokens), "number"],
          [texts.cost, (row) => spending(row, texts), "number"],
        ]}
      />
    </section>
  );
}

function Failures({ run }: { readonly run: RunDetails }) {
  const texts = useTexts();
  if (run.failures.length === 0) return null;
  return (
    <section>
      <h2>{texts.failures}</h2>
      <ul>
        {run.failures.map((failure) => (
          <li key={failure.reason}>
            {failure.reason} <span className="tag quiet">{texts.planCalls(failure.calls)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `{"status":"done"}` as "status: done". */
function detailInWords(detail: string): string {
  try {
    const known: unknown = JSON.parse(detail);
    if (typeof known !== "object" || known === null) return detail;
    return Object.entries(known)
      .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
      .join(" · ");
  } catch {
    return detail;
  }
}

function Events({ run }: { readonly run: RunDetails }) {
  const { texts, language } = usePreferences();
  if (run.events.length === 0) return null;
  return (
    <section>
      <h2>{texts.events}</h2>
      <Table
        label={texts.events}
        rows={run.events}
        header={1}
        columns={[
          [texts.at, ({ at }) => moment(at, language), "moment"],
          [texts.kind, ({ kind }) => kind],
          [texts.detail, ({ detail }) => detailInWords(detail)],
        ]}
      />
    </section>
  );
}

import { useCallback } from "react";
import type { Job, ResumeRequest } from "../../../src/api/jobs.ts";
import type { RunDetails } from "../../../src/api/runs.ts";
import { send } from "../../api/request.ts";
import { saveFile } from "../../api/save-file.ts";
import { stateInWords } from "../../parts/job-state.ts";
import { useAction } from "../../parts/use-action.ts";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";
import { JobControls, type JobVerb } from "../job/job-controls.tsx";

const FORMATS = ["csv", "parquet", "jsonl"] as const;
const UNFINISHED = ["interrupted", "stopped", "failed", "killed"];

/** Pause, resume, cancel and export. A run of the command line is resumed there, with the command that does it. */
export function RunActions({ run, onJob }: { readonly run: RunDetails; readonly onJob: (job: Job) => void }) {
  const texts = useTexts();
  const { job } = run;
  const control = useAction(
    useCallback(
      async (verb: JobVerb, body?: ResumeRequest) => {
        if (job) onJob(await send<Job>("POST", `/api/jobs/${encodeURIComponent(job.id)}/${verb}`, body));
      },
      [job, onJob],
    ),
  );
  const saving = useAction(
    useCallback(
      (format: string) => saveFile(`/api/runs/${encodeURIComponent(run.id)}/export?format=${format}`),
      [run.id],
    ),
  );
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
      {control.problem ? <ProblemNotice problem={control.problem} /> : null}
      <div className="actions">
        <span className="muted">{texts.exportCalls}:</span>
        {FORMATS.map((format) => (
          <button
            key={format}
            type="button"
            className="quiet"
            disabled={saving.isBusy}
            onClick={() => void saving.run(format)}
          >
            {format.toUpperCase()}
          </button>
        ))}
      </div>
      {saving.problem ? <ProblemNotice problem={saving.problem} /> : null}
    </>
  );
}

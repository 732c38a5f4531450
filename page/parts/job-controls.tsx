import { useState } from "react";
import type { Job, ResumeRequest } from "../../src/api/jobs.ts";
import { useTexts } from "../texts/preferences.tsx";
import { isEnded } from "./job-state.ts";
import { MaximumCost } from "./maximum-cost.tsx";

export type JobVerb = "pause" | "resume" | "cancel";

interface ControlProps {
  readonly job: Job;
  /** What the button that cancels is called, where it is not an evaluation. */
  readonly cancel?: string;
  readonly isBusy: boolean;
  readonly onControl: (verb: JobVerb, body?: ResumeRequest) => void;
}

/** The actions for a job in its current state: a failed job can be resumed, and stored answers are not paid for twice. */
export function JobControls({ job, cancel, isBusy, onControl }: ControlProps) {
  const texts = useTexts();
  const canResume = job.state === "paused" || job.state === "failed";
  if (job.state === "cancelling" || (isEnded(job.state) && !canResume)) return null;
  return (
    <div className="actions">
      {canResume ? (
        <Resume job={job} isBusy={isBusy} onControl={onControl} />
      ) : (
        <button type="button" disabled={isBusy || job.state === "pausing"} onClick={() => onControl("pause")}>
          {texts.pause}
        </button>
      )}
      {isEnded(job.state) ? null : (
        <button type="button" className="quiet danger" disabled={isBusy} onClick={() => onControl("cancel")}>
          {cancel ?? texts.stop}
        </button>
      )}
    </div>
  );
}

/** A job that reached its limit would reach it again at once: it resumes with a new one. */
function Resume({ job, isBusy, onControl }: ControlProps) {
  const texts = useTexts();
  const [maximumCost, setMaximumCost] = useState(job.request.maximumCost);
  const hasReachedLimit = job.noteCode === "cost-limit";
  return (
    <>
      {hasReachedLimit ? <MaximumCost value={maximumCost} onChange={setMaximumCost} /> : null}
      <button
        type="button"
        className="primary"
        disabled={isBusy}
        onClick={() => onControl("resume", hasReachedLimit ? { maximumCost } : undefined)}
      >
        {texts.resume}
      </button>
    </>
  );
}

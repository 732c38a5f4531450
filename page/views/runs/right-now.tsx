import { useEffect } from "react";
import type { Job } from "../../../src/api/jobs.ts";
import { useAnswer } from "../../api/use-answer.ts";
import { isEnded, stateInWords } from "../../parts/job-state.ts";
import { ServerSentence } from "../../parts/server-sentence.tsx";
import { to } from "../../routing.ts";
import { useTexts } from "../../texts/preferences.tsx";

const OFTEN_MILLISECONDS = 3000;

/** What the server is doing: running, waiting, failed and why. */
export function RightNow() {
  const texts = useTexts();
  const { answer, reload } = useAnswer<readonly Job[]>("/api/jobs");
  const open = (answer ?? []).filter(({ state }) => !isEnded(state));
  const failed = (answer ?? []).filter(({ state }) => state === "failed");
  const isBusy = open.some(({ state }) => state !== "paused");
  useEffect(() => {
    if (!isBusy) return;
    const timer = setInterval(reload, OFTEN_MILLISECONDS);
    return () => clearInterval(timer);
  }, [isBusy, reload]);
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
              <a href={to(["jobs", job.id])}>{job.title}</a> · {job.request.judges.join(", ")} ·{" "}
              {stateInWords(job.state, texts)}
              {job.total > 0 ? ` · ${texts.jobProgress(job.done, job.total)}` : ""}
              {job.note ? <ServerSentence code={job.noteCode} message={job.note} /> : null}
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  );
}

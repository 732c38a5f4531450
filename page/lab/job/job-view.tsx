import { useEffect } from "react";
import type { Job, ResumeRequest } from "../../../src/api/jobs.ts";
import { api, ask } from "../../api/client.ts";
import { type JudgedChapter, useJob, type Watched } from "../../api/use-job.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Facts } from "../../parts/facts.tsx";
import { scoreInFigures, spending } from "../../parts/formats.ts";
import { JobControls, type JobVerb } from "../../parts/job-controls.tsx";
import { isEnded, progressInWords, stateInWords } from "../../parts/job-state.ts";
import { isEmbedded, judgeName } from "../../parts/judges/judge-name.ts";
import { ServerSentence } from "../../parts/server-sentence.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useNames, useReason, useTexts } from "../../texts/preferences.tsx";
import "./job.css";

/** An evaluation while it runs: chapter by chapter, to be paused, resumed and cancelled. */
export default function JobView({ route }: ViewProps) {
  const texts = useTexts();
  const names = useNames();
  const id = route.path[1] ?? "";
  const [watched, update] = useJob(id);
  const { job } = watched;
  const control = useAction(async (verb: JobVerb, body?: ResumeRequest) => {
    update(await ask(api.jobs[":id"][verb].$post, { param: { id }, ...(body && { json: body }) }));
  });
  useProgressAnnouncements(watched);
  return (
    <View
      title={job?.title ?? texts.progress}
      kicker={<a href={to(["evaluate"])}>{texts.evaluate}</a>}
      actions={job?.evaluationId ? <ReportLink id={job.evaluationId} /> : null}
    >
      <ProblemNotice problem={watched.problem} />
      {watched.connection === "lost" && !watched.problem && !(job && isEnded(job.state)) ? (
        <p className="notice problem">{texts.connectionLost}</p>
      ) : null}
      {watched.connection === "back" && job && !isEnded(job.state) ? (
        <p className="notice">{job.state === "paused" ? texts.jobRestarted : texts.connectionBack}</p>
      ) : null}
      {job ? (
        <>
          <div className="panel job-panel">
            <p className="job-state" data-state={job.state}>
              {stateInWords(job.state, texts)}
              {job.state === "running" ? <span className="muted"> · {progressInWords(job, texts)}</span> : null}
            </p>
            <progress
              aria-label={texts.progress}
              max={Math.max(1, job.total)}
              value={job.state === "done" ? Math.max(1, job.total) : job.done}
            />
            <Facts
              facts={[
                [texts.progress, texts.jobProgress(job.done, job.total)],
                [texts.judge, job.request.judges.map((judge) => judgeName(judge, texts)).join(", ")],
                // An embedded judge reads in its own way, whatever method was asked for.
                ...(job.request.judges.some((judge) => !isEmbedded(judge))
                  ? [[texts.method, names.method(job.request.method)] as const]
                  : []),
                [texts.calls, job.calls],
                [texts.cost, spending(job, texts)],
              ]}
            />
            {job.note ? <ServerSentence code={job.noteCode} message={job.note} /> : null}
            <JobControls job={job} isBusy={control.isBusy} onControl={(verb, body) => void control.run(verb, body)} />
            <ProblemNotice problem={control.problem} />
          </div>
          <h2>{texts.jobChapters}</h2>
          {watched.chapters.size === 0 ? (
            <p className="muted">{isJudgedByParts(job) ? texts.jobNoChapters : texts.jobWholeBook}</p>
          ) : (
            <ChapterStrip bookId={job.request.bookId} chapters={watched.chapters} />
          )}
          {watched.notes.length > 0 ? (
            <>
              <h2>{texts.jobNotes}</h2>
              <ul className="muted" lang="en">
                {watched.notes.map((note) => (
                  <li key={note}>{note}</li>
                ))}
              </ul>
            </>
          ) : null}
        </>
      ) : (
        !watched.problem && <p className="loading">{texts.loading}</p>
      )}
    </View>
  );
}

function isJudgedByParts({ request: { judges, method } }: Job): boolean {
  return judges.some(isEmbedded) || method === "aggregate" || method === "incremental";
}

function ReportLink({ id }: { readonly id: string }) {
  const texts = useTexts();
  return (
    <a className="button primary" href={to(["evaluations", id])}>
      {texts.openReport}
    </a>
  );
}

/** Tells a screen reader of every change of state, and of progress each tenth: often enough, and not all the time. */
function useProgressAnnouncements({ job, connection }: Watched): void {
  const texts = useTexts();
  const announce = useAnnouncer();
  const state = job ? stateInWords(job.state, texts) : null;
  const tenth = job && job.total > 0 ? Math.floor((job.done / job.total) * 10) : 0;
  useEffect(() => {
    if (state) announce(tenth > 0 ? `${state}: ${tenth * 10} %` : state);
  }, [state, tenth, announce]);
  useEffect(() => {
    if (connection === "lost") announce(texts.connectionLost);
    if (connection === "back") announce(texts.connectionBack);
  }, [connection, announce, texts]);
}

/** A bar for each chapter, or run of chapters judged together, growing from the left as the judge reads. */
function ChapterStrip({
  bookId,
  chapters,
}: {
  readonly bookId: string;
  readonly chapters: ReadonlyMap<number, JudgedChapter>;
}) {
  const texts = useTexts();
  const inWords = useReason();
  const rows = [...chapters].sort(([left], [right]) => left - right);
  const scores = rows.flatMap(([, { verdict }]) => (verdict.kind === "scored" ? [verdict.score] : []));
  // From nought, so that a small difference is not drawn as a large one.
  const highest = Math.max(...scores, 1);
  return (
    <ol className="chapter-strip">
      {rows.map(([chapter, { lastChapter, verdict }]) => (
        <li key={chapter} value={chapter}>
          <a href={to(["books", bookId, "read"], { chapter })}>
            <span className="visually-hidden">
              {lastChapter > chapter ? texts.chapterRange(chapter, lastChapter) : texts.chapterNumber(chapter)}:{" "}
            </span>
            {verdict.kind === "scored" ? (
              <>
                <i aria-hidden="true" style={{ height: `${Math.max(0, verdict.score / highest) * 5}rem` }} />
                <span className="number">{scoreInFigures(verdict.score)}</span>
              </>
            ) : (
              <span className="unscored" title={inWords(verdict.reason)}>
                –<span className="visually-hidden"> {texts.unscoredBecause(inWords(verdict.reason))}</span>
              </span>
            )}
            <span className="muted" aria-hidden="true">
              {lastChapter > chapter ? `${chapter}–${lastChapter}` : chapter}
            </span>
          </a>
        </li>
      ))}
    </ol>
  );
}

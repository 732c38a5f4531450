import { useCallback, useEffect, useReducer } from "react";
import type { ChapterEvent, Job, JobEvent, ResumeRequest } from "../../../src/api/jobs.ts";
import { get, RequestProblem, send } from "../../api/request.ts";
import { useAnnouncer } from "../../parts/announcer.tsx";
import { Facts } from "../../parts/facts.tsx";
import { scoreInFigures, spending } from "../../parts/formats.ts";
import { isEnded, stageInWords, stateInWords } from "../../parts/job-state.ts";
import { isEmbedded, judgeName } from "../../parts/judges/judge-name.ts";
import { ServerSentence } from "../../parts/server-sentence.tsx";
import { useAction } from "../../parts/use-action.ts";
import { View } from "../../parts/view.tsx";
import { ProblemNotice } from "../../parts/waiting.tsx";
import { to, type ViewProps } from "../../routing.ts";
import { useNames, useReason, useTexts } from "../../texts/preferences.tsx";
import { JobControls, type JobVerb } from "./job-controls.tsx";
import "./job.css";

type JudgedChapter = Pick<ChapterEvent, "lastChapter" | "verdict">;

export interface Watched {
  readonly job: Job | null;
  readonly chapters: ReadonlyMap<number, JudgedChapter>;
  readonly notes: readonly string[];
  /** `lost` while the server does not answer; `back` once it does again. */
  readonly connection: "opening" | "open" | "lost" | "back";
  /** Why there is nothing to watch: the server knows no such job. */
  readonly problem: Error | null;
}

export type WatchEvent =
  | JobEvent
  | { readonly kind: "connected" }
  | { readonly kind: "lost" }
  | { readonly kind: "gone"; readonly problem: Error }
  | { readonly kind: "forget" };

const nothing: Watched = { job: null, chapters: new Map(), notes: [], connection: "opening", problem: null };
const longestNotes = 200;

/** What is known of a job after one more event. */
export function afterEvent(watched: Watched, event: WatchEvent): Watched {
  switch (event.kind) {
    case "state":
      return { ...watched, job: event.job };
    case "chapter": {
      const { chapter, lastChapter, verdict } = event;
      return { ...watched, chapters: new Map(watched.chapters).set(chapter, { lastChapter, verdict }) };
    }
    case "note":
      return watched.notes.at(-1) === event.text
        ? watched
        : { ...watched, notes: [...watched.notes, event.text].slice(-longestNotes) };
    case "connected":
      return { ...watched, connection: watched.connection === "opening" ? "open" : "back" };
    case "lost":
      // The server closes the stream of a job that has ended: that is no loss.
      return watched.job && isEnded(watched.job.state) ? watched : { ...watched, connection: "lost" };
    case "gone":
      return { ...watched, problem: event.problem };
    case "forget":
      return nothing;
    default:
      return event satisfies never;
  }
}

const retryAfter = 1500;

/**
 * Watches a job over server-sent events. A browser gives up on a stream when the server answers with an error (as one
 * does while it starts), so a closed stream is opened again here until the job has ended.
 */
function useJob(id: string): [Watched, (job: Job) => void] {
  const [watched, dispatch] = useReducer(afterEvent, nothing);
  const hasEnded = watched.problem !== null || (watched.job?.id === id && isEnded(watched.job.state));

  useEffect(() => {
    void id;
    dispatch({ kind: "forget" });
  }, [id]);

  useEffect(() => {
    if (hasEnded) return;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const open = () => {
      source = new EventSource(`/api/jobs/${encodeURIComponent(id)}/events`);
      source.addEventListener("open", () => dispatch({ kind: "connected" }));
      source.addEventListener("job", (message: MessageEvent<string>) => {
        dispatch(JSON.parse(message.data) as JobEvent);
      });
      source.addEventListener("error", () => {
        if (isOver) return;
        dispatch({ kind: "lost" });
        if (source?.readyState === EventSource.CLOSED) timer = setTimeout(askThenOpen, retryAfter);
      });
    };
    const askThenOpen = () => {
      get<Job>(`/api/jobs/${encodeURIComponent(id)}`).then(
        (job) => {
          if (isOver) return;
          dispatch({ kind: "state", job });
          if (!isEnded(job.state)) open();
        },
        (error: unknown) => {
          if (isOver) return;
          if (error instanceof RequestProblem && error.code !== "unreachable")
            dispatch({ kind: "gone", problem: error });
          else timer = setTimeout(askThenOpen, retryAfter);
        },
      );
    };
    open();
    return () => {
      isOver = true;
      clearTimeout(timer);
      source?.close();
    };
  }, [id, hasEnded]);

  return [watched, (job) => dispatch({ kind: "state", job })];
}

/** An evaluation while it runs: chapter by chapter, to be paused, resumed and cancelled. */
export default function JobView({ route }: ViewProps) {
  const texts = useTexts();
  const names = useNames();
  const id = route.path[1] ?? "";
  const [watched, update] = useJob(id);
  const { job } = watched;
  const control = useAction(
    useCallback(
      async (verb: JobVerb, body?: ResumeRequest) => {
        update(await send<Job>("POST", `/api/jobs/${encodeURIComponent(id)}/${verb}`, body));
      },
      [id, update],
    ),
  );
  useProgressAnnouncements(watched);
  return (
    <View
      title={job?.title ?? texts.progress}
      kicker={<a href={to(["evaluate"])}>{texts.evaluate}</a>}
      actions={job?.evaluationId ? <ReportLink id={job.evaluationId} /> : null}
    >
      {watched.problem ? <ProblemNotice problem={watched.problem} /> : null}
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
              {job.stage && job.state === "running" ? (
                <span className="muted"> · {stageInWords(job.stage, texts)}</span>
              ) : null}
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
            {control.problem ? <ProblemNotice problem={control.problem} /> : null}
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

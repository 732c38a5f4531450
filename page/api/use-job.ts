import { useEffect, useReducer } from "react";
import type { ChapterEvent, FoundEvent, Job, JobEvent } from "../../src/api/jobs.ts";
import { isEnded } from "../parts/job-state.ts";
import { api, ask, pathOf, RequestProblem } from "./client.ts";

export type JudgedChapter = Pick<ChapterEvent, "lastChapter" | "verdict">;

export interface Watched {
  readonly job: Job | null;
  readonly chapters: ReadonlyMap<number, JudgedChapter>;
  /** What a close reading claims so far. */
  readonly found: readonly FoundEvent[];
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

const nothing: Watched = { job: null, chapters: new Map(), found: [], notes: [], connection: "opening", problem: null };
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
    case "found":
      // A reconnection tells everything again.
      return watched.found.some(({ title }) => title === event.title)
        ? watched
        : { ...watched, found: [...watched.found, event] };
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
export function useJob(id: string | null): [Watched, (job: Job) => void] {
  const [watched, dispatch] = useReducer(afterEvent, nothing);
  const hasEnded = watched.problem !== null || (watched.job?.id === id && isEnded(watched.job.state));

  useEffect(() => {
    void id;
    dispatch({ kind: "forget" });
  }, [id]);

  useEffect(() => {
    if (id === null || hasEnded) return;
    let source: EventSource | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const open = () => {
      source = new EventSource(pathOf(api.jobs[":id"].events, { param: { id } }));
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
      ask(api.jobs[":id"].$get, { param: { id } }).then(
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

import type { Job, JobEvent } from "../../api/jobs.ts";
import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import type { JobFiles } from "./job-files.ts";
import type { JudgeBookEvent } from "./judge-book.ts";

/** A running or recent job: its listeners, and what a new listener needs first. */
export class LiveJob {
  /** Set while it is at work. */
  abort: AbortController | null = null;
  ended: Promise<void> = Promise.resolve();
  /** Who asked for it; not known any more after a restart. */
  readonly client: string;
  #job: Job;
  readonly #files: JobFiles;
  readonly #listeners = new Set<(event: JobEvent) => void>();
  readonly #chapters = new Map<number, Extract<JobEvent, { kind: "chapter" }>>();

  constructor(job: Job, files: JobFiles, client = "") {
    this.client = client;
    this.#job = job;
    this.#files = files;
  }

  get job(): Job {
    return this.#job;
  }

  /** Tells the state and the chapters judged so far, then everything that happens. Returns how to stop listening. */
  listen(listener: (event: JobEvent) => void): () => void {
    listener({ kind: "state", job: this.#job });
    for (const chapter of this.#chapters.values()) listener(chapter);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  update(changes: Partial<Job>): void {
    const same = Object.entries(changes).every(([name, value]) => this.#job[name as keyof Job] === value);
    if (same) return;
    this.#job = { ...this.#job, ...changes };
    this.#files.writeSoon(this.#job);
    this.#tell({ kind: "state", job: this.#job });
  }

  hear(event: JudgeBookEvent): void {
    switch (event.kind) {
      case "progress":
        this.update({ stage: event.stage, done: event.done, total: event.total });
        break;
      case "spent":
        this.update({ calls: event.calls, ...costFields(event) });
        break;
      case "run":
        this.update({ runId: event.runId });
        // Written at once: after a crash the job must know which run to resume.
        void this.#files.write(this.#job).catch(() => {});
        break;
      case "chapter":
        this.#chapters.set(event.chapter, event);
        this.#tell(event);
        break;
      case "note":
        this.#tell(event);
        break;
      default:
        event satisfies never;
    }
  }

  /** Asks the work to end soon; the state becomes final when it has. */
  interrupt(state: "pausing" | "cancelling"): void {
    const note = "Finishing calls already sent, for half a minute at most: they are paid for.";
    this.update({ state, note, noteCode: "finishing" });
    this.stop();
  }

  /** As `interrupt`, when the server closes: what the user wanted before still counts. */
  stop(): void {
    this.abort?.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
  }

  forgetChapters(): void {
    this.#chapters.clear();
  }

  #tell(event: JobEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

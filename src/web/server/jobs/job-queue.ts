import type { Clock } from "../../../core/clock.ts";
import { FabulaError } from "../../../core/errors.ts";
import type { EvaluationRequest, Job, JobEvent } from "../../api/jobs.ts";
import { newId, notThere } from "../ids.ts";
import { isEnded } from "./job-record.ts";
import type { JobShelf } from "./job-shelf.ts";
import { isForPocket, type JudgeBookEvent, type JudgedBook } from "./judge-book.ts";

export interface JobWork {
  title(request: EvaluationRequest): string;
  judge(
    job: Job,
    options: { readonly onEvent: (event: JudgeBookEvent) => void; readonly signal: AbortSignal },
  ): Promise<JudgedBook>;
  keep(job: Job, judged: JudgedBook): Promise<{ readonly id: string }>;
}

/** A job that is at work, or was lately: who listens to it, and what a newcomer must be told first. */
interface LiveJob {
  job: Job;
  readonly listeners: Set<(event: JobEvent) => void>;
  readonly chapters: Map<number, Extract<JobEvent, { kind: "chapter" }>>;
  abort: AbortController | null;
  /** What the user wanted when they stopped it. */
  wanted: "pause" | "cancel" | null;
  ended: Promise<void>;
}

/** The pocket judge fills a core by itself; models mostly keep us waiting. */
const AT_A_TIME = { pocket: 1, models: 3 };
const ENDED_KEPT = 200;

/** Evaluations asked for on the page, one after the other, each kept on disk from its first moment. */
export class JobQueue {
  readonly #shelf: JobShelf;
  readonly #work: JobWork;
  readonly #clock: Clock;
  readonly #jobs = new Map<string, LiveJob>();
  #isClosing = false;

  private constructor(shelf: JobShelf, work: JobWork, clock: Clock) {
    this.#shelf = shelf;
    this.#work = work;
    this.#clock = clock;
  }

  /** What was running when the last server ended, however it ended, is paused now. */
  static async open(shelf: JobShelf, work: JobWork, clock: Clock): Promise<JobQueue> {
    const queue = new JobQueue(shelf, work, clock);
    for (const kept of await shelf.readAll()) {
      const job = isEnded(kept) || kept.state === "paused" ? kept : interrupted(kept);
      if (job !== kept) await shelf.write(job);
      queue.#jobs.set(job.id, live(job));
    }
    await queue.#forgetOldest();
    return queue;
  }

  /** Newest first. */
  list(): Job[] {
    return [...this.#jobs.values()].map(({ job }) => job).sort((left, right) => right.id.localeCompare(left.id));
  }

  get(id: string): Job {
    return this.#find(id).job;
  }

  isBusyWith(bookId: string): boolean {
    return this.list().some((job) => job.request.bookId === bookId && !isEnded(job) && job.state !== "paused");
  }

  async add(request: EvaluationRequest): Promise<Job> {
    const now = this.#clock.now();
    const job: Job = {
      ...{ id: newId(now), request, title: this.#work.title(request), state: "queued", stage: "Waiting" },
      ...{ done: 0, total: 0, calls: 0, cost: 0, startedAt: now.toISOString() },
      ...{ finishedAt: null, note: null, runId: null, evaluationId: null },
    };
    await this.#shelf.write(job);
    this.#jobs.set(job.id, live(job));
    await this.#forgetOldest();
    this.#startWaiting();
    return job;
  }

  async pause(id: string): Promise<Job> {
    const entry = this.#find(id);
    switch (entry.job.state) {
      case "queued":
        this.#update(entry, { state: "paused", stage: "Paused" });
        break;
      case "running":
        entry.wanted = "pause";
        this.#update(entry, { state: "pausing", note: "What was asked is waited for: it is paid for." });
        entry.abort?.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
        break;
      case "pausing":
      case "paused":
        break;
      default:
        throw ended(entry.job);
    }
    await this.#shelf.write(entry.job);
    return entry.job;
  }

  async resume(id: string, maximumCost?: number | null): Promise<Job> {
    const entry = this.#find(id);
    if (entry.job.state !== "paused" && entry.job.state !== "failed") throw notResumable(entry.job);
    const request = maximumCost === undefined ? entry.job.request : { ...entry.job.request, maximumCost };
    entry.chapters.clear();
    this.#update(entry, { request, state: "queued", stage: "Waiting", note: null, finishedAt: null });
    await this.#shelf.write(entry.job);
    this.#startWaiting();
    return entry.job;
  }

  async cancel(id: string): Promise<Job> {
    const entry = this.#find(id);
    if (isEnded(entry.job)) throw ended(entry.job);
    if (entry.job.state === "running" || entry.job.state === "pausing") {
      entry.wanted = "cancel";
      this.#update(entry, { state: "pausing", note: "What was asked is waited for: it is paid for." });
      entry.abort?.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
    } else this.#update(entry, { state: "cancelled", stage: "Cancelled", finishedAt: this.#now() });
    await this.#shelf.write(entry.job);
    return entry.job;
  }

  /** Tells the state and the chapters judged so far, then everything that happens. Returns how to stop listening. */
  listen(id: string, listener: (event: JobEvent) => void): () => void {
    const entry = this.#find(id);
    listener({ kind: "state", job: entry.job });
    for (const chapter of entry.chapters.values()) listener(chapter);
    entry.listeners.add(listener);
    return () => entry.listeners.delete(listener);
  }

  /** Pauses what runs and waits for it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(
      [...this.#jobs.values()].map(async (entry) => {
        if (!entry.abort) return;
        entry.wanted ??= "pause";
        entry.abort.abort(new FabulaError("E_INTERRUPTED", "Interrupted."));
        await entry.ended;
      }),
    );
    await this.#shelf.settled();
  }

  #startWaiting(): void {
    if (this.#isClosing) return;
    const entries = [...this.#jobs.values()].sort((left, right) => left.job.id.localeCompare(right.job.id));
    const isPocket = (entry: LiveJob) => isForPocket(entry.job.request);
    for (const [kind, most] of Object.entries(AT_A_TIME)) {
      const own = entries.filter((entry) => isPocket(entry) === (kind === "pocket"));
      let free = most - own.filter(({ abort }) => abort !== null).length;
      for (const entry of own) {
        if (free <= 0) break;
        if (entry.job.state !== "queued" || entry.abort) continue;
        free -= 1;
        entry.ended = this.#perform(entry);
      }
    }
  }

  async #perform(entry: LiveJob): Promise<void> {
    entry.abort = new AbortController();
    entry.wanted = null;
    this.#update(entry, { state: "running", stage: "Starting", note: null });
    try {
      await this.#shelf.write(entry.job);
      entry.abort.signal.throwIfAborted();
      const judged = await this.#work.judge(entry.job, {
        onEvent: (event) => this.#hear(entry, event),
        signal: entry.abort.signal,
      });
      this.#update(entry, await this.#outcome(entry.job, judged));
    } catch (error) {
      this.#update(entry, this.#ending(entry, error));
    }
    entry.abort = null;
    await this.#shelf.write(entry.job);
    this.#startWaiting();
  }

  /** An evaluation is kept when it says anything; one that says nothing is not worth a place on the shelf. */
  async #outcome(job: Job, judged: JudgedBook): Promise<Partial<Job>> {
    const { overall, aspects, judge } = judged.evaluation;
    const isSilent = overall.kind === "unscored" && aspects.every(({ verdict }) => verdict.kind === "unscored");
    if (isSilent && judged.stopped !== null) {
      return { state: "paused", stage: "Paused", note: sentence(judged.stopped) };
    }
    if (isSilent && judge !== "pocket") {
      const note = `The judge gave no score: ${overall.reason}. Resume it to ask again.`;
      return { state: "failed", stage: "Failed", note, finishedAt: this.#now() };
    }
    const { id } = await this.#work.keep(job, judged);
    const note = judged.stopped === null ? null : sentence(judged.stopped);
    const done = Math.max(job.done, job.total);
    return { state: "done", stage: "Done", done, evaluationId: id, note, finishedAt: this.#now() };
  }

  #ending(entry: LiveJob, error: unknown): Partial<Job> {
    if (entry.abort?.signal.aborted) {
      return entry.wanted === "cancel"
        ? { state: "cancelled", stage: "Cancelled", note: null, finishedAt: this.#now() }
        : { state: "paused", stage: "Paused", note: "Paused: nothing that was paid for is lost." };
    }
    const message = error instanceof Error ? error.message : String(error);
    return { state: "failed", stage: "Failed", note: message, finishedAt: this.#now() };
  }

  #hear(entry: LiveJob, event: JudgeBookEvent): void {
    switch (event.kind) {
      case "progress":
        this.#update(entry, { stage: event.stage, done: event.done, total: event.total });
        break;
      case "spent":
        this.#update(entry, { calls: event.calls, cost: event.cost });
        break;
      case "run":
        this.#update(entry, { runId: event.runId });
        // At once: who is killed a moment later must know which run to go on with.
        void this.#shelf.write(entry.job).catch(() => {});
        break;
      case "chapter":
        entry.chapters.set(event.chapter, event);
        this.#tell(entry, event);
        break;
      case "note":
        this.#tell(entry, event);
        break;
      default:
        event satisfies never;
    }
  }

  #update(entry: LiveJob, changes: Partial<Job>): void {
    const same = Object.entries(changes).every(([name, value]) => entry.job[name as keyof Job] === value);
    if (same) return;
    entry.job = { ...entry.job, ...changes };
    this.#shelf.writeSoon(entry.job);
    this.#tell(entry, { kind: "state", job: entry.job });
  }

  #tell(entry: LiveJob, event: JobEvent): void {
    for (const listener of entry.listeners) listener(event);
  }

  #find(id: string): LiveJob {
    const entry = this.#jobs.get(id);
    if (!entry) throw notThere("job");
    return entry;
  }

  async #forgetOldest(): Promise<void> {
    for (const { id } of this.list().filter(isEnded).slice(ENDED_KEPT)) {
      this.#jobs.delete(id);
      await this.#shelf.delete(id);
    }
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }
}

function live(job: Job): LiveJob {
  return { job, listeners: new Set(), chapters: new Map(), abort: null, wanted: null, ended: Promise.resolve() };
}

function interrupted(job: Job): Job {
  const note = "The server ended while this ran: resume it, and nothing is paid twice.";
  return { ...job, state: "paused", stage: "Paused", note };
}

function ended(job: Job): FabulaError {
  return new FabulaError("E_CONFLICT", `This job has ended already (${job.state}): start a new one.`);
}

function notResumable(job: Job): FabulaError {
  return isEnded(job)
    ? ended(job)
    : new FabulaError("E_CONFLICT", `Only a paused job can be resumed; this one is ${job.state}.`);
}

function sentence(reason: string): string {
  const text = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

import type { EvaluationRequest, FoundEvent, Job, JobEvent } from "../../api/jobs.ts";
import type { Clock } from "../../core/clock.ts";
import { costFields } from "../../core/cost.ts";
import { FabulaError } from "../../core/errors.ts";
import { adviceFor } from "../../core/wording.ts";
import { newId, notFound } from "../ids.ts";
import { Turns } from "../threads/run-task.ts";
import type { JobFiles } from "./job-files.ts";
import { isEnded } from "./job-record.ts";
import { isForJury, type JudgeBookEvent, type JudgedBook } from "./judge-book.ts";

/** A running or recent job: its listeners, and what a new listener needs first. */
class LiveJob {
  /** Set while it is at work. */
  abort: AbortController | null = null;
  ended: Promise<void> = Promise.resolve();
  /** Who asked for it; unknown after a restart. */
  readonly client: string;
  #job: Job;
  readonly #files: JobFiles;
  readonly #listeners = new Set<(event: JobEvent) => void>();
  readonly #chapters = new Map<number, Extract<JobEvent, { kind: "chapter" }>>();
  readonly #found: FoundEvent[] = [];

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
    for (const event of [...this.#chapters.values(), ...this.#found]) listener(event);
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
        this.update({ stage: event.stage, step: event.step ?? null, done: event.done, total: event.total });
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
      case "found":
        this.#found.push(event);
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
    this.#found.length = 0;
  }

  #tell(event: JobEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

export interface JobWork {
  title(request: EvaluationRequest): string;
  judge(
    job: Job,
    options: {
      readonly onEvent: (event: JudgeBookEvent) => void;
      /** To end soon, and keep what was paid for. */
      readonly signal: AbortSignal;
      /** To end now. */
      readonly abandon: AbortSignal;
    },
  ): Promise<JudgedBook>;
  keep(job: Job, judged: JudgedBook): Promise<{ readonly id: string }>;
  /** Called when a job stops running, whether it is done, failed, was cancelled or paused. */
  ended?(job: Job): void;
}

/** The embedded jury fills a core by itself; with models, most of the time is spent waiting. */
const AT_A_TIME = { jury: 1, models: 3 };
/** How many ended jobs are listed, the newest; the evaluations of older ones stay in the library. */
export const ENDED_KEPT = 200;
/** How long stopped work may take to end. A run itself gives the calls it sent 20 seconds. */
const PATIENCE_MILLISECONDS = 30_000;

/** More than anyone has books. */
const MOST_UNFINISHED = 1000;

/** Evaluations requested in the web app, each stored on disk from the start. Those that wait take turns by client. */
export class JobQueue {
  readonly #files: JobFiles;
  readonly #work: JobWork;
  readonly #clock: Clock;
  /** In the order in which they were asked for. */
  readonly #jobs = new Map<string, LiveJob>();
  readonly #turns = new Turns();
  #isClosing = false;

  private constructor(files: JobFiles, work: JobWork, clock: Clock) {
    this.#files = files;
    this.#work = work;
    this.#clock = clock;
  }

  /** Takes over what an earlier server left; nothing runs before `start`. */
  static async open(files: JobFiles, work: JobWork, clock: Clock): Promise<JobQueue> {
    const queue = new JobQueue(files, work, clock);
    for (const kept of (await files.readAll()).sort((left, right) => left.id.localeCompare(right.id))) {
      const job = afterRestart(kept, queue.#now());
      if (job !== kept) await files.write(job);
      queue.#jobs.set(job.id, new LiveJob(job, files));
    }
    await queue.#forgetOldest();
    return queue;
  }

  /** Resumes the jobs that were queued when the last server stopped. */
  start(): void {
    this.#startWaiting();
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

  async add(request: EvaluationRequest, client = "", by?: string): Promise<Job> {
    if (this.#unfinishedOf(client) >= MOST_UNFINISHED) throw tooManyJobs(MOST_UNFINISHED);
    const now = this.#clock.now();
    const job: Job = {
      id: newId(now),
      request,
      ...(by !== undefined && { by }),
      title: this.#work.title(request),
      state: "queued",
      stage: "Waiting",
      done: 0,
      total: 0,
      calls: 0,
      cost: 0,
      startedAt: now.toISOString(),
      finishedAt: null,
      note: null,
      noteCode: null,
      runId: null,
      evaluationId: null,
    };
    try {
      await this.#files.write(job);
    } catch (error) {
      // Its client learns that it was refused: it must not be written later, and start with the next server.
      await this.#files.delete(job.id).catch(() => {});
      throw error;
    }
    this.#jobs.set(job.id, new LiveJob(job, this.#files, client));
    await this.#forgetOldest();
    this.#startWaiting();
    return job;
  }

  async pause(id: string): Promise<Job> {
    const entry = this.#find(id);
    switch (entry.job.state) {
      case "queued":
        entry.update({ state: "paused", stage: "Paused" });
        break;
      case "running":
        entry.interrupt("pausing");
        break;
      case "pausing":
      case "paused":
      case "cancelling":
        break;
      default:
        throw alreadyEnded(entry.job);
    }
    await this.#files.write(entry.job);
    return entry.job;
  }

  async resume(id: string, maximumCost?: number | null): Promise<Job> {
    const entry = this.#find(id);
    if (entry.job.state !== "paused" && entry.job.state !== "failed") throw notResumable(entry.job);
    const before = entry.job;
    const request = maximumCost === undefined ? before.request : { ...before.request, maximumCost };
    entry.update({ request, state: "queued", stage: "Waiting", ...NO_NOTE, finishedAt: null });
    try {
      await this.#files.write(entry.job);
    } catch (error) {
      // As it was, so that it can be resumed when there is room again; unless its turn has come meanwhile.
      if (this.get(id).state === "queued") entry.update(before);
      throw error;
    }
    this.#startWaiting();
    return entry.job;
  }

  async cancel(id: string): Promise<Job> {
    const entry = this.#find(id);
    if (isEnded(entry.job)) throw alreadyEnded(entry.job);
    if (entry.abort) entry.interrupt("cancelling");
    else entry.update(cancelled(this.#now()));
    await this.#files.write(entry.job);
    return entry.job;
  }

  /** Tells the state and the chapters judged so far, then everything that happens. Returns how to stop listening. */
  listen(id: string, listener: (event: JobEvent) => void): () => void {
    return this.#find(id).listen(listener);
  }

  /** Pauses what runs and waits for it. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all(
      [...this.#jobs.values()].map(async (entry) => {
        if (!entry.abort) return;
        entry.stop();
        await entry.ended;
      }),
    );
    await this.#files.settled();
  }

  #startWaiting(): void {
    if (this.#isClosing) return;
    const entries = [...this.#jobs.values()];
    const isJury = (entry: LiveJob) => isForJury(entry.job.request);
    for (const [kind, most] of Object.entries(AT_A_TIME)) {
      const own = entries.filter((entry) => isJury(entry) === (kind === "jury"));
      let free = most - own.filter(({ abort }) => abort !== null).length;
      for (; free > 0; free--) {
        const next = this.#turns.next(own.filter(({ job, abort }) => job.state === "queued" && !abort));
        if (!next) break;
        this.#turns.took(next.client);
        next.ended = this.#perform(next);
      }
    }
  }

  async #perform(entry: LiveJob): Promise<void> {
    const abort = new AbortController();
    entry.abort = abort;
    entry.forgetChapters();
    entry.update({ state: "running", stage: "Starting", ...NO_NOTE });
    try {
      await this.#files.write(entry.job);
      abort.signal.throwIfAborted();
      const judged = await this.#judge(entry, abort.signal);
      if (entry.job.state === "cancelling") abort.signal.throwIfAborted();
      entry.update(await this.#outcome(entry.job, judged));
    } catch (error) {
      entry.update(abort.signal.aborted ? stopping(entry.job, this.#now()) : failure(error, this.#now()));
    }
    entry.abort = null;
    // A full disk must not end the queue: writing is tried again until it succeeds.
    await this.#files.write(entry.job).catch(() => {});
    this.#work.ended?.(entry.job);
    this.#startWaiting();
    if (this.#unfinishedOf(entry.client) === 0) this.#turns.forget(entry.client);
  }

  /** Stopped work gets some time to finish; after that it is abandoned. */
  async #judge(entry: LiveJob, signal: AbortSignal): Promise<JudgedBook> {
    const abandon = new AbortController();
    const ended = new AbortController();
    const abandoned = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", async () => {
        await this.#clock.sleep(PATIENCE_MILLISECONDS, ended.signal).catch(() => {});
        abandon.abort(signal.reason);
        reject(signal.reason);
      });
    });
    const onEvent = (event: JudgeBookEvent) => {
      if (!abandon.signal.aborted) entry.hear(event);
    };
    try {
      const judged = this.#work.judge(entry.job, { onEvent, signal, abandon: abandon.signal });
      return await Promise.race([judged, abandoned]);
    } finally {
      ended.abort();
    }
  }

  async #outcome(job: Job, judged: JudgedBook): Promise<Partial<Job>> {
    const nothing = endingWithoutScore(judged, this.#now());
    if (nothing) return nothing;
    const { id } = await this.#work.keep(job, judged);
    return success(job, id, judged, this.#now());
  }

  #unfinishedOf(client: string): number {
    return [...this.#jobs.values()].filter((entry) => entry.client === client && !isEnded(entry.job)).length;
  }

  #find(id: string): LiveJob {
    const entry = this.#jobs.get(id);
    if (!entry) throw notFound("job");
    return entry;
  }

  async #forgetOldest(): Promise<void> {
    for (const { id } of this.list().filter(isEnded).slice(ENDED_KEPT)) {
      this.#jobs.delete(id);
      await this.#files.delete(id);
    }
  }

  #now(): string {
    return this.#clock.now().toISOString();
  }
}

const NO_NOTE = { note: null, noteCode: null } as const;
const SERVER_ENDED =
  "The server stopped while this was running: resume it. Stored answers are not paid for again; only calls in progress are repeated.";

/**
 * The final state of a job whose judge gave no score; null when it gave one and the evaluation should be kept. An
 * unscored verdict of the embedded jury is a result too.
 */
function endingWithoutScore({ evaluation, stopped }: JudgedBook, now: string): Partial<Job> | null {
  const { overall, aspects, jury } = evaluation;
  if (overall.kind === "scored" || aspects.some(({ verdict }) => verdict.kind === "scored")) return null;
  if (stopped !== null) return { state: "paused", stage: "Paused", ...stopNote(stopped) };
  if (jury) return null;
  // A reply that was refused or could not be read is stored like any other: resuming would only find it again.
  const note = `The judge gave no score: ${overall.reason}. Resume it to repeat calls that failed; where the model refused or its replies cannot be read, choose another judge.`;
  return { state: "failed", stage: "Failed", note, noteCode: "no-score", finishedAt: now };
}

function success(job: Job, evaluationId: string, { stopped }: JudgedBook, now: string): Partial<Job> {
  const done = Math.max(job.done, job.total);
  const said = stopped === null ? NO_NOTE : stopNote(stopped);
  return { state: "done", stage: "Done", done, evaluationId, ...said, finishedAt: now };
}

/** After an error, unless the user or a server shutdown stopped the job. */
function failure(error: unknown, now: string): Partial<Job> {
  const note = adviceFor("page", error instanceof Error ? error.message : String(error));
  const noteCode = error instanceof FabulaError ? error.code : null;
  return { state: "failed", stage: "Failed", note, noteCode, finishedAt: now };
}

/** After a job was stopped on purpose. */
function stopping({ state }: Job, now: string): Partial<Job> {
  if (state === "cancelling") return cancelled(now);
  return { state: "paused", stage: "Paused", note: "Paused: nothing that was paid for is lost.", noteCode: "paused" };
}

function cancelled(now: string): Partial<Job> {
  return { state: "cancelled", stage: "Cancelled", ...NO_NOTE, finishedAt: now };
}

/** The state of a job that an earlier server left behind: queued jobs continue, stopped jobs stay stopped. */
function afterRestart(job: Job, now: string): Job {
  switch (job.state) {
    case "running":
    case "pausing":
      return { ...job, state: "paused", stage: "Paused", note: SERVER_ENDED, noteCode: "server-ended" };
    case "cancelling":
      return { ...job, ...cancelled(now) };
    case "queued":
    case "paused":
    case "cancelled":
    case "done":
    case "failed":
      return job;
    default:
      return job.state satisfies never;
  }
}

function alreadyEnded(job: Job): FabulaError {
  return new FabulaError("E_CONFLICT", `This job has already ended (${job.state}): start a new one.`);
}

function notResumable(job: Job): FabulaError {
  return isEnded(job)
    ? alreadyEnded(job)
    : new FabulaError("E_CONFLICT", `Only a paused job can be resumed; this one is ${job.state}.`);
}

function tooManyJobs(most: number): FabulaError {
  return new FabulaError(
    "E_TOO_MUCH_WORK",
    `${most} evaluations from this address are waiting: let some end, or cancel them, before you start more.`,
  );
}

function stopNote({ by, note }: NonNullable<JudgedBook["stopped"]>): Pick<Job, "note" | "noteCode"> {
  return { note: sentence(note), noteCode: by };
}

function sentence(reason: string): string {
  const text = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

import type { EvaluationDetails } from "../../../src/api/evaluations.ts";
import type { EvaluationRequest, Job, JobState } from "../../../src/api/jobs.ts";
import { type Random, randomInteger } from "../../../src/core/random.ts";
import { ENDED_KEPT } from "../../../src/server/jobs/job-queue.ts";
import { isEnded } from "../../../src/server/jobs/job-record.ts";
import type { Served } from "../../../test/e2e/serve-fabula.ts";
import { addBook } from "../../../test/support/library-requests.ts";
import { draftOf } from "../../../test/support/stories.ts";

/** More than run at the same time, so that some always wait. */
const JOBS_AT_A_TIME = 6;
const PAUSE_CHANCE = 0.02;
const CANCEL_CHANCE = 0.01;
/** A job that fails so often in a row will not be finished by asking once more. */
const MOST_FAILURES = 5;
const METHODS = ["aggregate", "incremental", "summary"];

interface Followed {
  state: JobState;
  isCancelled: boolean;
  failures: number;
  note: string | null;
  /** Whether its report was opened and holds scores. */
  isRead: boolean;
}

/** Somebody who keeps the server busy: adds books, starts jobs, pauses, resumes, cancels, and reads every report. */
export class Visitor {
  readonly #judge: string;
  readonly #random: Random;
  readonly #onPause: () => Promise<void>;
  readonly #jobs = new Map<string, Followed>();
  readonly problems: string[] = [];
  readonly done = { pauses: 0, cancels: 0 };
  #books = 0;

  constructor(judge: string, random: Random, onPause: () => Promise<void>) {
    this.#judge = judge;
    this.#random = random;
    this.#onPause = onPause;
  }

  count(state: JobState): number {
    return [...this.#jobs.values()].filter((job) => job.state === state).length;
  }

  get added(): number {
    return this.#jobs.size;
  }

  /** Jobs that ended because the model refuses the book. */
  get refused(): number {
    return [...this.#jobs.values()].filter(isRefused).length;
  }

  get reports(): number {
    return [...this.#jobs.values()].filter(({ isRead }) => isRead).length;
  }

  /** Jobs that will not change any more. */
  get isIdle(): boolean {
    return [...this.#jobs.values()].every((job) => job.state === "done" || job.state === "cancelled" || isGivenUp(job));
  }

  get unfinished(): readonly string[] {
    return [...this.#jobs]
      .filter(([, job]) => job.state !== "done" && job.state !== "cancelled" && !isRefused(job))
      .map(([id, { state, note }]) => `${id} is ${state}: ${note}`);
  }

  /** One look at the page, with whatever there is to do about it. */
  async visit(page: Served, wants: { readonly more: boolean }): Promise<void> {
    const listed = await page.json<Job[]>("/api/jobs");
    for (const job of listed) await this.#follow(page, job);
    if (!wants.more) return;
    const open = listed.filter((job) => !isEnded(job)).length;
    for (let count = open; count < JOBS_AT_A_TIME; count++) await this.#add(page);
  }

  /** Compares what a dead server left on disk with what the next one makes of it. */
  checkRestart(left: readonly Job[], listed: readonly Job[]): void {
    const found = new Map(listed.map((job) => [job.id, job]));
    for (const [id, job] of this.#jobs) {
      if (!left.some((kept) => kept.id === id) && !isEnded(job)) {
        this.problems.push(`${id} (${job.state}) is not on disk`);
      }
    }
    // A server keeps the newest of the ended ones only: those that ended since it last looked push out as many.
    const ended = listed.filter(isEnded).map(({ id }) => id);
    const isTooOld = (id: string) => ended.filter((other) => other > id).length >= ENDED_KEPT;
    for (const { id, state } of left) {
      const now = found.get(id)?.state;
      if (now === undefined && isEnded({ state }) && isTooOld(id)) continue;
      if (now === undefined || !AFTER_RESTART[state].includes(now)) {
        this.problems.push(`${id} was ${state} and is ${now ?? "missing"} after a restart`);
      }
    }
  }

  async #follow(page: Served, job: Job): Promise<void> {
    const known = this.#jobs.get(job.id) ?? {
      isCancelled: false,
      failures: 0,
      isRead: false,
      state: job.state,
      note: null,
    };
    this.#jobs.set(job.id, known);
    if (job.state === "failed" && known.state !== "failed") known.failures += 1;
    known.state = job.state;
    known.note = job.note;
    if (known.isCancelled && !["cancelling", "cancelled", "done"].includes(job.state)) {
      this.problems.push(`${job.id} was cancelled and is ${job.state}`);
    }
    switch (job.state) {
      case "paused":
        return this.#control(page, job.id, "resume");
      case "failed":
        return isGivenUp(known) ? undefined : this.#control(page, job.id, "resume");
      case "running":
      case "queued":
        return this.#disturb(page, job.id, known);
      case "done":
        return known.isRead ? undefined : this.#read(page, job, known);
      case "pausing":
      case "cancelling":
      case "cancelled":
        return;
      default:
        return job.state satisfies never;
    }
  }

  async #disturb(page: Served, id: string, known: Followed): Promise<void> {
    const draw = this.#random();
    if (draw < PAUSE_CHANCE) {
      await this.#onPause();
      await this.#control(page, id, "pause");
      this.done.pauses += 1;
    } else if (draw < PAUSE_CHANCE + CANCEL_CHANCE) {
      await this.#control(page, id, "cancel");
      known.isCancelled = true;
      this.done.cancels += 1;
    }
  }

  async #read(page: Served, { id, evaluationId }: Job, known: Followed): Promise<void> {
    const { evaluation } = await page.json<EvaluationDetails>(`/api/evaluations/${evaluationId}`);
    known.isRead = true;
    if (!evaluation.aspects.some(({ verdict }) => verdict.kind === "scored")) {
      this.problems.push(`${id} is done and its report holds no score`);
    }
  }

  async #add(page: Served): Promise<void> {
    this.#books += 1;
    // Each book is its own, so that nothing is known beforehand.
    const text = draftOf(`Copy ${this.#books}`, 6).replaceAll(/^## .*$/gm, `$&\n\nThis is copy ${this.#books}.`);
    const { id: bookId } = await addBook(page, `copy-${this.#books}.md`, text);
    const method = METHODS[randomInteger(this.#random, METHODS.length)]!;
    const request: EvaluationRequest = {
      ...{ bookId, judges: [this.#judge], method, aspects: [], maximumCost: null },
      runs: 10 + randomInteger(this.#random, 30),
    };
    const response = await page.send("POST", "/api/jobs", request);
    if (response.status !== 201) throw new Error(`${response.status}: ${await response.text()}`);
  }

  /** A job may have ended between the look and the click. */
  async #control(page: Served, id: string, verb: "pause" | "resume" | "cancel"): Promise<void> {
    const response = await page.send("POST", `/api/jobs/${id}/${verb}`);
    if (!response.ok && response.status !== 409) {
      this.problems.push(`${verb} ${id}: ${response.status} ${await response.text()}`);
    }
  }
}

/**
 * A refused reply is stored like any other, so asking again gives the same: the job has ended, with its reason.
 */
function isRefused(job: Followed): boolean {
  return isGivenUp(job) && /refus/i.test(job.note ?? "");
}

function isGivenUp({ state, failures }: Followed): boolean {
  return state === "failed" && failures >= MOST_FAILURES;
}

/** What may become of a job until the first look at the next server. */
const AFTER_RESTART: Readonly<Record<JobState, readonly JobState[]>> = {
  queued: ["queued", "running", "done", "failed"],
  running: ["paused"],
  pausing: ["paused"],
  paused: ["paused"],
  cancelling: ["cancelled"],
  cancelled: ["cancelled"],
  done: ["done"],
  failed: ["failed"],
};

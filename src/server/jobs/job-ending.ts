import type { Job } from "../../api/jobs.ts";
import { FabulaError } from "../../core/errors.ts";
import { inWordsOf } from "../../core/wording.ts";
import { isEnded } from "./job-record.ts";
import type { JudgedBook } from "./judge-book.ts";

export const NO_NOTE = { note: null, noteCode: null } as const;
const SERVER_ENDED =
  "The server stopped while this was running: resume it. Stored answers are not paid for again; only calls in progress are repeated.";

/**
 * The final state of a job whose judge gave no score; null when it gave one and the evaluation should be kept. An
 * unscored verdict of the embedded jury is a result too.
 */
export function endingWithoutScore({ evaluation, stopped }: JudgedBook, now: string): Partial<Job> | null {
  const { overall, aspects, jury } = evaluation;
  if (overall.kind === "scored" || aspects.some(({ verdict }) => verdict.kind === "scored")) return null;
  if (stopped !== null) return { state: "paused", stage: "Paused", ...stopNote(stopped) };
  if (jury) return null;
  // A reply that was refused or could not be read is stored like any other: resuming would only find it again.
  const note = `The judge gave no score: ${overall.reason}. Resume it to repeat calls that failed; where the model refused or its replies cannot be read, choose another judge.`;
  return { state: "failed", stage: "Failed", note, noteCode: "no-score", finishedAt: now };
}

export function success(job: Job, evaluationId: string, { stopped }: JudgedBook, now: string): Partial<Job> {
  const done = Math.max(job.done, job.total);
  const said = stopped === null ? NO_NOTE : stopNote(stopped);
  return { state: "done", stage: "Done", done, evaluationId, ...said, finishedAt: now };
}

/** After an error, unless the user or a server shutdown stopped the job. */
export function failure(error: unknown, now: string): Partial<Job> {
  const note = inWordsOf("page", error instanceof Error ? error.message : String(error));
  const noteCode = error instanceof FabulaError ? error.code : null;
  return { state: "failed", stage: "Failed", note, noteCode, finishedAt: now };
}

/** After a job was stopped on purpose. */
export function stopping({ state }: Job, now: string): Partial<Job> {
  if (state === "cancelling") return cancelled(now);
  return { state: "paused", stage: "Paused", note: "Paused: nothing that was paid for is lost.", noteCode: "paused" };
}

export function cancelled(now: string): Partial<Job> {
  return { state: "cancelled", stage: "Cancelled", ...NO_NOTE, finishedAt: now };
}

/** The state of a job that an earlier server left behind: queued jobs continue, stopped jobs stay stopped. */
export function afterRestart(job: Job, now: string): Job {
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

export function alreadyEnded(job: Job): FabulaError {
  return new FabulaError("E_CONFLICT", `This job has already ended (${job.state}): start a new one.`);
}

export function notResumable(job: Job): FabulaError {
  return isEnded(job)
    ? alreadyEnded(job)
    : new FabulaError("E_CONFLICT", `Only a paused job can be resumed; this one is ${job.state}.`);
}

export function tooManyJobs(most: number): FabulaError {
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

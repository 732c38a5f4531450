import type { Job } from "../../api/jobs.ts";
import { FabulaError } from "../../core/errors.ts";
import { isEnded } from "./job-record.ts";
import type { JudgedBook } from "./judge-book.ts";
import type { LiveJob } from "./live-job.ts";

export const NO_NOTE = { note: null, noteCode: null } as const;

/**
 * What becomes of a job whose judge said nothing at all; null when it said anything, and the evaluation is worth a place on
 * the shelf. That the pocket judge has nothing to say is an answer.
 */
export function silence({ evaluation, stopped }: JudgedBook, now: string): Partial<Job> | null {
  const { overall, aspects, judge } = evaluation;
  if (overall.kind === "scored" || aspects.some(({ verdict }) => verdict.kind === "scored")) return null;
  if (stopped !== null) return { state: "paused", stage: "Paused", ...stopNote(stopped) };
  if (judge === "pocket") return null;
  const note = `The judge gave no score: ${overall.reason}. Resume it to ask again.`;
  return { state: "failed", stage: "Failed", note, noteCode: "no-score", finishedAt: now };
}

export function success(job: Job, evaluationId: string, { stopped }: JudgedBook, now: string): Partial<Job> {
  const done = Math.max(job.done, job.total);
  const said = stopped === null ? NO_NOTE : stopNote(stopped);
  return { state: "done", stage: "Done", done, evaluationId, ...said, finishedAt: now };
}

/** After an error, which may be the user's own wish to stop. */
export function failure({ abort, wanted }: LiveJob, error: unknown, now: string): Partial<Job> {
  if (abort?.signal.aborted) {
    return wanted === "cancel"
      ? { state: "cancelled", stage: "Cancelled", ...NO_NOTE, finishedAt: now }
      : {
          ...{ state: "paused", stage: "Paused" },
          ...{ note: "Paused: nothing that was paid for is lost.", noteCode: "paused" },
        };
  }
  const note = error instanceof Error ? error.message : String(error);
  const noteCode = error instanceof FabulaError ? error.code : null;
  return { state: "failed", stage: "Failed", note, noteCode, finishedAt: now };
}

export function interrupted(job: Job): Job {
  const note = "The server ended while this ran: resume it, and nothing is paid twice.";
  return { ...job, state: "paused", stage: "Paused", note, noteCode: "server-ended" };
}

export function endedAlready(job: Job): FabulaError {
  return new FabulaError("E_CONFLICT", `This job has ended already (${job.state}): start a new one.`);
}

export function notResumable(job: Job): FabulaError {
  return isEnded(job)
    ? endedAlready(job)
    : new FabulaError("E_CONFLICT", `Only a paused job can be resumed; this one is ${job.state}.`);
}

function stopNote({ by, note }: NonNullable<JudgedBook["stopped"]>): Pick<Job, "note" | "noteCode"> {
  return { note: sentence(note), noteCode: by };
}

function sentence(reason: string): string {
  const text = `${reason.charAt(0).toUpperCase()}${reason.slice(1)}`;
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

import { FabulaError } from "../../core/errors.ts";
import type { Job, JobDocument, Place } from "../../queue/job.ts";
import { scoreChaptersJob, writeChaptersJob } from "./bench.ts";
import { evaluateBookJob, judgeBooksJob } from "./books.ts";
import { answerQuestionsJob, refineQuestionsJob } from "./questions.ts";
import { scoreItemsJob } from "./score-items.ts";
import { structureReviewsJob } from "./structure-reviews.ts";

/** Every kind of work that can be shared, by the name it is queued under. */
const JOBS = {
  "judge-books": judgeBooksJob,
  "evaluate-book": evaluateBookJob,
  "score-items": scoreItemsJob,
  "score-chapters": scoreChaptersJob,
  "write-chapters": writeChaptersJob,
  "structure-reviews": structureReviewsJob,
  "refine-questions": refineQuestionsJob,
  "answer-questions": answerQuestionsJob,
} as const;

/** Does a piece of a job, whose options and data come from the store and are read as carefully as any file. */
export async function performPiece(job: JobDocument, data: unknown, place: Place): Promise<unknown> {
  // biome-ignore lint/suspicious/noExplicitAny: each kind parses its own options and data with its own schemas.
  const found: Job<any, any> | undefined = Object.hasOwn(JOBS, job.kind)
    ? JOBS[job.kind as keyof typeof JOBS]
    : undefined;
  if (!found) {
    throw new FabulaError("E_JOB_UNKNOWN", `This worker does not know work of the kind "${job.kind}": update Fabula.`);
  }
  return found.perform(found.options.parse(job.options), found.data.parse(data), place);
}

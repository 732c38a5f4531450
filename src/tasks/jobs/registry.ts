import { FabulaError } from "../../core/errors.ts";
import type { Job, JobDocument, Place } from "../../queue/job.ts";
import type { JobKind } from "../define/shared-work.ts";
import { scoreChaptersJob, writeChaptersJob } from "./bench.ts";
import { evaluateBookJob, judgeBooksJob } from "./books.ts";
import { answerQuestionsJob, refineQuestionsJob } from "./questions.ts";
import { scoreItemsJob } from "./score-items.ts";
import { structureReviewsJob } from "./structure-reviews.ts";

/** What does each kind of work that can be shared: it parses its own options and data with its own schemas. */
// biome-ignore lint/suspicious/noExplicitAny: the types of options and data differ from kind to kind.
const JOBS: Readonly<Record<JobKind, Job<any, any>>> = {
  "judge-books": judgeBooksJob,
  "evaluate-book": evaluateBookJob,
  "score-items": scoreItemsJob,
  "score-chapters": scoreChaptersJob,
  "write-chapters": writeChaptersJob,
  "structure-reviews": structureReviewsJob,
  "refine-questions": refineQuestionsJob,
  "answer-questions": answerQuestionsJob,
};

/** Performs a piece of a job. Its options and data come from the store, and are validated like any file. */
export async function performPiece(job: JobDocument, data: unknown, place: Place): Promise<unknown> {
  const found = Object.hasOwn(JOBS, job.kind) ? JOBS[job.kind as JobKind] : undefined;
  if (!found) {
    throw new FabulaError("E_JOB_UNKNOWN", `This worker does not know work of the kind "${job.kind}": update Fabula.`);
  }
  return found.perform(found.options.parse(job.options), found.data.parse(data), place);
}

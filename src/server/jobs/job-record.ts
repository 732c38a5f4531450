import { z } from "zod";
import type { EvaluationRequest, Job } from "../../api/jobs.ts";

export const evaluationRequestSchema = z.strictObject({
  bookId: z.string().max(64),
  judges: z.array(z.string().min(1).max(300)).min(1).max(8),
  method: z.string().max(40),
  aspects: z.array(z.string().max(60)).max(40),
  runs: z.number().int().min(1).max(100),
  maximumCost: z.number().nonnegative().nullable(),
  depth: z.enum(["quick", "full"]).exactOptional(),
}) satisfies z.ZodType<EvaluationRequest>;

/** A job as stored: everything needed to resume it after a crash of the server. */
export const jobRecordSchema = z.object({
  id: z.string(),
  request: evaluationRequestSchema,
  by: z.string().exactOptional(),
  title: z.string(),
  state: z.enum(["queued", "running", "pausing", "paused", "cancelling", "cancelled", "done", "failed"]),
  stage: z.string(),
  step: z.object({ done: z.number().int(), total: z.number().int() }).nullable().exactOptional(),
  done: z.number().int(),
  total: z.number().int(),
  calls: z.number().int(),
  cost: z.number().nullable(),
  unpricedCalls: z.number().int().optional(),
  coveredCalls: z.number().int().optional(),
  startedAt: z.string(),
  finishedAt: z.string().nullable(),
  note: z.string().nullable(),
  // Jobs were kept without it once.
  noteCode: z.string().nullable().default(null),
  runId: z.string().nullable(),
  evaluationId: z.string().nullable(),
}) satisfies z.ZodType<Job>;

export function isEnded({ state }: Pick<Job, "state">): boolean {
  return state === "done" || state === "cancelled" || state === "failed";
}

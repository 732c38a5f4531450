import { z } from "zod";
import type { RunServices, RunSettings } from "../runner/open-run.ts";

/** What all pieces of a run have in common, stored with the run for the workers. */
export const jobDocumentSchema = z.object({
  kind: z.string(),
  options: z.unknown(),
  /** Every model a piece may ask, and where it is reached when that is not its usual address. */
  models: z.array(z.object({ id: z.string(), origin: z.string().nullable() })),
  /** The price table of the process that queued it, because prices decide how much fits into a model. */
  prices: z.string().nullable(),
  refresh: z.boolean(),
  pace: z.object({
    concurrency: z.number().optional(),
    requestsPerMinute: z.number().optional(),
    tokensPerMinute: z.number().optional(),
    timeoutSeconds: z.number().optional(),
  }),
});
export type JobDocument = z.infer<typeof jobDocumentSchema>;

/** Where a worker does a piece: a folder of its own, and the run that the piece belongs to. */
export interface Place {
  readonly folder: string;
  readonly settings: RunSettings;
  readonly services: RunServices;
}

/** Does a piece of a job, whose options and data come from the store. The queue does not know what tasks there are. */
export type PerformPiece = (job: JobDocument, data: unknown, place: Place) => Promise<unknown>;

/** A kind of work that can be cut into pieces. A piece is done by the same workflow that does the whole in one process. */
export interface Job<Options, Data> {
  readonly options: z.ZodType<Options>;
  readonly data: z.ZodType<Data>;
  perform(options: Options, data: Data, place: Place): Promise<unknown>;
}

export function defineJob<Options, Data>(job: Job<Options, Data>): Job<Options, Data> {
  return job;
}

import { z } from "zod";
import { verdictSchema } from "../core/verdict.ts";

/** What one of the embedded judges says of a book. Who is speaking and the caveat belong beside the score wherever it is shown. */
const jurorResultSchema = z.object({
  id: z.enum(["crowd", "editor", "grader"]),
  /** Whose taste it learnt: "readers of short stories online". */
  speaker: z.string(),
  version: z.string(),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
  /** On the juror's own scale, with a range that holds its own error. */
  overall: verdictSchema,
  /** The score of each chapter by itself, null for one too short; absent in documents of earlier versions. */
  chapters: z.array(z.number().nullable()).optional(),
  domain: z.enum(["inside", "outside", "far outside"]),
  caveat: z.string().nullable(),
  /** The grader's own criteria; the other jurors have none. `lower` marks a fault, of which less is better. */
  criteria: z.array(
    z.object({ id: z.string(), name: z.string(), better: z.enum(["higher", "lower"]), verdict: verdictSchema }),
  ),
  /** Where the ends of the score's range stand in a reference population; null outside the juror's domain. */
  percentile: z.object({ low: z.number(), high: z.number(), reference: z.string() }).nullable(),
  /** Why there is no percentile; null when there is one. */
  noPercentile: z.string().nullable(),
});

/** The embedded judges side by side. They are never averaged. */
export const juryPartSchema = z.object({
  /** The juror whose score is the evaluation's `overall`. */
  headline: z.enum(["crowd", "editor", "grader"]),
  jurors: z.array(jurorResultSchema).min(1),
  /** Pairs of jurors whose ranges, each moved to a scale of 0 to 100, do not overlap. */
  apart: z.array(z.tuple([z.string(), z.string()])),
});

export type JurorResult = z.infer<typeof jurorResultSchema>;
export type JuryPart = z.infer<typeof juryPartSchema>;

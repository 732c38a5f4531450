import { z } from "zod";
import { verdictSchema } from "../core/verdict.ts";

/** What the same judge says when the passages that speak to it are masked: how far they moved its scores. */
export const maskedPartSchema = z.object({
  /** Words that were masked. */
  words: z.number().int().nonnegative(),
  overall: verdictSchema,
  /** By the aspect's id. */
  aspects: z.record(z.string(), verdictSchema),
  /** Of the embedded judges, each on its own scale. */
  jurors: z.record(z.string(), verdictSchema).optional(),
  /** Of the second judging alone; the evaluation's own figures hold both. */
  calls: z.number().int().nonnegative(),
  cost: z.number().nonnegative().nullable(),
});

import { z } from "zod";

/** One correction: what stood there, what stands there now, and why. */
export const changeSchema = z.object({
  /** Names the change in review files: document, question and place. */
  id: z.string(),
  target: z.enum(["question", "answer"]),
  /** Which reference answer, from 0; null for the question. */
  answer: z.number().int().nonnegative().nullable(),
  original: z.string(),
  correction: z.string(),
  reason: z.string(),
  /** Letters inserted, deleted or replaced. */
  edit_distance: z.number().int().nonnegative(),
});

export type Change = z.infer<typeof changeSchema>;

import { z } from "zod";

/**
 * One answer of a system beside its reference answers. `prediction` is null when the system gave none (it failed, refused
 * or was cut off): that is no wrong answer, and it stays out of every mean.
 */
export const predictionSchema = z.looseObject({
  prediction: z.string().nullable(),
  answers: z.array(z.string()).min(1, "an answer needs at least one reference in `answers`"),
  question: z.string().optional(),
  model: z.string().optional(),
  /** Why there is no prediction. */
  unscored: z.string().min(1).optional(),
});

export type Prediction = z.infer<typeof predictionSchema>;

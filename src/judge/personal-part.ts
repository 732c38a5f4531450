import { z } from "zod";
import { verdictSchema } from "../core/verdict.ts";

const reasonSchema = z.object({
  about: z.enum(["story", "history"]),
  title: z.string().optional(),
  /** Stars that it moved the rating by. */
  effect: z.number(),
  text: z.string(),
});

/** What an evaluation says for one reader, beside what it says for everyone. All ratings are stars from 1 to 5. */
export const personalPartSchema = z.object({
  reader: z.string(),
  /** `embedded` for the predictor that ships inside, or the model that stood in for the reader. */
  judge: z.string(),
  verdict: verdictSchema,
  /** What readers in general give or should give, or the general verdict of this evaluation in stars. */
  general: z.object({ rating: z.number(), from: z.enum(["average", "forecast", "judge"]) }).nullable(),
  difference: z.number().nullable(),
  headline: z.string(),
  /** The review this reader would write, in their manner; null when no model was asked. */
  review: z.string().nullable(),
  /** What pulls towards the difference, strongest first, and what pulls against it. */
  because: z.array(reasonSchema),
  against: z.array(reasonSchema),
  story: reasonSchema.nullable(),
  /** The aspects this reader writes about, with what the general verdict says of each. */
  where: z.array(
    z.object({
      aspect: z.string(),
      name: z.string(),
      /** In how many of the reader's reviews it is spoken of, and the mean of their stars. */
      reviews: z.number().int(),
      of: z.number().int(),
      stars: z.number().nullable(),
      otherStars: z.number().nullable(),
      general: verdictSchema,
      generalPercentile: z.number().nullable(),
      text: z.string(),
    }),
  ),
  /** Missing details of the story that would have helped the predictor. */
  missing: z.array(z.string()),
  notes: z.array(z.string()),
});

export type PersonalPart = z.infer<typeof personalPartSchema>;

import { z } from "zod";
import { storySchema } from "../predictor/story.ts";

export const SIDES = ["left", "right", "tie"] as const;
export type Side = (typeof SIDES)[number];

/** Which story was preferred, by aspect; one word for the whole stands for `overall`. */
export const preferenceSchema = z.union([
  z.enum(SIDES).transform((overall): Record<string, Side> => ({ overall })),
  z.record(z.string(), z.enum(SIDES)),
]);

/** Two stories and which of them a reader preferred (PerSE's comparative history). */
export const pastComparisonSchema = z.object({
  left: storySchema,
  right: storySchema,
  preferred: preferenceSchema,
});

export type PastComparison = z.infer<typeof pastComparisonSchema>;

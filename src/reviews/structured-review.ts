import { z } from "zod";

/** A reader's review after structuring: what it says under each aspect it mentions, and its verdict. */
export const structuredReviewSchema = z.object({
  book: z.string().min(1),
  reviewer: z.string().min(1),
  rating: z.number().min(1).max(5),
  /** Aspect as the reader or the data set names it → what is said of it. */
  aspects: z.record(z.string(), z.string()),
  conclusion: z
    .string()
    .nullish()
    .transform((text) => text ?? ""),
});

export type StructuredReview = z.infer<typeof structuredReviewSchema>;

import { z } from "zod";

/** A score before and after, and whether the change is more than the judge's own noise. */
export const changeSchema = z.object({
  before: z.number().nullable(),
  after: z.number().nullable(),
  difference: z.number().nullable(),
  /** 95 %, from the spread of the runs; null when there are too few. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  beyondNoise: z.boolean(),
});

export const draftChangesSchema = z.object({
  /** The run whose draft this one is held against. */
  run: z.string(),
  title: z.string(),
  unchanged: z.number().int(),
  removed: z.number().int(),
  overall: changeSchema,
  aspects: z.record(z.string(), changeSchema),
  segments: z.array(
    z.object({
      title: z.string(),
      chapters: z.array(z.number().int()),
      overall: changeSchema,
      aspects: z.record(z.string(), changeSchema),
    }),
  ),
});

export type Change = z.infer<typeof changeSchema>;
export type DraftChanges = z.infer<typeof draftChangesSchema>;

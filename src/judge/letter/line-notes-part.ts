import { z } from "zod";

/** A sentence with the probability that a professional editor changes it; offsets point into the chapter's text. */
const notedSentenceSchema = z.object({
  chapter: z.number().int().positive(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  quote: z.string(),
  change: z.number().min(0).max(1),
  why: z.string().nullable(),
});

/** Line notes as a report shows them: few enough to be read, the likeliest first. */
export const lineNotesPartSchema = z.object({
  sentences: z.number().int().nonnegative(),
  /** Sentences more likely than not to be changed. */
  marked: z.number().int().nonnegative(),
  chapters: z.array(z.object({ chapter: z.number().int(), sentences: z.number().int(), marked: z.number().int() })),
  shown: z.array(notedSentenceSchema),
  /** Those least likely to be changed. */
  strengths: z.array(notedSentenceSchema),
  /** How often editors changed sentences marked like those shown, and any sentence, in the texts held back. */
  rates: z.object({ shown: z.number(), any: z.number() }),
  /** Whether the book is unlike those texts, so that more of the notes miss. */
  isOutside: z.boolean().optional(),
});

export type NotedSentence = z.infer<typeof notedSentenceSchema>;
export type LineNotesPart = z.infer<typeof lineNotesPartSchema>;

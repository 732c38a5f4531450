import { z } from "zod";

/** A piece of the book, word for word: `text.slice(start, end)` of the chapter is `quote`. */
export const quotedPassageSchema = z.object({
  chapter: z.number().int().positive(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
  quote: z.string(),
  /** The words that are meant, as offsets into the quote; null when all of it is. */
  mark: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]).nullable(),
});

export type QuotedPassage = z.infer<typeof quotedPassageSchema>;

/** A figure of the book beside the same figure of the reference novels. */
export const letterFigureSchema = z.object({
  id: z.string(),
  name: z.string(),
  unit: z.enum(["words", "share", "per 1,000 words", "score", "ratio"]),
  value: z.number(),
  /** Median and middle 90 % of the reference novels; null where there is nothing to compare with. */
  reference: z.object({ median: z.number(), low: z.number(), high: z.number() }).nullable(),
  place: z.enum(["below", "inside", "above"]).nullable(),
});

export type LetterFigure = z.infer<typeof letterFigureSchema>;

import { z } from "zod";
import { letterFigureSchema, quotedPassageSchema } from "./quoted-passage.ts";

/** One thing to look at: a figure outside the reference, or a fact that stands by itself, with the passages behind it. */
const letterItemSchema = z.object({
  /** What it is about: the id of a figure, or "phrase", "spelling", "numbering", "marks", "notes", "verdict". */
  kind: z.string(),
  figure: letterFigureSchema.nullable(),
  /** What its words are filled with: names, chapters, counts. */
  facts: z.record(z.string(), z.union([z.string(), z.number()])),
  /** How many passages it touches, of which `passages` quotes two or three. */
  touched: z.number().int().nonnegative(),
  /** How far outside the reference's middle 90 %, as a multiple of the way from its median to its edge. */
  distance: z.number().nonnegative(),
  passages: z.array(quotedPassageSchema).min(1),
  /** A passage of the same book that does it well. */
  better: quotedPassageSchema.nullable(),
  /** For what a language model says: the verdicts it rests on. */
  basis: z
    .array(
      z.object({ aspect: z.string(), remark: z.number().int().nonnegative(), kind: z.enum(["strength", "weakness"]) }),
    )
    .optional(),
});

/** The letter in words, all of it in one language. */
const letterWordsSchema = z.object({
  language: z.enum(["en", "zh"]),
  /** What the prose does well; what stands out; how sure this is and what was not judged. */
  opening: z.tuple([z.string(), z.string(), z.string()]),
  /** One for each item, in their order. */
  items: z.array(
    z.object({
      title: z.string(),
      finding: z.string(),
      advice: z.string(),
      /** Why the passage that does it well is shown; absent where nothing is to be said of it. */
      contrast: z.string().optional(),
    }),
  ),
  works: z.array(z.string()),
  verdicts: z.array(z.string()),
  notJudged: z.string(),
});

/** What a writer reads first. Its facts are in no language; `words` says them, and can be written again in another. */
export const editLetterSchema = z.object({
  items: z.array(letterItemSchema).max(5),
  works: z.object({
    /** Chapters with the fewest sentences an editor would change. */
    calmChapters: z.array(z.number().int()),
    passages: z.array(quotedPassageSchema),
    /** Figures in which the book is on the good side of most reference novels: of them, what share it beats. */
    figures: z.array(z.object({ id: z.string(), value: z.number(), beats: z.number() })),
  }),
  counts: z.object({
    /** Figures that could be compared, and how many of them lie inside the middle 90 %. */
    compared: z.number().int(),
    inside: z.number().int(),
  }),
  /** Who the figures are compared with; null where there is no reference in the book's language. */
  reference: z.object({ id: z.string(), description: z.string(), novels: z.number().int() }).nullable(),
  /** Why the text is not connected prose; then nothing in it is praised. */
  notConnected: z.string().optional(),
  /** The first two sentences as a language model wrote them from its own verdicts. */
  written: z.object({ well: z.string(), standsOut: z.string() }).optional(),
  /** Roughly what it would cost to have a language model judge what was not judged, in US dollars. */
  judging: z.object({ judge: z.string(), method: z.string(), dollars: z.number().nonnegative() }).optional(),
  words: letterWordsSchema,
});

export type LetterItem = z.infer<typeof letterItemSchema>;
export type LetterWords = z.infer<typeof letterWordsSchema>;
export type EditLetter = z.infer<typeof editLetterSchema>;

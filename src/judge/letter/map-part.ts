import { z } from "zod";
import { letterFigureSchema, quotedPassageSchema } from "./quoted-passage.ts";

const count = z.number().int().nonnegative();
const chapterNumber = z.number().int().positive();

/** The manuscript map as reports and the web app show it: what was counted, with the passages behind each figure, quoted. */
export const mapPartSchema = z.object({
  person: z.string().nullable(),
  tense: z.string().nullable(),
  chapters: z.array(
    z.object({
      chapter: chapterNumber,
      words: count,
      scenes: count,
      /** Share of words that are spoken. */
      dialogue: z.number().nullable(),
      sentenceWords: z.number().nullable(),
      tone: z.number().nullable(),
      person: z.string().nullable(),
      tense: z.string().nullable(),
      /** Marked sentences per 1,000 words. */
      notes: z.number().nullable(),
      opening: z.string(),
      closing: z.string(),
    }),
  ),
  figures: z.array(letterFigureSchema.extend({ passages: z.array(quotedPassageSchema) })),
  characters: z.array(
    z.object({
      name: z.string(),
      aliases: z.array(z.string()),
      mentions: count,
      spokenWords: count,
      /** Mentions in each chapter, in the order of `chapters`. */
      presence: z.array(count),
      first: quotedPassageSchema.nullable(),
      last: quotedPassageSchema.nullable(),
      absences: z.array(z.object({ from: z.number(), to: z.number(), chapters: count, words: count })),
    }),
  ),
  /** For the first characters: in how many paragraphs each pair appears together. */
  together: z.object({ names: z.array(z.string()), paragraphs: z.array(z.array(count)) }),
  lookAlikes: z.array(z.object({ names: z.tuple([z.string(), z.string()]), mentions: z.tuple([count, count]) })),
  phrases: z.array(
    z.object({
      phrase: z.string(),
      count,
      rate: z.number(),
      referenceRate: z.number(),
      referenceHigh: z.number().nullable(),
      passages: z.array(quotedPassageSchema),
    }),
  ),
  tags: z.array(z.object({ verb: z.string(), count })),
  tone: z
    .object({
      lexicon: z.string(),
      isRandom: z.boolean().nullable(),
      points: z.array(z.object({ at: z.number(), tone: z.number(), low: z.number(), high: z.number() })),
      peaks: z.array(z.object({ kind: z.enum(["high", "low"]), at: z.number(), passage: quotedPassageSchema })),
    })
    .nullable(),
  slips: z.object({ count, passages: z.array(quotedPassageSchema) }),
});

export type MapPart = z.infer<typeof mapPartSchema>;

import { z } from "zod";
import { findingSchema } from "../../core/finding.ts";
import { closePartSchema } from "./close-part.ts";

/** The letter's own sentences, all of them in one language. */
const letterWordsSchema = z.object({
  language: z.enum(["en", "zh"]),
  /** What the text is, how much was found, how sure this is and what was not judged. */
  opening: z.array(z.string()),
  /** Which figures of the map leave the reference; empty where none does. */
  figures: z.string().default(""),
  notJudged: z.string(),
});

/** What a writer reads first: findings of whatever origin. `words` can be written again in another language. */
export const editLetterSchema = z.object({
  /** Each once, in the order in which an author should deal with them; letters of earlier versions had none. */
  findings: z.array(findingSchema).default([]),
  /** Ids of the map's figures that leave the middle 90 % of the reference by more than chance. */
  outside: z.array(z.string()).default([]),
  /** Who the figures are compared with; null where there is no reference in the book's language. */
  reference: z.object({ id: z.string(), description: z.string(), novels: z.number().int() }).nullable(),
  /** Why the text is not connected prose. */
  notConnected: z.string().optional(),
  /** The first two sentences as a language model wrote them from its own verdicts. */
  written: z.object({ well: z.string(), standsOut: z.string() }).optional(),
  /** Roughly what it would cost to have a language model judge what was not judged, in US dollars. */
  judging: z.object({ judge: z.string(), method: z.string(), dollars: z.number().nonnegative() }).optional(),
  words: letterWordsSchema,
  /** Where a language model read the story: the story, the first page and the plan. */
  close: closePartSchema.optional(),
});

export type LetterWords = z.infer<typeof letterWordsSchema>;
export type EditLetter = z.infer<typeof editLetterSchema>;

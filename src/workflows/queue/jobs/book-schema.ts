import { z } from "zod";
import type { Book } from "../../../text/book.ts";
import { characterCorrectionsSchema } from "../../../text/corrections/character-corrections.ts";

/** A book that was read elsewhere and came through the store. */
export const bookSchema: z.ZodType<Book> = z.object({
  title: z.string(),
  author: z.string().nullable(),
  language: z.string().nullable(),
  genres: z.array(z.string()),
  premise: z.string().nullable(),
  chapters: z.array(
    z.object({
      index: z.number().int(),
      title: z.string().nullable(),
      text: z.string(),
      words: z.number().int(),
      part: z.string().exactOptional(),
    }),
  ),
  words: z.number().int(),
  characterCorrections: characterCorrectionsSchema.exactOptional(),
  removed: z.array(z.object({ rule: z.string(), where: z.string(), text: z.string() })),
  warnings: z.array(z.string()),
  source: z.object({
    file: z.string(),
    format: z.string(),
    encoding: z.string(),
    bytes: z.number(),
    sha256: z.string(),
    pages: z.record(z.string(), z.number()).exactOptional(),
  }),
});

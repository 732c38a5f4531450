import { z } from "zod";

/** What a writer says about the characters the map found. Kept with the book, applied wherever it is read. */
export const characterCorrectionsSchema = z.object({
  /** These names mean the first one's person. */
  merge: z.array(z.array(z.string()).min(2)).default([]),
  /** These aliases of a character belong to somebody else. */
  split: z.array(z.object({ name: z.string(), aliases: z.array(z.string()).min(1), as: z.string() })).default([]),
  rename: z.array(z.object({ from: z.string(), to: z.string() })).default([]),
  /** Not a character. */
  drop: z.array(z.string()).default([]),
});

export type CharacterCorrections = z.infer<typeof characterCorrectionsSchema>;

export const NO_CORRECTIONS: CharacterCorrections = { merge: [], split: [], rename: [], drop: [] };

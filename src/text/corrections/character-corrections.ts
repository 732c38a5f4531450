import { z } from "zod";

const name = z.string().min(1);

/** What a writer says about the characters the map found. Kept with the book, applied wherever it is read. */
export const characterCorrectionsSchema = z.object({
  /** These names mean the first one's person. */
  merge: z.array(z.array(name).min(2)).default([]),
  /** These aliases of a character belong to somebody else. */
  split: z.array(z.object({ name, aliases: z.array(name).min(1), as: name })).default([]),
  rename: z.array(z.object({ from: name, to: name })).default([]),
  /** Not a character. */
  drop: z.array(name).default([]),
});

export type CharacterCorrections = z.infer<typeof characterCorrectionsSchema>;

export const NO_CORRECTIONS: CharacterCorrections = { merge: [], split: [], rename: [], drop: [] };

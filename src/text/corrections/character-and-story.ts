import { z } from "zod";

const words = z.string().min(1);

/** What a writer says about the story that a model read. Kept with the book, told to later readings. */
export const storyCorrectionsSchema = z.object({
  /** What a reading took for a fault and is meant: a finding by its id, or by words of its passage. It is not raised again. */
  intended: z
    .array(
      z
        .object({ finding: words.optional(), passage: words.optional(), why: words.optional() })
        .refine(
          ({ finding, passage }) => finding !== undefined || passage !== undefined,
          "name a finding or a passage",
        ),
    )
    .default([]),
  /** What a reading got wrong, said right: "Sarah is Voss's niece, not her daughter." */
  facts: z.array(words).default([]),
});

export type StoryCorrections = z.infer<typeof storyCorrectionsSchema>;

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

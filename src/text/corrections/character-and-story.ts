import { z } from "zod";

const words = z.string().min(1);

/** The writer's corrections to the story as read by a model. They are stored with the book and given to later readings. */
export const storyCorrectionsSchema = z.object({
  /** Intended passages that a reading took for faults, by the finding's id or words of the passage. They are not reported again. */
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
  /** Facts that correct a reading: "Sarah is Voss's niece, not her daughter." */
  facts: z.array(words).default([]),
});

export type StoryCorrections = z.infer<typeof storyCorrectionsSchema>;

const name = z.string().min(1);

/** The writer's corrections to the characters that were found. They are stored with the book and applied wherever it is read. */
export const characterCorrectionsSchema = z.object({
  /** All these names belong to the character named first. */
  merge: z.array(z.array(name).min(2)).default([]),
  /** These aliases belong to another character. */
  split: z.array(z.object({ name, aliases: z.array(name).min(1), as: name })).default([]),
  rename: z.array(z.object({ from: name, to: name })).default([]),
  /** Not a character. */
  drop: z.array(name).default([]),
});

export type CharacterCorrections = z.infer<typeof characterCorrectionsSchema>;

export const NO_CORRECTIONS: CharacterCorrections = { merge: [], split: [], rename: [], drop: [] };

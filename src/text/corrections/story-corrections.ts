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

import { z } from "zod";

/** A place in one draft: offsets into the text of the chapter with this index. */
export const draftPlaceSchema = z.object({
  chapter: z.number().int(),
  start: z.number().int().nonnegative(),
  end: z.number().int().nonnegative(),
});

export const wordRunSchema = z.object({ kind: z.enum(["same", "added", "removed"]), text: z.string() });

/** One paragraph that differs between two drafts. `moved` may be rewritten too: its runs say so. */
export const textChangeSchema = z.object({
  kind: z.enum(["added", "removed", "moved", "rewritten"]),
  before: draftPlaceSchema.nullable(),
  after: draftPlaceSchema.nullable(),
  runs: z.array(wordRunSchema),
});

const countsSchema = z.object({
  same: z.number().int(),
  added: z.number().int(),
  removed: z.number().int(),
  moved: z.number().int(),
  rewritten: z.number().int(),
});

/** How the text of two drafts differs, paragraph by paragraph, in the order of the later draft. */
export const textChangesSchema = z.object({
  paragraphs: countsSchema,
  words: z.object({ added: z.number().int(), removed: z.number().int() }),
  changes: z.array(textChangeSchema),
});

export type DraftPlace = z.infer<typeof draftPlaceSchema>;
export type WordRun = z.infer<typeof wordRunSchema>;
export type TextChange = z.infer<typeof textChangeSchema>;
export type TextChanges = z.infer<typeof textChangesSchema>;

import { z } from "zod";
import { findingSchema } from "../../core/finding.ts";
import { textChangesSchema } from "../../text/text-changes.ts";
import { letterFigureSchema } from "../letter/parts.ts";

/** A score before and after, and whether the change is more than the judge's own noise. */
export const changeSchema = z.object({
  before: z.number().nullable(),
  after: z.number().nullable(),
  difference: z.number().nullable(),
  /** The 95 % interval, from the judge's noise; null if there are too few runs to estimate it. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  beyondNoise: z.boolean(),
  /** Absent if one of the drafts has no score. */
  outcome: z.enum(["better", "worse", "cannot be told"]).optional(),
  /** What it would take to decide; absent if it is decided. */
  needs: z.string().optional(),
});

/** How one embedded judge's score changed, on its own scale. */
const jurorChangeSchema = changeSchema.extend({
  id: z.enum(["crowd", "editor", "grader"]),
  speaker: z.string(),
  scale: z.object({ minimum: z.number(), maximum: z.number() }),
});

const noteCountsSchema = z.object({ sentences: z.number().int(), likely: z.number().int() });

/** Line notes on the paragraphs that differ: how many sentences an editor would probably change, before and after. */
const noteChangesSchema = z.object({ before: noteCountsSchema, after: noteCountsSchema });

/** A figure of the manuscript map before and after, beside the middle 90 % of the reference novels. */
const figureChangeSchema = z.object({
  id: z.string(),
  name: z.string(),
  unit: letterFigureSchema.shape.unit,
  before: z.number().nullable(),
  after: z.number().nullable(),
  reference: z.object({ median: z.number(), low: z.number(), high: z.number() }).nullable(),
});

/** Each finding of the earlier draft is fixed or still present; the others of this draft are new. */
const foundChangesSchema = z.object({
  fixed: z.array(findingSchema),
  /** With their text in this draft. */
  still: z.array(findingSchema),
  new: z.array(findingSchema),
});

export const draftChangesSchema = z.object({
  /** The run that judged the earlier draft. */
  run: z.string(),
  title: z.string(),
  unchanged: z.number().int(),
  removed: z.number().int(),
  overall: changeSchema,
  aspects: z.record(z.string(), changeSchema),
  segments: z.array(
    z.object({
      title: z.string(),
      chapters: z.array(z.number().int()),
      overall: changeSchema,
      aspects: z.record(z.string(), changeSchema),
    }),
  ),
  /**
   * The fields below need the text of both drafts; a run with a language model keeps only hashes of the earlier one.
   */
  findings: foundChangesSchema.optional(),
  jurors: z.array(jurorChangeSchema).optional(),
  text: textChangesSchema.optional(),
  lineNotes: noteChangesSchema.nullable().optional(),
  figures: z.array(figureChangeSchema).optional(),
  /** All changes, in sentences. */
  words: z.array(z.string()).optional(),
});

export type Change = z.infer<typeof changeSchema>;
export type JurorChange = z.infer<typeof jurorChangeSchema>;
export type FoundChanges = z.infer<typeof foundChangesSchema>;
export type NoteChanges = z.infer<typeof noteChangesSchema>;
export type FigureChange = z.infer<typeof figureChangeSchema>;
export type DraftChanges = z.infer<typeof draftChangesSchema>;

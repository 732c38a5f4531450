import { z } from "zod";
import { passageSchema } from "../../core/finding.ts";

/** Whether a chapter tells the story itself or something inside it. A fact of a dream is no fact of the story. */
const LEVELS = ["story", "inner story", "letter", "dream", "memory"] as const;

export const chapterEntry = {
  happens: z.string(),
  /** What is different at its end. */
  changes: z.string(),
  place: z.string(),
  /** As the book tells it: "six hours later". */
  time: z.string(),
  viewpoint: z.string(),
  tense: z.enum(["past", "present", "mixed"]).catch("mixed"),
  level: z.enum(LEVELS).catch("story"),
  tension: z.number().min(1).max(5).catch(3),
};
export const personEntry = {
  name: z.string(),
  also: z.array(z.string()).catch([]),
  role: z.string(),
  wants: z.string(),
  /** How they are at first and at last. */
  arc: z.string(),
};

/** What a close reading knows of a book: made by a model, each quotation looked up by code. */
export const storySchema = z.object({
  premise: z.string(),
  /** The question under the plot. */
  question: z.string(),
  chapters: z.array(z.object({ chapter: z.number().int().positive(), ...chapterEntry })),
  people: z.array(z.object({ ...personEntry, passages: z.array(passageSchema) })),
  threads: z.array(
    z.object({ thread: z.string(), opened: passageSchema.nullable(), closed: passageSchema.nullable() }),
  ),
  /** What follows is noted chapter by chapter, and only where every chapter was read alone (`--depth full`). */
  joints: z.array(z.object({ chapter: z.number().int(), opening: z.string(), ending: z.string() })).optional(),
  facts: z
    .array(z.object({ subject: z.string(), property: z.string(), value: z.string(), passage: passageSchema }))
    .optional(),
  events: z.array(z.object({ who: z.string(), what: z.string(), when: z.string(), passage: passageSchema })).optional(),
  knowledge: z
    .array(z.object({ who: z.string(), knows: z.boolean(), what: z.string(), passage: passageSchema }))
    .optional(),
  /** What a chapter treats as already told. */
  assumed: z.array(z.object({ what: z.string(), passage: passageSchema })).optional(),
  /** What a reader asks after each chapter, and what it answered. */
  reader: z
    .array(z.object({ chapter: z.number().int(), asks: z.array(z.string()), answered: z.array(z.string()) }))
    .optional(),
});
export type Story = z.infer<typeof storySchema>;

/** An entry of the letter's page, with the ids of the findings it rests on. */
const entry = z.object({ text: z.string(), findings: z.array(z.string()) });
const titledEntry = entry.extend({ title: z.string() });

const count = z.number().int().nonnegative();

/** What a close reading adds to a letter, beside its findings. */
export const closePartSchema = z.object({
  /** `book`: the questions were asked about the whole text; `notes`: about notes on every chapter; `both`: one after the other. */
  shown: z.enum(["book", "notes", "both"]),
  story: storySchema,
  /** What the book is, what works, what does not, what to do first, and passes of revision; null where nobody wrote it. */
  page: z
    .object({
      book: z.string(),
      works: z.array(entry),
      problems: z.array(titledEntry),
      first: z.array(entry),
      plan: z.array(titledEntry),
    })
    .nullable(),
  /** Why there is no page. */
  pageMissing: z.string().nullable(),
  /** Claims as they were made, and what became of those that are not in the letter. */
  counts: z.object({
    made: count,
    /** Resting on no passage that stands in the book. */
    unsupported: count,
    merged: count,
    /** About what the author said is meant. */
    intended: count.optional(),
    explained: count,
    refuted: count,
    /** In the letter although no second reading was had for them. */
    unchecked: count,
    quotations: count,
    quotationsMissing: count,
  }),
  /** Questions without a usable answer: what the letter does not cover. */
  unanswered: z.array(z.object({ question: z.string(), reason: z.string() })),
});
export type ClosePart = z.infer<typeof closePartSchema>;

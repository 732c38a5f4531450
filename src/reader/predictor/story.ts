import { z } from "zod";

/** A value that does not fit counts as absent: a gap costs precision, never the prediction. */
const text = z.string().trim().min(1).optional().catch(undefined);
/** The lowest that any platform gives is a quarter of a star (StoryGraph). */
const stars = z.coerce.number().min(0.25).max(5).optional().catch(undefined);
const absentWhenNull = (value: unknown) => (value === null || value === "" ? undefined : value);

const genres = z
  .union([z.array(z.string()), z.string().transform((list) => list.split(/[,;|]/))])
  .transform((list) => list.map((genre) => genre.trim()).filter((genre) => genre !== ""))
  .catch([])
  .default([]);

/** A story as far as anyone has described it: every field may be missing. */
export const storySchema = z.object({
  /** The book's id on a platform. The ratings of others are looked up by it, or by the title. */
  book: z.preprocess((value) => (typeof value === "number" ? String(value) : value), text),
  title: text,
  genres,
  premise: text,
  plot_summary: text,
  characters: text,
  /** How long it is, and what its author's earlier books were given: the forecast of readers in general uses both. */
  words: z.number().nonnegative().optional().catch(undefined),
  earlier_books: z
    .array(z.looseObject({ average_rating: z.number().min(1).max(5) }))
    .optional()
    .catch(undefined),
  /** The mean of everyone's ratings from 1 to 5, where a platform knows it. */
  average_rating: z.preprocess(absentWhenNull, stars),
});

/** The words of a review: plain, or aspect by aspect as structured reviews have them. */
export const reviewSchema = z
  .union([
    z.string(),
    z.array(z.string()).transform((parts) => parts.join("\n")),
    z
      .object({ aspects: z.record(z.string(), z.string()), conclusion: z.string().nullish() })
      .transform(({ aspects, conclusion }) => [...Object.values(aspects), conclusion ?? ""].join("\n")),
    z.record(z.string(), z.string()).transform((aspects) => Object.values(aspects).join("\n")),
  ])
  .transform((review) => review.trim())
  .optional()
  .catch(undefined);

export const pastReviewSchema = storySchema.extend({
  rating: z.preprocess(absentWhenNull, stars),
  review: reviewSchema,
  /** A book given up is an opinion without stars; one still to be read is not an opinion. */
  status: z.enum(["did-not-finish", "to-read"]).optional().catch(undefined),
  /** What StoryGraph asks its readers after a book: "reflective", "tense"; "slow", "medium", "fast". */
  moods: z.array(z.string()).optional().catch(undefined),
  pace: text,
  /** Shelves of the reader's own that are not genres: "slow burn", "unreliable narrators". */
  shelves: z.array(z.string()).optional().catch(undefined),
});

export const pairSchema = z.object({
  id: z.union([z.string(), z.number()]),
  history: z
    .array(pastReviewSchema.catch({ genres: [] }))
    .catch([])
    .default([]),
  query: z
    .unknown()
    .refine((value) => typeof value === "object" && value !== null && !Array.isArray(value), {
      error:
        'a line needs "query", the story to predict: an object with title, genres, premise, plot_summary or characters',
    })
    .pipe(storySchema),
});

export type Story = z.infer<typeof storySchema>;
export type PastReview = z.infer<typeof pastReviewSchema>;
export type ReaderPair = z.infer<typeof pairSchema>;

/** Whether anything is known about a story's content, or about how readers rate it. */
export function isKnownStory(story: Story): boolean {
  return hasContent(story) || story.average_rating !== undefined;
}

export function hasContent(story: Story): boolean {
  return Boolean(story.plot_summary || story.premise || story.characters || story.genres.length > 0);
}

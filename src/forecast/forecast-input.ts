import { z } from "zod";
import { plainGenres } from "../text/plain-genres.ts";

/** What a forecast can be made from, in the order in which a reader meets it. */
export const FIELDS = ["title", "genres", "premise", "words", "plot_summary", "characters"] as const;
export type Field = (typeof FIELDS)[number];
export const fieldSchema = z.enum(FIELDS);

const LONGEST_TEXT = 2_000_000;
const text = z.string().max(LONGEST_TEXT).nullish();

const described = z.object({
  title: text,
  genres: z
    .union([z.array(z.string()).max(1000), z.string().transform((list) => list.split(/[,;|]/))])
    .nullish()
    // A list of headings that name no genre says nothing, which is not the same as an empty list.
    .transform((genres) => {
      const plain = genres && plainGenres(genres);
      return genres?.length && plain?.length === 0 ? undefined : plain;
    }),
  premise: text,
  words: z.number().nonnegative().nullish(),
  plot_summary: text,
  /** Prose or a list; a list of objects is read as its values. */
  characters: z
    .unknown()
    .transform((value) => flatten(value, 4))
    .optional(),
});

/** A book, an outline or a summary, with whatever of it is known. */
export const forecastInputSchema = described.extend({
  /** How many readers have rated the book, or are expected to: averages of many readers lie closer together. */
  expected_ratings: z.number().positive().nullish(),
  /** What the author published before, each with the average rating that readers gave it, and described as far as known. */
  earlier_books: z
    .array(described.extend({ average_rating: z.number().min(1).max(5) }))
    .max(500)
    .nullish(),
});

export type ForecastInput = z.input<typeof forecastInputSchema>;
export type KnownBook = z.output<typeof forecastInputSchema>;

/** Characters come as prose, as a list, or as a mapping from a name to what is said of it: all of it is words. */
function flatten(value: unknown, depth: number): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "string") return value.slice(0, LONGEST_TEXT);
  if (typeof value !== "object") return String(value);
  if (depth === 0) return null;
  const parts = Array.isArray(value) ? value : Object.entries(value).flat();
  return parts.map((part) => flatten(part, depth - 1) ?? "").join("\n");
}

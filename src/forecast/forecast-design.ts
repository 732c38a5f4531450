import { z } from "zod";
import type { VarianceComponents } from "../stats/index.ts";
import { FIELDS, type Field } from "./forecast-input.ts";

/** What is decided before weights are learnt: what counts as a term, and how far each kind of field is trusted. */
export const designSchema = z.object({
  /** A word of premise, plot summary or characters must be in this many books to be learnt from. */
  fewestBooks: z.number().int().positive(),
  /** Whether pairs of neighbouring words are terms beside the words. */
  wordPairs: z.boolean(),
  /** An empty list of genres: a shelf of its own ("readers have put it nowhere"), or as good as no list. */
  emptyGenres: z.enum(["shelf", "missing"]),
  /** Variance of ratings that genres carry, and that nothing carries, for each unit that a long text carries. */
  genres: z.number().positive(),
  noise: z.number().positive(),
});
export type ForecastDesign = z.infer<typeof designSchema>;

/** Every design that training compares, in each fold by the fold's own training books. */
export const DESIGNS: readonly ForecastDesign[] = (["shelf", "missing"] as const).flatMap((emptyGenres) =>
  [false, true].flatMap((wordPairs) =>
    [2, 3].flatMap((fewestBooks) =>
      [0.1, 0.3, 1].flatMap((genres) =>
        [0.3, 1, 3].map((noise) => ({ fewestBooks, wordPairs, emptyGenres, genres, noise })),
      ),
    ),
  ),
);

/** Titles and lists of genres are short: a term of two books is the least that can be learnt from, and nothing is tried. */
const SHORT_FIELD_BOOKS = 2;
/** A title is a few words and a length is one number: neither can carry what a page of text does. */
const SHORT_FIELD_SHARE = 0.05;

export interface FieldDesign {
  readonly fewestBooks: number;
  readonly wordPairs: boolean;
  readonly emptyIsTerm: boolean;
}

export function fieldDesign({ fewestBooks, wordPairs, emptyGenres }: ForecastDesign, field: Field): FieldDesign {
  const short = field === "title" || field === "genres";
  return {
    fewestBooks: short ? SHORT_FIELD_BOOKS : fewestBooks,
    wordPairs: wordPairs && !short,
    emptyIsTerm: field === "genres" && emptyGenres === "shelf",
  };
}

/** The variance of each field, of `spread` in all. */
export function designComponents(design: ForecastDesign, spread: number): VarianceComponents {
  const shares = FIELDS.map((field) => {
    if (field === "genres") return design.genres;
    return field === "title" || field === "words" ? SHORT_FIELD_SHARE : 1;
  });
  const unit = spread / shares.reduce((sum, share) => sum + share, design.noise);
  return { components: shares.map((share) => share * unit), noise: design.noise * unit };
}

export function designInWords({ fewestBooks, wordPairs, emptyGenres, genres, noise }: ForecastDesign): string {
  const terms = wordPairs ? "words and pairs" : "words";
  const empty = emptyGenres === "shelf" ? "no genres is a shelf" : "no genres is missing";
  return `${terms} of ${fewestBooks} books, ${empty}, genres ${genres}, noise ${noise}`;
}

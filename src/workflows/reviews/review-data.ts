import { z } from "zod";
import { readJsonLines } from "../../core/json-lines.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { type Rubric, topLevel } from "../../criteria/rubric.ts";
import { loadAspectVocabulary } from "../../reviews/aspect-vocabulary.ts";
import { type AspectMapper, aspectMapper } from "../../reviews/map-aspect.ts";
import type { StarCounts } from "../../reviews/sample-reviews.ts";

/** Five stars first. */
export const starCountsSchema = z.tuple([count(), count(), count(), count(), count()]);

/** A book as its reviews need it: what readers gave it, star by star. */
export const reviewedBookSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string().nullish(),
  genres: z.array(z.string()).default([]),
  premise: z.string().nullish(),
  plot_summary: z.string().nullish(),
  characters: z.string().nullish(),
  excerpts: z.string().nullish(),
  average_rating: z.number().min(1).max(5),
  ratings_5_to_1: starCountsSchema,
});
export type ReviewedBookRow = z.infer<typeof reviewedBookSchema>;

function count() {
  return z.number().nonnegative();
}

export async function readReviewedBooks(path: string): Promise<Map<string, ReviewedBookRow>> {
  const rows = await readJsonLines(path, reviewedBookSchema);
  return new Map(rows.map((row) => [row.id, row]));
}

export function starCounts(books: ReadonlyMap<string, ReviewedBookRow>): Map<string, StarCounts> {
  return new Map([...books].map(([id, { ratings_5_to_1 }]) => [id, ratings_5_to_1]));
}

export interface AspectTools {
  readonly rubric: Rubric;
  readonly map: AspectMapper;
  /** Ids of the top-level aspects, in the rubric's order. */
  readonly aspects: readonly string[];
}

export async function loadAspectTools(): Promise<AspectTools> {
  const rubric = await loadRubric("long-story");
  const map = aspectMapper(await loadAspectVocabulary(), rubric);
  return { rubric, map, aspects: topLevel(rubric).map(({ id }) => id) };
}

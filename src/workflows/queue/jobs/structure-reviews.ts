import { join } from "node:path";
import { z } from "zod";
import { jsonLines, writeJsonLines } from "../../../core/json-lines.ts";
import { rawReviewSchema, type Structuring } from "../../../reviews/structure-review.ts";
import { structureReviews } from "../../reviews/structure-reviews.ts";
import type { PieceDraft } from "../shared-runs.ts";
import { defineJob, MadeItems } from "./job.ts";

/** Rows in batches, each a piece with a label that says which rows it holds. */
export async function* batches<Row>(
  rows: Iterable<Row> | AsyncIterable<Row>,
  size: number,
  dataOf: (rows: readonly Row[]) => unknown,
  word: string,
): AsyncGenerator<PieceDraft> {
  let batch: Row[] = [];
  let start = 1;
  const draft = () => ({ label: `${word} ${start}–${start + batch.length - 1}`, data: dataOf(batch) });
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < size) continue;
    yield draft();
    start += batch.length;
    batch = [];
  }
  if (batch.length > 0) yield draft();
}

const REVIEWS_TOGETHER = 25;

export const structureReviewsJob = defineJob({
  options: z.object({ model: z.string(), secondModel: z.string().optional() }),
  data: z.object({ reviews: z.array(rawReviewSchema) }),
  async perform({ model, secondModel }, { reviews }, { folder, settings, services }) {
    const input = join(folder, "reviews.jsonl");
    await writeJsonLines(input, reviews);
    const structured: Structuring[] = [];
    await structureReviews({
      input,
      output: join(folder, "structured.jsonl"),
      model,
      ...(secondModel !== undefined && { secondModel }),
      settings,
      services,
      onProgress: () => {},
      onStructured: (result) => structured.push(result),
    });
    return structured;
  },
});

export function piecesOfReviews(input: string): AsyncIterable<PieceDraft> {
  return batches(jsonLines(input, rawReviewSchema), REVIEWS_TOGETHER, (reviews) => ({ reviews }), "reviews");
}

export function structuredBy(results: AsyncIterable<unknown>): (position: number) => Promise<Structuring | null> {
  const made = new MadeItems<Structuring>(results);
  return (position) => made.of(Math.floor(position / REVIEWS_TOGETHER), position % REVIEWS_TOGETHER);
}

import { join } from "node:path";
import { z } from "zod";
import { jsonLines, writeJsonLines } from "../../../core/json-lines.ts";
import { rawReviewSchema } from "../../../reviews/structure-review.ts";
import { structureReviews } from "../../reviews/structure-reviews.ts";
import type { PieceDraft } from "../shared-runs.ts";
import { defineJob } from "./job.ts";
import { batches } from "./lines.ts";

const REVIEWS_TOGETHER = 25;

export const structureReviewsJob = defineJob({
  options: z.object({ model: z.string(), secondModel: z.string().optional() }),
  data: z.object({ reviews: z.array(rawReviewSchema) }),
  async perform({ model, secondModel }, { reviews }, { folder, settings, services }) {
    const input = join(folder, "reviews.jsonl");
    await writeJsonLines(input, reviews);
    await structureReviews({
      input,
      output: join(folder, "structured.jsonl"),
      model,
      ...(secondModel !== undefined && { secondModel }),
      settings,
      services,
      onProgress: () => {},
    });
  },
});

export function piecesOfReviews(input: string): AsyncIterable<PieceDraft> {
  return batches(jsonLines(input, rawReviewSchema), REVIEWS_TOGETHER, (reviews) => ({ reviews }), "reviews");
}

import { join } from "node:path";
import { z } from "zod";
import { jsonLines, writeJsonLines } from "../../core/json-lines.ts";
import { defineJob } from "../../queue/job.ts";
import { type PieceDraft, PieceSetAside } from "../../queue/shared-runs.ts";
import { rawReviewSchema, type Structuring } from "../../reviews/structure-review.ts";
import { structureReviews } from "../reviews/structure-reviews.ts";

/** Groups rows in pieces, each with a label that says which rows it holds. */
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

/** Not validated further, since the same version wrote it. */
const item = z.custom<object>((value) => typeof value === "object" && value !== null);
const itemsSchema = z.array(item);

/**
 * What workers made of single items, for the process that combines the results: it takes them in order instead of
 * asking a model. Only items that arrived early are kept in memory.
 */
export class WorkerItems<Item extends object> {
  readonly #results: AsyncIterator<unknown>;
  readonly #pieces: Promise<readonly object[] | null>[] = [];

  constructor(results: AsyncIterable<unknown>) {
    this.#results = results[Symbol.asyncIterator]();
  }

  /** The item of a piece at a position; null when the piece was set aside. */
  async of(piece: number, place: number): Promise<Item | null> {
    while (this.#pieces.length <= piece) {
      const next = this.#next();
      // A failure is reported to whoever asks for an item of this piece; a piece that has no items is never asked
      // for.
      next.catch(() => {});
      this.#pieces.push(next);
    }
    const items = await this.#pieces[piece];
    if (items && place === items.length - 1) delete this.#pieces[piece];
    return items ? (items[place] as Item) : null;
  }

  async #next(): Promise<readonly object[] | null> {
    const { value, done } = await this.#results.next();
    if (done) throw new Error("the workers made fewer pieces than there are");
    return value instanceof PieceSetAside ? null : itemsSchema.parse(value);
  }
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
  const made = new WorkerItems<Structuring>(results);
  return (position) => made.of(Math.floor(position / REVIEWS_TOGETHER), position % REVIEWS_TOGETHER);
}

import { z } from "zod";
import type { RunServices, RunSettings } from "../../../runner/open-run.ts";
import { PieceSetAside } from "../shared-runs.ts";

/** What all pieces of a run have in common, as it is kept with the run for the workers. */
export const jobDocumentSchema = z.object({
  kind: z.string(),
  options: z.unknown(),
  /** Every model a piece may ask, and where it is reached when that is not its usual address. */
  models: z.array(z.object({ id: z.string(), origin: z.string().nullable() })),
  /** The price table of the process that queued it, because prices decide how much fits into a model. */
  prices: z.string().nullable(),
  refresh: z.boolean(),
  pace: z.object({
    concurrency: z.number().optional(),
    requestsPerMinute: z.number().optional(),
    tokensPerMinute: z.number().optional(),
    timeoutSeconds: z.number().optional(),
  }),
});
export type JobDocument = z.infer<typeof jobDocumentSchema>;

/** Where a worker does a piece: a folder of its own, and the run that the piece belongs to. */
export interface Place {
  readonly folder: string;
  readonly settings: RunSettings;
  readonly services: RunServices;
}

/** A kind of work that can be cut into pieces. A piece is done by the same workflow that does the whole in one process. */
export interface Job<Options, Data> {
  readonly options: z.ZodType<Options>;
  readonly data: z.ZodType<Data>;
  perform(options: Options, data: Data, place: Place): Promise<unknown>;
}

/** What came of an item of a piece: the same version wrote it. */
const item = z.custom<object>((value) => typeof value === "object" && value !== null);
const itemsSchema = z.array(item);

/**
 * What workers made of single items, for the workflow that puts the whole together: it takes them in their order instead of asking a
 * model. Only what came early is held.
 */
export class MadeItems<Item extends object> {
  readonly #results: AsyncIterator<unknown>;
  readonly #pieces: Promise<readonly object[] | null>[] = [];

  constructor(results: AsyncIterable<unknown>) {
    this.#results = results[Symbol.asyncIterator]();
  }

  /** By its piece and its place in it; null when the piece was set aside. */
  async of(piece: number, place: number): Promise<Item | null> {
    while (this.#pieces.length <= piece) {
      const next = this.#next();
      // Of a piece without items nobody asks.
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

export function defineJob<Options, Data>(job: Job<Options, Data>): Job<Options, Data> {
  return job;
}

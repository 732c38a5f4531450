import { z } from "zod";
import type { ProgressListener } from "../src/core/progress.ts";

/** One line of the scorecard: a measured number that says how it was measured. */
export const figureSchema = z.strictObject({
  /** Stable, for the documentation to point at: `chapter-pearson`. */
  id: z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/),
  /** What was measured on what: "Pearson per chapter, on writers and stories never seen". */
  name: z.string().min(1),
  value: z.number(),
  /** 95%; null where an interval has no meaning, such as a count. */
  interval: z.tuple([z.number(), z.number()]).nullable(),
  /** How many cases it rests on. */
  n: z.number().int().nonnegative(),
  better: z.enum(["higher", "lower"]),
  /** What is known from elsewhere: a paper's figure, chance, a baseline. */
  compare: z.strictObject({ name: z.string(), value: z.number() }).optional(),
});

export type Figure = z.infer<typeof figureSchema>;

/**
 * One part of the scorecard. Add one by writing `evals/parts/NAME.ts` that exports a value of this type, and a line in
 * `evals/parts.ts`. It must give the same figures for the same data: seed what is drawn. The README
 * shows a part's first figures, so put those first that matter most.
 */
export interface EvalPart<Data extends string = string> {
  readonly id: string;
  readonly title: string;
  /** The data it reads: each name becomes a flag, `--judged-chapters PATH`, with its explanation. Parts share names. */
  readonly data: Readonly<Record<Data, string>>;
  run(paths: Readonly<Record<Data, string>>, onProgress: ProgressListener): Promise<readonly Figure[]>;
}

export function defineEval<const Data extends string>(part: EvalPart<Data>): EvalPart<Data> {
  return part;
}

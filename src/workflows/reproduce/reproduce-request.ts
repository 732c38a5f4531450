import type { ProgressListener } from "../../core/progress.ts";

export interface ReproduceRequest {
  /** Where the paper's data are. */
  readonly folder: string;
  /** Evaluations of LongStoryEval's books, for its tables of judges. */
  readonly evaluations?: string;
  /** `test`: only the books that a paper names as its test set, of a release that says which they are. */
  readonly set?: "test";
  readonly seed: number;
  readonly onProgress: ProgressListener;
  readonly signal: AbortSignal;
}

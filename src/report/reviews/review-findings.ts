import type { CriteriaAnalysis } from "../../reviews/criteria-analysis.ts";
import type { Mitigation } from "../../reviews/mitigation.ts";
import type { Moments } from "../../reviews/normalise-ratings.ts";

export interface Normalisation {
  readonly reviewers: number;
  readonly ratings: number;
  readonly shrinkage: number;
  readonly platform: Moments;
  readonly before: Moments;
  readonly after: Moments;
}

/** What a collection of reviews shows. */
export interface ReviewFindings {
  readonly mitigation: Mitigation;
  readonly normalisation: Normalisation;
  readonly criteria: CriteriaAnalysis;
  /** Names of aspects that belong to no aspect we know, most frequent first. */
  readonly unmapped: readonly { readonly name: string; readonly count: number }[];
}

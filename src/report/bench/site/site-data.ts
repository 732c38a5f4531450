import type { HeadToHead } from "../../../api/benchmarks.ts";
import type { WriterBenchmark } from "../../../bench/benchmark-writers.ts";
import type { SplitDifference, TextOverlap } from "../../../bench/contamination.ts";
import type { DriftRound } from "../../../bench/drift.ts";
import type { WritingRates } from "../../../bench/writing.ts";

/** What a leaderboard's site is made of: nothing in it needs the benchmark's folder any more. */
export interface SiteData {
  readonly title: string;
  readonly language: "en" | "zh";
  /** ISO date of the day it was made. */
  readonly date: string;
  readonly version: string;
  /** The headline: the only judge's, or the panel's. */
  readonly benchmark: WriterBenchmark;
  /** Each judge alone, with its own dimensions; `names` are the dimensions' names in the rubric. */
  readonly judges: readonly {
    readonly judge: string;
    readonly benchmark: WriterBenchmark;
    readonly names: readonly string[];
    /** Versions that its replies stated. */
    readonly stated: readonly string[];
    /** The anchor texts scored again, round by round. */
    readonly drift: readonly DriftRound[];
  }[];
  readonly writers: readonly SiteWriter[];
  /** What judges and people said of pairs of texts; null where nothing was compared. */
  readonly headToHead: HeadToHead | null;
  readonly methods: SiteMethods;
}

/** What is known of a writer besides its place. */
export interface SiteWriter {
  readonly writer: string;
  readonly model: string;
  /** As people call it, who made it and when it was released, where that was written down. */
  readonly name?: string;
  readonly maker?: string;
  readonly released?: string;
  readonly rates: WritingRates;
  /** US dollars for its chapters; null where no price is known. */
  readonly cost: number | null;
  /** The same by novel: what one more book of so many chapters would cost. */
  readonly costPerBook: number | null;
  readonly contamination: {
    readonly overlap: TextOverlap | null;
    readonly cutOff: SplitDifference | null;
    readonly renamed: SplitDifference | null;
    /** Novels that the model named from a passage of the original; null where it was not asked. */
    readonly recognised: { readonly known: number; readonly asked: number } | null;
  };
}

export interface SiteMethods {
  readonly settings: readonly (readonly [string, string])[];
  readonly prompts: readonly { readonly name: string; readonly hash: string; readonly text: string }[];
  readonly criteria: readonly { readonly name: string; readonly definition: string }[];
}

import type { Verdict } from "../core/verdict.ts";

/** GET /api/benchmarks → BenchmarkSummary[]: the populations that ship, and benchmark folders given to `fabula serve --bench`. */
export interface BenchmarkSummary {
  readonly id: string;
  readonly name: string;
  readonly judge: string;
  readonly novels: number;
  readonly writers: number;
}

/** GET /api/benchmarks/:id */
export interface BenchmarkDetails extends BenchmarkSummary {
  readonly dimensions: readonly { readonly id: string; readonly name: string; readonly weight: number | null }[];
  /** Composite scores of the population, ascending. */
  readonly population: readonly number[];
  readonly writerRows: readonly BenchmarkWriter[];
  readonly notes: readonly string[];
}

export interface BenchmarkWriter {
  readonly name: string;
  readonly rank: number;
  readonly level: Verdict;
  readonly composite: number | null;
  /** Writers of one group cannot be told apart. */
  readonly group: number;
  readonly dimensions: Readonly<Record<string, number | null>>;
  readonly texts: number;
  readonly isAnchor: boolean;
}

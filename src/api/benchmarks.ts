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
  /** Every two writers, as the report compares them; none while fewer than two are placed. */
  readonly pairs: readonly WriterPair[];
  /** Where genres are known. */
  readonly genres: readonly GenreLevel[];
  /** What judges and people said of pairs of texts; null where nothing was compared. */
  readonly headToHead: HeadToHead | null;
  /** Whether there are texts of two contestants for people to vote on. */
  readonly canVote: boolean;
  readonly notes: readonly string[];
}

export interface BenchmarkWriter {
  readonly name: string;
  readonly rank: number;
  readonly level: Verdict;
  readonly composite: number | null;
  /** The first letter, counted from 1. */
  readonly group: number;
  /** Writers that share a letter cannot be told apart. */
  readonly letters: string;
  readonly dimensions: Readonly<Record<string, number | null>>;
  readonly texts: number;
  readonly isAnchor: boolean;
}

export interface WriterPair {
  readonly first: string;
  readonly second: string;
  /** Mean composite of the first above the second. */
  readonly difference: number;
  /** The p-value corrected for all pairs; null where nothing can be tested. */
  readonly adjusted: number | null;
  readonly isApart: boolean;
}

export interface GenreLevel {
  readonly genre: string;
  /** Human novels of the genre in the population. */
  readonly population: number;
  readonly writers: readonly {
    readonly writer: string;
    /** Mean percentile among the human novels of this genre; null where those are too few. */
    readonly level: number | null;
    readonly composite: number;
    readonly novels: number;
  }[];
}

/** Writers, and the human original, compared two by two. */
export interface HeadToHead {
  readonly rows: readonly {
    readonly writer: string;
    readonly rank: number;
    readonly strength: number;
    readonly interval: readonly [number, number];
    readonly letters: string;
    readonly won: number;
    readonly meetings: number;
  }[];
  readonly judges: readonly {
    readonly judge: string;
    readonly meetings: number;
    readonly withPeople: {
      readonly same: number;
      readonly of: number;
      readonly interval: readonly [number, number];
    } | null;
  }[];
  readonly acrossJudges: boolean;
}

/** GET /api/benchmarks/:id/duel?voter= → DuelToVote: two texts from one synopsis, and nothing of who wrote them. */
export interface DuelToVote {
  readonly pair: {
    readonly id: string;
    readonly synopsis: readonly string[];
    readonly sides: readonly [string, string];
  } | null;
  readonly left: number;
  readonly votes: number;
}

/** POST /api/benchmarks/:id/duel → DuelVoted */
export interface DuelVoteRequest {
  readonly voter: string;
  readonly pair: string;
  readonly choice: "A" | "B" | "tie";
}

/** Only now the names. */
export interface DuelVoted {
  readonly sides: readonly [string, string];
}

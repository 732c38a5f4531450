import type { Finding } from "../core/finding.ts";
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
export interface BenchmarkDetails extends BenchmarkSummary, Board {
  /** Whether there are texts by two contestants to vote on. */
  readonly canVote: boolean;
}

/**
 * A leaderboard with the checks of how far it can be believed, as shown by the web app, a site and a benchmark's HTML
 * file.
 */
export interface Board {
  readonly dimensions: readonly { readonly id: string; readonly name: string; readonly weight: number | null }[];
  /** Composite scores of the population, ascending. */
  readonly population: readonly number[];
  readonly writerRows: readonly BenchmarkWriter[];
  /** Every pair of writers, as the report compares them; empty if fewer than two are placed. */
  readonly pairs: readonly WriterPair[];
  /** Empty if genres are unknown. */
  readonly genres: readonly GenreLevel[];
  /** Answers of judges and people about pairs of texts; null if nothing was compared. */
  readonly headToHead: HeadToHead | null;
  /** Writers and novels whose texts can be read. */
  readonly texts: BenchmarkTexts;
  readonly notes: readonly string[];
}

export interface BenchmarkWriter {
  readonly name: string;
  /** Null for the anchors taken together, which have no rank among the writers. */
  readonly rank: number | null;
  readonly level: Verdict;
  /** Above the population, where percentiles no longer separate. */
  readonly isAtCeiling: boolean;
  readonly composite: number | null;
  readonly compositeInterval: readonly [number, number] | null;
  /** Writers that share a letter cannot be told apart. */
  readonly letters: string;
  readonly dimensions: Readonly<Record<string, number | null>>;
  readonly texts: number;
  /** Mean length of its chapters in words; null if they were not counted. */
  readonly meanWords: number | null;
  readonly isAnchor: boolean;
  /** Absent if unknown. */
  readonly maker?: string;
  readonly released?: string;
  /** US dollars; null if no price is known. */
  readonly costPerBook?: number | null;
}

export interface WriterPair {
  readonly first: string;
  readonly second: string;
  /** Mean composite of the first above the second. */
  readonly difference: number;
  /** In standard deviations; null without spread. */
  readonly effect: number | null;
  /** For this pair alone, and corrected for all pairs; null if nothing can be tested. */
  readonly p: number | null;
  readonly adjusted: number | null;
  /** Novels that both wrote; null if the two are compared over all novels of each. */
  readonly shared: number | null;
  readonly isApart: boolean;
}

export interface GenreLevel {
  readonly genre: string;
  /** Human novels of this genre in the population. */
  readonly population: number;
  readonly writers: readonly {
    readonly writer: string;
    /** Mean percentile among the human novels of this genre; null if these are too few. */
    readonly level: number | null;
    readonly composite: number;
    readonly novels: number;
  }[];
}

/** Writers, and the human original, compared two by two. */
export interface HeadToHead {
  readonly rows: readonly {
    readonly writer: string;
    /** Its display name, if known. */
    readonly name?: string;
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

/** GET /api/benchmarks/:id/duel?voter= → DuelToVote: two texts from one synopsis, without saying who wrote them. */
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

/** The names are revealed only now. */
export interface DuelVoted {
  readonly sides: readonly [string, string];
}

/** What one writer wrote for one novel. */
export interface WorkSummary {
  readonly writer: string;
  /** The writer's display name. */
  readonly name: string;
  readonly novel: string;
  readonly title: string;
  readonly chapters: number;
  readonly words: number;
  /** Null if any dimension has no score. */
  readonly composite: number | null;
  /** Share of the human novels at or below, 0–100. */
  readonly level: number | null;
  /** How many things `fabula check` found. */
  readonly findings: number;
}

/** Writers and novels by their display names. */
export interface BenchmarkTexts {
  readonly writers: readonly { readonly writer: string; readonly name: string }[];
  readonly novels: readonly { readonly novel: string; readonly title: string }[];
  /** Mean length of a chapter in words; null if unknown. */
  readonly humanWords: number | null;
  readonly writtenWords: number | null;
}

/** GET /api/benchmarks/:id/work?writer=&novel= → the texts, with the judges' remarks and findings. */
export interface Work {
  readonly summary: WorkSummary;
  readonly language: string | null;
  readonly found: readonly Finding[];
  readonly chapters: readonly {
    readonly chapter: number;
    readonly text: string | null;
    readonly words: number;
    /** Whether the token limit ended it. */
    readonly isCutOff: boolean;
    /** Why there is no text. */
    readonly reason: string | null;
    readonly opinions: readonly {
      readonly judge: string;
      readonly scores: readonly {
        readonly name: string;
        readonly score: number | null;
        readonly reason: string | null;
      }[];
    }[];
  }[];
}

/** An answer of a judge or person about two texts in one order. */
export interface DuelAnswered {
  readonly novel: string;
  readonly chapter: number;
  /** The display names of the two; the one shown first comes first. */
  readonly sides: readonly [string, string];
  readonly judge: string;
  /** Null if the answer could not be read. */
  readonly better: "first" | "second" | "tie" | null;
  readonly reason: string;
}

/** GET /api/benchmarks/:id/writer?writer= */
export interface WriterPage {
  readonly writer: string;
  readonly name: string;
  readonly maker: string | null;
  readonly released: string | null;
  /** US dollars; null if no price is known. */
  readonly costPerBook: number | null;
  /** Mean length of a chapter in words: of the writer's, and of the human novels'. */
  readonly meanWords: number | null;
  readonly humanWords: number | null;
  readonly works: readonly WorkSummary[];
  readonly duels: readonly DuelAnswered[];
}

/** GET /api/benchmarks/:id/novel?novel= */
export interface NovelPage {
  readonly novel: string;
  readonly title: string;
  readonly author: string | null;
  readonly year: number | null;
  readonly genre: string | null;
  readonly meanWords: number | null;
  readonly humanWords: number | null;
  /** The place of the original; null if it is not in the population. */
  readonly original: { readonly composite: number; readonly level: number } | null;
  readonly works: readonly WorkSummary[];
  /** What the writers were given, chapter by chapter. */
  readonly synopses: readonly { readonly chapter: number; readonly lines: readonly string[] }[];
  readonly duels: readonly DuelAnswered[];
}

/** A leaderboard as a file: the first page of a site, or a benchmark's HTML report. */
export interface BoardFile {
  readonly language: "en" | "zh";
  readonly title: string;
  readonly lead: string;
  /** Notes to show before the figures. */
  readonly first: { readonly heading: string; readonly entries: readonly string[] };
  readonly board: Board;
  readonly boardHint: string;
  /** For each judge with its own dimensions. */
  readonly dimensions: readonly DimensionScores[];
  readonly sections: readonly FigureSection[];
}

export interface DimensionScores {
  /** Says in a sentence whose scores they are. */
  readonly caption: string;
  readonly dimensions: readonly string[];
  /** Means, in the order of the dimensions. */
  readonly writers: readonly { readonly writer: string; readonly scores: readonly (number | null)[] }[];
  /** Of the human novels; empty if a file does not contain them. */
  readonly novels: readonly (readonly number[])[];
}

export interface FigureSection {
  readonly heading: string;
  readonly tables: readonly FigureTable[];
  readonly hints: readonly string[];
}

/** Names in the first column, figures in the others; a title is shown when the pointer is over a cell. */
export interface FigureTable {
  readonly title: string;
  readonly headings: readonly string[];
  readonly rows: readonly (readonly (string | { readonly text: string; readonly title: string })[])[];
  readonly note?: string | null | undefined;
}

/** Everything needed to reproduce a leaderboard. */
export interface BoardMethods {
  readonly settings: readonly (readonly [string, string])[];
  readonly prompts: readonly { readonly name: string; readonly hash: string; readonly text: string }[];
  readonly criteria: readonly { readonly name: string; readonly definition: string }[];
}

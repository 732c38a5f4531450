import type { CheckedFile, Paper } from "./paper.ts";

/** One figure of a paper, computed again. */
export interface ReproducedFigure {
  /** Where the paper has it: "Table 4". */
  readonly place: string;
  readonly name: string;
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
  readonly n: number;
  /** As the paper prints it; null where it prints no number. */
  readonly printed: number | null;
  /** Where a paper has more than one rule for its figures: the one that this figure follows. */
  readonly rule?: string;
  /** Why a printed figure has none of ours beside it. */
  readonly reason?: string;
}

export interface Findings {
  readonly figures: readonly ReproducedFigure[];
  /** What keeps these figures from being the paper's. */
  readonly differences: readonly string[];
}

export interface Reproduction extends Findings {
  readonly paper: string;
  readonly files: readonly CheckedFile[];
}

/** Drawn from fewer cases than this, an interval says how few there are and no more: from one case it has no width at all. */
const FEWEST_CASES = 5;

/** A figure under the id that the paper's file prints it by. */
export function figureOf(
  paper: Paper,
  id: string,
  figure: Omit<ReproducedFigure, "printed" | "interval"> & { readonly interval?: readonly [number, number] | null },
): ReproducedFigure {
  const interval = figure.n >= FEWEST_CASES ? (figure.interval ?? null) : null;
  return { ...figure, interval, printed: paper.printed[id] ?? null };
}

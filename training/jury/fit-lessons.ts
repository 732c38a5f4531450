import { LENGTH_COLUMN } from "../../src/jury/window-features.ts";
import { fitRidge, type RidgeModel } from "../../src/stats/linear/ridge-regression.ts";
import type { SparseRows } from "../../src/stats/linear/sparse-rows.ts";

/** Who gave a text its rating: each source is standardised by itself and counts as much as any other. */
export type Source =
  | "prompt-stories"
  | "scary-stories"
  | "machine-stories"
  | "reader-pairs"
  | "graded-chapters"
  | "expert-scores"
  | "expert-pairs";

/** One text to learn from, with what a person (or the grader) made of it. */
export interface Lesson {
  readonly text: string;
  readonly source: Source;
  /** In the source's own units; for a member of a pair 1 (preferred) or 0. */
  readonly target: number;
  /** Texts that must never stand on both sides of a split share one: a prompt, a premise, a paragraph with its edits. */
  readonly family: string;
  /** A second such name, where two count: the writer of a chapter beside its story. */
  readonly writer?: string;
  /** Who wrote it, where a source of several writers tells: left out in a measure of its own, as cells of two would be too few. */
  readonly author?: string;
  /** The pair this text belongs to. Only the difference within a pair is learnt from. */
  readonly pair?: number;
}

/** All the rows of a source together weigh this much, however many they are. */
const SOURCE_WEIGHT = 1000;
const TOLERANCE = 2e-3;

export interface FitOptions {
  readonly penalty: number;
  /** How much a source counts; one where it is not named. */
  readonly sourceWeights?: Partial<Record<Source, number>>;
  /** Length counts only where it is the text's: see `storyLength`. */
  readonly length?: "text" | "window";
}

/**
 * Ridge over texts of several sources. The ratings of each are standardised, each source counts alike, and what tells
 * one source from another teaches nothing: every source, and every pair, has a level of its own.
 */
export function fitLessons(lessons: readonly Lesson[], rows: SparseRows, options: FitOptions): RidgeModel {
  const standards = standardsOf(lessons);
  const groups = new Map<string, number>();
  const columnScales = new Float64Array(rows.columns).fill(1);
  if (options.length !== "text") columnScales[LENGTH_COLUMN] = 0;
  return fitRidge(
    rows,
    Float64Array.from(lessons, ({ source, target }) => standardise(target, standards.get(source)!)),
    1,
    {
      penalty: options.penalty,
      rowWeights: Float64Array.from(
        lessons,
        ({ source }) => (SOURCE_WEIGHT * (options.sourceWeights?.[source] ?? 1)) / standards.get(source)!.count,
      ),
      columnScales,
      groups: {
        of: Uint32Array.from(lessons, ({ source, pair }) => {
          const name = pair === undefined ? source : `${source} ${pair}`;
          const group = groups.get(name) ?? groups.size;
          groups.set(name, group);
          return group;
        }),
        betweenWeight: 0,
      },
      tolerance: TOLERANCE,
    },
  );
}

export interface Standard {
  readonly mean: number;
  readonly deviation: number;
  readonly count: number;
}

/** Mean and spread of each source's ratings. */
export function standardsOf(lessons: readonly Lesson[]): Map<Source, Standard> {
  const bySource = new Map<Source, number[]>();
  for (const { source, target } of lessons) bySource.set(source, [...(bySource.get(source) ?? []), target]);
  return new Map(
    [...bySource].map(([source, targets]): [Source, Standard] => {
      const mean = targets.reduce((sum, target) => sum + target, 0) / targets.length;
      const variance = targets.reduce((sum, target) => sum + (target - mean) ** 2, 0) / targets.length;
      return [source, { mean, deviation: Math.sqrt(variance) || 1, count: targets.length }];
    }),
  );
}

export function standardise(target: number, { mean, deviation }: Standard): number {
  return (target - mean) / deviation;
}

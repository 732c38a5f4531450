import type { Verdict } from "../../core/verdict.ts";
import type { Rubric } from "../../criteria/rubric.ts";

/** Whatever scores one chapter on every dimension of a rubric: a language model, or the grader. */
export interface ChapterScorer {
  readonly id: string;
  readonly version: string;
  readonly rubric: Rubric;
  /** Who is speaking, where that is not plain from the name; stands beside every score. */
  readonly speaker?: string;
  /** What the judge is asked with; none for an embedded judge, whose version says it all. */
  basis?(): Promise<ScoringBasis>;
  /** The same text always gets the same scores, so that a repeat says nothing. */
  readonly isDeterministic?: boolean;
  /** What must be said beside the scores of this text, or null. */
  caveat?(text: string): string | null;
  /** `repeat` 0 is the only scoring of a text, at temperature 0; from 1 on, each is a sample of its own. */
  score(text: string, repeat: number, signal: AbortSignal): Promise<Readonly<Record<string, Verdict>>>;
}

/** What a score depends on besides judge and rubric: rows that differ here are not comparable. */
export interface ScoringBasis {
  /** Hash of the prompt's text. */
  readonly prompt: string;
  /** In words: "temperature 0". */
  settings(isRepeated: boolean): string;
}

/** Verdicts as a row of numbers in the order of the dimensions, faults turned round so that higher is always better. */
export function scoreRow(verdicts: Readonly<Record<string, Verdict>>, rubric: Rubric): (number | null)[] {
  const { minimum, maximum } = rubric.scale;
  return rubric.criteria.map((criterion) => {
    const verdict = verdicts[criterion.id];
    if (!verdict || verdict.kind === "unscored") return null;
    return criterion.better === "lower" ? minimum + maximum - verdict.score : verdict.score;
  });
}

/** The same row at the lower and at the upper ends of the verdicts' ranges, null where one has none: criteria err together. */
export function rangeRows(
  verdicts: Readonly<Record<string, Verdict>>,
  rubric: Rubric,
): { readonly low: readonly number[]; readonly high: readonly number[] } | null {
  const { minimum, maximum } = rubric.scale;
  const ranges = rubric.criteria.map((criterion): readonly [number, number] | null => {
    const verdict = verdicts[criterion.id];
    if (!verdict || verdict.kind === "unscored" || !verdict.interval) return null;
    const [low, high] = verdict.interval;
    return criterion.better === "lower" ? [minimum + maximum - high, minimum + maximum - low] : [low, high];
  });
  const known = ranges.filter((range) => range !== null);
  if (known.length < ranges.length) return null;
  return { low: known.map(([low]) => low), high: known.map(([, high]) => high) };
}

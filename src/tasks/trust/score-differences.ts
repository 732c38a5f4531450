import { isScored, type ScoredVerdict, type Verdict } from "../../core/verdict.ts";
import type { BookEvaluation, JurorResult } from "../../judge/evaluation.ts";
import type { JurorId } from "../../jury/juror.ts";
import {
  type Difference,
  differenceOfMeans,
  differenceOfShares,
  FEWEST_PAIRS,
  type JudgeNoise,
  judgeNoise,
  meanOfRuns,
  pairedDifference,
  type RepeatedScores,
  testedDifference,
  unknownDifference,
} from "../../stats/error-model.ts";
import { normalQuantile } from "../../stats/special/normal.ts";

/** The coverage of a juror's range, and of a language model's. */
const JUROR_LEVEL = 0.9;
const MODEL_LEVEL = 0.95;
/**
 * A juror's own noise, in points of its scale: the most by which its scores of the odd and of the even chapters of one novel
 * differ, over the novels that `evals/stress.ts` calibrates on. Damage is tested on other novels.
 */
export const STRESS_NOISE: Readonly<Record<JurorId, number>> = { crowd: 2.76, editor: 0.19, grader: 0.34 };

/** A range does not say how precisely it was estimated itself, so it is treated as exact. */
const MANY_DEGREES = 1000;

/**
 * Repeated scores of one judge, to estimate its noise. A panel's scores are left out, since they come from several
 * judges.
 */
export function repeatedScores(evaluations: readonly BookEvaluation[]): RepeatedScores[] {
  return evaluations.flatMap(({ book, overall, repeats, aspects, panel }, at) => {
    if (panel) return [];
    const text = `${at} ${book.title}`;
    const of = (measure: string, verdict: Verdict, scores: readonly number[] | undefined) => ({
      text,
      measure,
      scores: scores ?? (isScored(verdict) ? [verdict.score] : []),
    });
    return [
      of("overall", overall, repeats?.scores),
      ...aspects.map((aspect) => of(aspect.id, aspect.verdict, aspect.repeats?.scores)),
    ];
  });
}

/**
 * Compares the second evaluation with the first, measure by measure, if one judge and method made both. `pool` holds
 * everything else that this judge judged in the same way, which says more about its noise. Null for a measure that
 * either lacks.
 */
export function evaluationDifferences(
  first: BookEvaluation,
  second: BookEvaluation,
  pool: readonly BookEvaluation[] = [],
): ReadonlyMap<string, Difference> {
  return first.jury && second.jury
    ? jurorDifferences(first, second, first.jury.jurors, second.jury.jurors)
    : modelDifferences(first, second, pool);
}

function modelDifferences(
  first: BookEvaluation,
  second: BookEvaluation,
  pool: readonly BookEvaluation[],
): ReadonlyMap<string, Difference> {
  const others = pool.filter(
    (one) => one !== first && one !== second && one.judge === first.judge && one.method === first.method,
  );
  const noise = judgeNoise(repeatedScores([first, second, ...others]));
  const measures = [
    { id: "overall", one: sideOf(first), other: sideOf(second) },
    ...first.aspects.flatMap((aspect) => {
      const same = second.aspects.find(({ id }) => id === aspect.id);
      const one = { verdict: aspect.verdict, scores: aspect.repeats?.scores, course: aspect.course };
      const other = same && { verdict: same.verdict, scores: same.repeats?.scores, course: same.course };
      return other ? [{ id: aspect.id, one, other }] : [];
    }),
  ];
  return new Map(
    measures.flatMap(({ id, one, other }): [string, Difference][] => {
      if (!isScored(one.verdict) || !isScored(other.verdict)) return [];
      return [[id, differenceOf(one.verdict, one, other.verdict, other, noise, { first, second })]];
    }),
  );
}

interface Side {
  readonly verdict: Verdict;
  readonly scores: readonly number[] | undefined;
  readonly course: BookEvaluation["overallCourse"];
}

function sideOf({ overall, repeats, overallCourse }: BookEvaluation): Side {
  return { verdict: overall, scores: repeats?.scores, course: overallCourse };
}

/** Computed from repeats if the judge was asked again, else from chapters that both have, else from both ranges. */
function differenceOf(
  from: ScoredVerdict,
  one: Side,
  to: ScoredVerdict,
  other: Side,
  noise: JudgeNoise,
  books: { readonly first: BookEvaluation; readonly second: BookEvaluation },
): Difference {
  const isPanel = books.first.panel !== undefined || books.second.panel !== undefined;
  if (isPanel) return differenceOfRanges(from, to, MODEL_LEVEL);
  if (noise.variance !== null) {
    return differenceOfMeans(
      meanOfRuns(one.scores ?? [from.score], noise),
      meanOfRuns(other.scores ?? [to.score], noise),
    );
  }
  const pairs = chapterPairs(books.first, books.second, scoresIn(one.course), scoresIn(other.course));
  const tested = pairs === null || pairs.length < FEWEST_PAIRS ? null : centred(pairedDifference(pairs, 0), from, to);
  return tested ?? differenceOfRanges(from, to, MODEL_LEVEL);
}

function jurorDifferences(
  first: BookEvaluation,
  second: BookEvaluation,
  before: readonly JurorResult[],
  after: readonly JurorResult[],
): ReadonlyMap<string, Difference> {
  const own = before.flatMap((juror): [string, Difference][] => {
    const other = after.find(({ id }) => id === juror.id);
    if (!other || !isScored(juror.overall) || !isScored(other.overall)) return [];
    const pairs = chapterPairs(first, second, juror.chapters, other.chapters);
    return [[juror.id, versionDifference(juror.id, juror.overall, other.overall, pairs)]];
  });
  const headline = own.find(([id]) => id === first.jury!.headline);
  // If the editor is the only judge, its score is the score for the writing too.
  const writing =
    before.length === 1 && before[0]!.id === "editor" && headline ? [["writing", headline[1]] as const] : [];
  return new Map([...(headline ? [["overall", headline[1]] as const] : []), ...own, ...writing]);
}

/**
 * Compares two versions of one text by an embedded judge, chapter by chapter. The judge has no noise of its own, and
 * its errors about a book are the same for both versions. A change counts when it is larger than the difference
 * between the juror's scores of two halves of one novel, and when the changed chapters agree on it. With fewer than
 * three of them, the juror's errors on the two versions are assumed to be independent, which is the cautious choice.
 */
export function versionDifference(
  juror: JurorResult["id"],
  from: ScoredVerdict,
  to: ScoredVerdict,
  pairs: readonly ChapterPair[] | null,
): Difference {
  const changed = (pairs ?? []).filter(({ before, after }) => before !== after);
  const tested = pairedDifference(changed.length > 0 ? changed : [{ before: 0, after: 0, weight: 1 }], 0);
  if (tested.interval === null)
    return differenceOfRanges(from, to, JUROR_LEVEL, pairs === null ? 1 : changedShareOfVariance(pairs));
  const share =
    changed.reduce((sum, { weight }) => sum + weight, 0) / pairs!.reduce((sum, { weight }) => sum + weight, 0);
  const [low, high] = tested.interval.map((end) => share * (end - tested.difference));
  const difference = to.score - from.score;
  const isFloor = Math.abs(difference) <= STRESS_NOISE[juror];
  const agrees = tested.outcome !== "cannot be told" && Math.sign(tested.difference) === Math.sign(difference);
  return {
    ...tested,
    difference,
    interval: [difference + low!, difference + high!],
    smallest: Math.max(STRESS_NOISE[juror], share * (tested.smallest ?? 0)),
    ...(isFloor || !agrees ? { outcome: "cannot be told", p: Math.max(tested.p ?? 1, isFloor ? 1 : 0) } : {}),
  };
}

/**
 * Compares two texts by their ranges alone, assuming independent errors: tests the difference, not whether the ranges
 * overlap.
 */
export function differenceOfRanges(from: ScoredVerdict, to: ScoredVerdict, level: number, part = 1): Difference {
  const difference = to.score - from.score;
  if (!from.interval || !to.interval) return unknownDifference(difference);
  const quantile = normalQuantile((1 + level) / 2);
  // One end of the range may be cut off at the end of the scale, so the longer side counts.
  const error = ({ score, interval }: ScoredVerdict) => Math.max(score - interval![0], interval![1] - score) / quantile;
  return testedDifference(difference, part * (error(from) ** 2 + error(to) ** 2), MANY_DEGREES);
}

/**
 * The share of the variance of a book's mean that comes from changed chapters. Errors are independent by chapter, and
 * those of unchanged chapters cancel out.
 */
function changedShareOfVariance(pairs: readonly ChapterPair[]): number {
  const total = pairs.reduce((sum, { weight }) => sum + weight, 0);
  return pairs.reduce((sum, { before, after, weight }) => sum + (before === after ? 0 : (weight / total) ** 2), 0);
}

/** Compares two different books judged by an embedded judge. */
export function bookDifference(from: ScoredVerdict, to: ScoredVerdict): Difference {
  return differenceOfRanges(from, to, JUROR_LEVEL);
}

/**
 * Compares the share of sentences that an editor would probably change; more is worse. Null if either text has no
 * line notes.
 */
export function editDifference(first: BookEvaluation, second: BookEvaluation): Difference | null {
  const [before, after] = [first.lineNotes, second.lineNotes];
  if (!before || !after || before.sentences === 0 || after.sentences === 0) return null;
  const found = differenceOfShares(
    { count: before.marked, of: before.sentences },
    { count: after.marked, of: after.sentences },
  );
  const turned = { better: "worse", worse: "better", "cannot be told": "cannot be told" } as const;
  return { ...found, outcome: turned[found.outcome] };
}

export interface ChapterPair {
  readonly before: number;
  readonly after: number;
  readonly weight: number;
}

/** Chapters scored in both versions; null if the versions have different chapters. */
function chapterPairs(
  first: BookEvaluation,
  second: BookEvaluation,
  before: readonly (number | null)[],
  after: readonly (number | null)[],
): ChapterPair[] | null {
  const count = first.book.chapters.length;
  if (count !== second.book.chapters.length || before.length !== count || after.length !== count) return null;
  return first.book.chapters.flatMap(({ words }, at) => {
    const [was, is] = [before[at], after[at]];
    const weight = (words + second.book.chapters[at]!.words) / 2;
    return was === null || was === undefined || is === null || is === undefined
      ? []
      : [{ before: was, after: is, weight }];
  });
}

function scoresIn(course: BookEvaluation["overallCourse"]): (number | null)[] {
  return course.map(({ verdict }) => (isScored(verdict) ? verdict.score : null));
}

function centred(tested: Difference, from: ScoredVerdict, to: ScoredVerdict): Difference {
  const difference = to.score - from.score;
  const shift = difference - tested.difference;
  const interval = tested.interval && ([tested.interval[0] + shift, tested.interval[1] + shift] as const);
  return { ...tested, difference, interval };
}

import { pearson } from "./correlation.ts";
import { mean, sum, variance } from "./distribution.ts";
import { normalQuantile } from "./special/normal.ts";
import { studentQuantile, studentTwoSided } from "./special/student-t.ts";

/**
 * The single error model of judges: how much a score changes when the same judge is asked again, how precise a mean
 * of runs is, and whether two texts differ. Ranges, limits, comparisons and drafts all use it, so that their
 * decisions agree.
 */

/** Scores that one judge gave the same text for the same aspect, one per run. */
export interface RepeatedScores {
  readonly text: string;
  readonly measure: string;
  readonly scores: readonly number[];
}

/** A judge's noise, estimated from everything it scored more than once. */
export interface JudgeNoise {
  /** The variance of one run, pooled over texts and aspects; null if nothing was asked twice. */
  readonly variance: number | null;
  /**
   * How many independent differences the pooled variance is based on; aspects of one run that vary together count
   * once.
   */
  readonly degrees: number;
  /** The weight of the pooled variance relative to an aspect's own; small if the aspects are unequally noisy. */
  readonly priorDegrees: number;
  /** The step between the judge's scores; 0 if none can be recognised. */
  readonly grain: number;
}

/** Better, worse, or undecided. */
export type Outcome = "better" | "worse" | "cannot be told";

/** The comparison of a second text with a first. */
export interface Difference {
  readonly outcome: Outcome;
  readonly difference: number;
  /** 95 %; null if the noise is unknown. */
  readonly interval: readonly [number, number] | null;
  /** Two-sided; null if the noise is unknown. */
  readonly p: number | null;
  /**
   * How many runs of each text would detect a difference of this size four times in five; null if the number would be
   * unreasonable.
   */
  readonly runsNeeded: number | null;
  /** The smallest difference that this many runs detect four times in five; null if the noise is unknown. */
  readonly smallest: number | null;
}

const SIGNIFICANCE = 0.05;
const POWER = 0.8;
const MOST_RUNS = 200;
/** Scores in coarse steps by aspects that move together are less normal than Student's t wants: simulated, this keeps errors below 5 %. */
const SAFE_SIDE = 0.65;
const STEPS = [20, 10, 5, 2, 1, 0.5, 0.25, 0.1, 0.05, 0.01] as const;

/** The largest step of which all scores are multiples: a judge that says 70, 75, 80 cannot distinguish 72 from 73. */
export function grainOf(scores: readonly number[]): number {
  const isMultiple = (step: number) =>
    scores.every((score) => Math.abs(score / step - Math.round(score / step)) * step < 1e-6);
  // A few scores may be multiples of ten by chance, but whole numbers are recognised from the first.
  const coarsest = new Set(scores).size < 5 ? 1 : Number.POSITIVE_INFINITY;
  return scores.length === 0 ? 0 : (STEPS.find((step) => step <= coarsest && isMultiple(step)) ?? 0);
}

/**
 * Estimates a judge's noise from repeated scores. The variance is pooled over texts and aspects; its weight for a
 * single aspect follows from how much the aspects' own variances differ (method of moments for a scaled inverse χ²
 * prior, as `limma::squeezeVar` does with logarithms).
 */
export function judgeNoise(repeated: readonly RepeatedScores[]): JudgeNoise {
  const grain = grainOf(repeated.flatMap(({ scores }) => scores));
  const known = repeated
    .filter(({ scores }) => scores.length > 1)
    .map((group) => ({ ...group, degrees: group.scores.length - 1, variance: variance(group.scores) }));
  const all = sum(known.map(({ degrees }) => degrees));
  if (all === 0) return { variance: null, degrees: 0, priorDegrees: 0, grain };
  const pooled = sum(known.map((group) => group.degrees * group.variance)) / all;
  const degrees = Math.max(1, Math.floor((10 * all) / commonMovement(known)) / 10);
  return { variance: pooled, degrees, priorDegrees: Math.min(degrees, agreementOfVariances(known, pooled)), grain };
}

/** With most judges, aspects of one run correlate at about one half: a good mood raises them all. */
const USUALLY_SHARED = 0.25;
const USUAL_RUNS = 2;

type KnownGroup = RepeatedScores & { readonly degrees: number; readonly variance: number };

/**
 * How many aspects vary as one: 1 if the runs' deviations are independent, the number of aspects if they are
 * identical. From the mean squared correlation of deviations, minus what chance alone would give.
 */
function commonMovement(groups: readonly KnownGroup[]): number {
  const deviations = new Map<string, Map<string, readonly number[]>>();
  for (const { text, measure, scores } of groups) {
    const centre = mean(scores);
    const ofText = deviations.get(text) ?? new Map<string, readonly number[]>();
    ofText.set(
      measure,
      scores.map((score) => score - centre),
    );
    deviations.set(text, ofText);
  }
  const measures = [...new Set(groups.map(({ measure }) => measure))];
  const correlations: number[] = [];
  let residual = 0;
  for (const [at, one] of measures.entries()) {
    for (const other of measures.slice(at + 1)) {
      const [left, right]: [number[], number[]] = [[], []];
      let degrees = 0;
      for (const ofText of deviations.values()) {
        const [first, second] = [ofText.get(one), ofText.get(other)];
        if (!first || !second || first.length !== second.length) continue;
        left.push(...first);
        right.push(...second);
        degrees += first.length - 1;
      }
      if (degrees < 2) continue;
      const { value } = pearson(left, right);
      if (value === null) continue;
      correlations.push(value ** 2);
      residual = Math.max(residual, degrees);
    }
  }
  // A few runs hardly show whether aspects vary together, so the usual value counts as much as two more of them.
  const chance = 1 / residual;
  const seen = correlations.length === 0 ? 0 : (mean(correlations) - chance) / (1 - chance);
  const shared = (residual * Math.max(0, seen) + USUAL_RUNS * USUALLY_SHARED) / (residual + USUAL_RUNS);
  return 1 + (measures.length - 1) * shared;
}

/**
 * How many degrees of freedom the pooled variance is worth for one aspect; infinite if the variances differ only as
 * much as by chance.
 */
function agreementOfVariances(groups: readonly KnownGroup[], pooled: number): number {
  const byMeasure = new Map<string, { squares: number; degrees: number }>();
  for (const group of groups) {
    const so = byMeasure.get(group.measure) ?? { squares: 0, degrees: 0 };
    byMeasure.set(group.measure, {
      squares: so.squares + group.degrees * group.variance,
      degrees: so.degrees + group.degrees,
    });
  }
  const own = [...byMeasure.values()];
  if (own.length < 3 || pooled === 0) return Number.POSITIVE_INFINITY;
  const relative = own.map(({ squares, degrees }) => squares / degrees / pooled);
  const expected = mean(own.map(({ degrees }) => 2 / degrees));
  const excess = (variance(relative) - expected) / (1 + expected);
  return excess > 0 ? 4 + 2 / excess : Number.POSITIVE_INFINITY;
}

/** The mean of several runs with its uncertainty. */
export interface MeanOfRuns {
  readonly value: number;
  readonly runs: number;
  /** Null if the judge's noise is unknown. */
  readonly variance: number | null;
  readonly degrees: number;
  /** The variance of one run, for planning. */
  readonly perRun: number | null;
}

/**
 * A mean of runs and its variance: the weighted combination of the aspect's own variance and the judge's pooled one,
 * plus what rounding hides. Repeats do not reduce the rounding part while the noise is smaller than the judge's step:
 * five equal scores of 70 mean "somewhere between 69.5 and 70.5", not exactly 70.0.
 */
export function meanOfRuns(scores: readonly number[], noise: JudgeNoise): MeanOfRuns {
  const runs = scores.length;
  const value = mean(scores);
  const ownDegrees = Math.max(0, runs - 1);
  const own = ownDegrees === 0 ? 0 : variance(scores);
  // If the pooled variance has unlimited weight, it already contains this aspect's own runs.
  const degrees =
    noise.variance === null
      ? ownDegrees
      : noise.priorDegrees >= noise.degrees
        ? noise.degrees
        : ownDegrees + noise.priorDegrees;
  if (degrees === 0) return { value, runs, variance: null, degrees: 0, perRun: null };
  const perRun =
    noise.variance === null
      ? own
      : noise.priorDegrees >= noise.degrees
        ? noise.variance
        : (ownDegrees * own + noise.priorDegrees * noise.variance) / degrees;
  return { value, runs, variance: perRun / runs + hiddenByRounding(noise.grain, perRun), degrees, perRun };
}

/** The variance hidden by rounding in any number of runs; it vanishes once noise is large enough to cross steps. */
function hiddenByRounding(grain: number, perRun: number): number {
  if (grain === 0) return 0;
  return (grain ** 2 / 12) * Math.exp((-4 * Math.PI ** 2 * perRun) / grain ** 2);
}

/** The interval of a mean of runs, 95 % unless another level is given; null if the judge's noise is unknown. */
export function rangeOfMean(
  { value, variance: squared, degrees }: MeanOfRuns,
  missed = SIGNIFICANCE,
): [number, number] | null {
  if (squared === null) return null;
  const half = studentQuantile(degrees, missed) * Math.sqrt(squared);
  return [value - half, value + half];
}

/** Compares two texts scored by one judge. The difference is tested, not whether the two ranges overlap. */
export function differenceOfMeans(first: MeanOfRuns, second: MeanOfRuns): Difference {
  const difference = second.value - first.value;
  if (first.variance === null || second.variance === null) return unknownDifference(difference);
  const degrees = Math.max(1, SAFE_SIDE * Math.min(first.degrees, second.degrees));
  const perRun = ((first.perRun ?? 0) + (second.perRun ?? 0)) / 2;
  return {
    ...testedDifference(difference, first.variance + second.variance, degrees),
    runsNeeded: runsToTell(difference, perRun),
  };
}

/**
 * Whether the mean score of several texts has changed, each judged twice by one judge. Each pair holds the earlier
 * and the later scores.
 */
export function differenceOverTexts(pairs: readonly (readonly [MeanOfRuns, MeanOfRuns])[]): Difference {
  const difference = mean(pairs.map(([then, now]) => now.value - then.value));
  const all = pairs.flat();
  if (all.some(({ variance: squared }) => squared === null)) return unknownDifference(difference);
  const squared = sum(all.map((one) => one.variance!)) / pairs.length ** 2;
  const degrees = Math.max(1, SAFE_SIDE * Math.min(...all.map((one) => one.degrees)));
  return testedDifference(difference, squared, degrees);
}

export function unknownDifference(difference: number): Difference {
  return { outcome: "cannot be told", difference, interval: null, p: null, runsNeeded: null, smallest: null };
}

/** Tests a difference whose variance is known with the given degrees of freedom. */
export function testedDifference(difference: number, squared: number, degrees: number): Difference {
  const error = Math.sqrt(squared);
  const quantile = studentQuantile(degrees);
  if (error === 0) {
    // No noise at all: the judge always gives exactly the same score.
    const p = difference === 0 ? 1 : 0;
    return {
      ...unknownDifference(difference),
      outcome: outcomeOf(difference, 0),
      interval: [difference, difference],
      p,
    };
  }
  const p = studentTwoSided(Math.abs(difference) / error, degrees);
  return {
    outcome: p < SIGNIFICANCE ? outcomeOf(difference, 0) : "cannot be told",
    difference,
    interval: [difference - quantile * error, difference + quantile * error],
    p,
    runsNeeded: null,
    smallest: (quantile + normalQuantile(POWER)) * error,
  };
}

/**
 * Compares two versions of a text by one judge, piece by piece, so that errors common to both versions of a chapter
 * cancel. A change within `floor` also occurs between texts that nobody would call different, and is ignored.
 */
export function pairedDifference(
  pairs: readonly { readonly before: number; readonly after: number; readonly weight: number }[],
  floor: number,
): Difference {
  const total = sum(pairs.map(({ weight }) => weight));
  const changes = pairs.map(({ before, after }) => after - before);
  const difference = sum(pairs.map(({ weight }, at) => weight * changes[at]!)) / total;
  if (pairs.length < FEWEST_PAIRS) return unknownDifference(difference);
  const squared = sum(pairs.map(({ weight }, at) => (weight / total) ** 2 * (changes[at]! - difference) ** 2));
  const tested = testedDifference(difference, (squared * pairs.length) / (pairs.length - 1), pairs.length - 1);
  return Math.abs(difference) > floor ? tested : { ...tested, outcome: "cannot be told", p: 1 };
}

/** With fewer chapters than this, it is not known how much chapters vary by chance. */
export const FEWEST_PAIRS = 3;

function outcomeOf(difference: number, limit: number): Outcome {
  if (difference === limit) return "cannot be told";
  return difference > limit ? "better" : "worse";
}

/** How many runs of each of two texts are needed to detect a difference of this size four times in five. */
export function runsToTell(difference: number, perRun: number): number | null {
  if (difference === 0) return null;
  for (let runs = 2; runs <= MOST_RUNS; runs++) {
    const error = Math.sqrt((2 * perRun) / runs);
    if (Math.abs(difference) >= (studentQuantile(2 * (runs - 1)) + normalQuantile(POWER)) * error) return runs;
  }
  return null;
}

/** Compares a score with a fixed limit: above, below, or undecided. */
export function besideLimit(
  interval: readonly [number, number] | undefined,
  limit: number,
): "above" | "below" | "cannot be told" {
  if (!interval) return "cannot be told";
  if (interval[0] > limit) return "above";
  return interval[1] < limit ? "below" : "cannot be told";
}

/** Compares two shares of counted things, such as sentences an editor would change. */
export function differenceOfShares(
  first: { readonly count: number; readonly of: number },
  second: { readonly count: number; readonly of: number },
): Difference {
  const [before, after] = [first.count / first.of, second.count / second.of];
  const together = (first.count + second.count) / (first.of + second.of);
  const squared = together * (1 - together) * (1 / first.of + 1 / second.of);
  return testedDifference(after - before, squared, Math.max(1, first.of + second.of - 2));
}

/** Says how many runs would decide the comparison; empty if it is decided. */
export function whatItWouldTake({ outcome, difference, runsNeeded, interval }: Difference): string {
  if (outcome !== "cannot be told") return "";
  if (interval === null) return "one run has no spread: judge both with --runs 3 or more";
  if (difference === 0) return "there is no difference to tell";
  return runsNeeded === null
    ? `a difference of ${Math.abs(difference).toFixed(1)} is too small for any sensible number of runs`
    : `about ${runsNeeded} runs of each would tell a difference of this size`;
}

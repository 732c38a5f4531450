import { type Random, seededRandom } from "../../core/random.ts";
import { pairwiseAccuracy, resampledPairwiseAccuracy } from "../agreement.ts";
import {
  kendallTau,
  pearson,
  type ResampledCorrelation,
  resampledKendall,
  resampledPearson,
  resampledSpearman,
  spearman,
} from "../correlation.ts";
import { sum } from "../distribution.ts";
import { type BootstrapInterval, bcaBootstrap, drawPositions, percentileBootstrap } from "../resampling.ts";
import { completePairs, type Statistic } from "../statistic.ts";
import {
  positionsByName,
  type RatedRows,
  type ResampledUnit,
  requireRatedRows,
  type SystemPoints,
  systemDraws,
} from "./draws.ts";

export interface SystemAverages {
  readonly systems: readonly string[];
  /** NaN for a system without ratings. */
  readonly human: Float64Array;
  readonly metric: Float64Array;
}

/**
 * Each system's average rating and average score, which are correlated at system level. Each average is over the rows
 * that have a value in that column, as in the papers' data frames.
 */
export function systemAverages(rows: RatedRows): SystemAverages {
  if (!rows.system) throw new RangeError("system averages need a column of systems");
  const groups = [...positionsByName(rows.system)];
  return {
    systems: groups.map(([system]) => system),
    human: Float64Array.from(groups, ([, positions]) => averageAt(rows.human, positions)),
    metric: Float64Array.from(groups, ([, positions]) => averageAt(rows.metric, positions)),
  };
}

/** The mean of the known values at these positions; NaN if none is known. */
function averageAt(values: Float64Array, positions: ArrayLike<number>): number {
  const present: number[] = [];
  for (let i = 0; i < positions.length; i++) {
    const value = values[positions[i]!]!;
    if (!Number.isNaN(value)) present.push(value);
  }
  return present.length === 0 ? Number.NaN : sum(present) / present.length;
}

export type CorrelationName = "pearson" | "spearman" | "kendall";
export type Correlation = (left: ArrayLike<number>, right: ArrayLike<number>) => Statistic;

/** A correlation for the whole sample and for resamples. */
export interface Resamplable {
  readonly compute: Correlation;
  readonly resampled: (left: ArrayLike<number>, right: ArrayLike<number>) => ResampledCorrelation;
}

export const CORRELATIONS: Readonly<Record<CorrelationName, Resamplable>> = {
  pearson: { compute: pearson, resampled: resampledPearson },
  spearman: { compute: spearman, resampled: resampledSpearman },
  kendall: { compute: kendallTau, resampled: resampledKendall },
};

/** A figure with its interval, or the reason why there is none. */
export type Estimate =
  | { readonly value: number; readonly interval: readonly [number, number] | null; readonly noInterval?: string }
  | { readonly value: null; readonly reason: string; readonly interval: null };

export interface AgreementOptions {
  readonly resamples: number;
  /** 0.95 for a 95% interval. */
  readonly confidence: number;
  readonly seed: number;
  readonly interval: "percentile" | "bca";
  /** For system level only; at item level, texts are resampled. */
  readonly over: ResampledUnit;
}

export interface Agreement {
  readonly level: "item" | "system";
  /** How many points were correlated: rows at item level, systems at system level. */
  readonly n: number;
  /** Rows, or systems, without a rating or a score. */
  readonly missing: number;
  readonly pearson: Estimate;
  readonly spearman: Estimate;
  readonly kendall: Estimate;
  /** The share of pairs in the same order, among those that people distinguish. */
  readonly pairwise: Estimate;
  /** The points themselves, for plots: `names` are systems, or null at item level. */
  readonly points: {
    readonly human: Float64Array;
    readonly metric: Float64Array;
    readonly names: readonly string[] | null;
  };
}

/**
 * How well a metric agrees with people text by text, with intervals. Every row is a point: the pooled form of
 * item-level agreement. Rows that lack a value are left out and counted. Where items are named, intervals draw whole items:
 * several systems' answers to one question share its difficulties.
 *
 * @example
 * ```ts
 * const columns = { human: Float64Array.of(1, 2, 3, 4), metric: Float64Array.of(0.1, 0.3, 0.2, 0.9) };
 * const options = { resamples: 1000, confidence: 0.95, seed: 1, interval: "percentile", over: "items" } as const;
 * itemAgreement({ ...columns, system: null, item: null }, options).kendall.value; // about 0.667
 * ```
 */
export function itemAgreement(rows: RatedRows, options: AgreementOptions): Agreement {
  requireRatedRows(rows);
  const pairs = completePairs(rows.human, rows.metric);
  const units = rows.item ? unitsOf(Array.from(pairs.positions, (row) => rows.item![row]!)) : null;
  const correlate = ({ compute, resampled }: Resamplable) =>
    withInterval(compute(pairs.left, pairs.right), () =>
      positionsInterval(pairs.left.length, units, resampled(pairs.left, pairs.right), options),
    );
  return {
    level: "item",
    n: pairs.left.length,
    missing: pairs.missing,
    pearson: correlate(CORRELATIONS.pearson),
    spearman: correlate(CORRELATIONS.spearman),
    kendall: correlate(CORRELATIONS.kendall),
    pairwise: correlate({ compute: pairwiseAccuracy, resampled: resampledPairwiseAccuracy }),
    points: { human: pairs.left, metric: pairs.right, names: null },
  };
}

/**
 * How well a metric ranks the systems that wrote the texts. Averages per system first, then one correlation over the
 * systems. Use it when the question is which system is better, not which text.
 *
 * @example
 * ```ts
 * const columns = { human: Float64Array.of(1, 3, 4, 4, 5, 3), metric: Float64Array.of(0.1, 0.2, 0.5, 0.3, 0.4, 0.8) };
 * const rows = { ...columns, system: ["A", "A", "B", "B", "C", "C"], item: null };
 * const options = { resamples: 0, confidence: 0.95, seed: 1, interval: "percentile", over: "systems" } as const;
 * systemAgreement(rows, options).pairwise; // { value: 1, interval: null }: A comes last, as people say
 * ```
 */
export function systemAgreement(rows: RatedRows, options: AgreementOptions): Agreement {
  requireRatedRows(rows);
  const averages = systemAverages(rows);
  const pairs = completePairs(averages.human, averages.metric);
  const samples = systemSamples(rows, options);
  const correlate = (compute: Correlation) =>
    withInterval(compute(pairs.left, pairs.right), () => systemInterval(averages, samples, compute, options));
  return {
    level: "system",
    n: pairs.left.length,
    missing: pairs.missing,
    pearson: correlate(CORRELATIONS.pearson.compute),
    spearman: correlate(CORRELATIONS.spearman.compute),
    kendall: correlate(CORRELATIONS.kendall.compute),
    pairwise: correlate(pairwiseAccuracy),
    points: {
      human: pairs.left,
      metric: pairs.right,
      names: Array.from(pairs.positions, (position) => averages.systems[position]!),
    },
  };
}

export function withInterval(statistic: Statistic, interval: () => BootstrapInterval | null): Estimate {
  if (statistic.value === null) return { value: null, reason: namingColumns(statistic.reason), interval: null };
  const found = interval();
  if (found === null) return { value: statistic.value, interval: null };
  if (found.interval === null) return { value: statistic.value, interval: null, noInterval: found.reason };
  // Four points in perfect order stay in order in every resample, which is not certainty.
  if (found.interval[1] - found.interval[0] < 1e-9)
    return { value: statistic.value, interval: null, noInterval: "the same on every resample" };
  return { value: statistic.value, interval: found.interval };
}

/** The correlations speak of a first and a second column; here these have names. */
function namingColumns(reason: string): string {
  return reason
    .replace("the first column", "the column of human ratings")
    .replace("the second column", "the column of scores");
}

/** The rows of each item, if some item has several; null if every row is an item of its own. */
function unitsOf(items: readonly string[]): readonly (readonly number[])[] | null {
  const units = [...positionsByName(items).values()];
  return units.length < items.length ? units : null;
}

function positionsInterval(
  size: number,
  units: readonly (readonly number[])[] | null,
  statistic: (positions: ArrayLike<number>) => Statistic,
  options: AgreementOptions,
): BootstrapInterval | null {
  if (options.resamples === 0) return null;
  const drawRows = drawPositions(units?.length ?? size);
  const draw = units
    ? (random: Random) => Array.from(drawRows(random), (unit) => units[unit]!).flat()
    : (random: Random): ArrayLike<number> => drawRows(random);
  const common = { draw, statistic, ...bootstrapSettings(options) };
  if (options.interval === "percentile") return percentileBootstrap<ArrayLike<number>>(common);
  const all = Uint32Array.from({ length: size }, (_, position) => position);
  const leaveOneOut = units ? oneUnitLeftOut(units) : oneLeftOut(all);
  return bcaBootstrap<ArrayLike<number>>({ ...common, observed: all, leaveOneOut });
}

/** Three systems are in perfect order by chance one time in six, and their resamples would still exclude zero. */
export const FEWEST_SYSTEMS = 5;

function fewSystems(systems: number): string {
  return `${systems} systems are too few for an interval (it takes ${FEWEST_SYSTEMS})`;
}

/** Resampled once for all figures, because averaging the texts of every system is the expensive part. */
function systemSamples(rows: RatedRows, { resamples, seed, over }: AgreementOptions): SystemPoints[] {
  const draw = systemDraws(rows, over);
  const random = seededRandom(seed);
  return Array.from({ length: resamples }, () => draw(random));
}

function systemInterval(
  averages: SystemPoints,
  samples: readonly SystemPoints[],
  correlation: Correlation,
  options: AgreementOptions,
): BootstrapInterval | null {
  if (samples.length === 0) return null;
  const systems = completePairs(averages.human, averages.metric).left.length;
  if (systems < FEWEST_SYSTEMS)
    return { interval: null, reason: fewSystems(systems), resamples: samples.length, skipped: 0 };
  const statistic = ({ human, metric }: SystemPoints) => {
    const pairs = completePairs(human, metric);
    return correlation(pairs.left, pairs.right);
  };
  let next = 0;
  const common = { ...bootstrapSettings(options), draw: () => samples[next++]!, statistic };
  if (options.interval === "percentile") return percentileBootstrap<SystemPoints>(common);
  if (options.over !== "systems")
    throw new RangeError("the BCa interval is defined here for one kind of unit: systems");
  const leaveOneOut = Array.from(averages.human, (_, left) => ({
    human: averages.human.filter((__, system) => system !== left),
    metric: averages.metric.filter((__, system) => system !== left),
  }));
  return bcaBootstrap<SystemPoints>({ ...common, observed: averages, leaveOneOut });
}

/** All figures use the same resamples, so that their intervals can be compared. */
function bootstrapSettings({ seed, resamples, confidence }: AgreementOptions) {
  return { random: seededRandom(seed), resamples, level: confidence };
}

function* oneUnitLeftOut(units: readonly (readonly number[])[]): Generator<number[]> {
  for (const left of units) yield units.filter((unit) => unit !== left).flat();
}

function* oneLeftOut(all: Uint32Array): Generator<Uint32Array> {
  for (const left of all) yield all.filter((position) => position !== left);
}

import { seededRandom } from "../../core/random.ts";
import {
  drawTwoWays,
  kendallTau,
  mean,
  percentileBootstrap,
  resampledKendall,
  resampledPearson,
  resampledSpearman,
  standardDeviation,
} from "../../stats/index.ts";

/** One line with all predictions made for it from a history of one length. */
export interface PredictedLine {
  readonly reader: string;
  readonly book: string;
  readonly truth: number;
  /** One per order of the history; null if there was no answer. */
  readonly scores: readonly (number | null)[];
  readonly baselines: Readonly<Record<string, number | null>>;
}

export interface CurveFigure {
  readonly value: number | null;
  readonly interval: readonly [number, number] | null;
}

export interface CurveSeries {
  readonly name: string;
  /** Lines that got an answer. */
  readonly lines: number;
  readonly pearson: CurveFigure;
  readonly spearman: CurveFigure;
  readonly kendall: CurveFigure;
}

export interface CurvePoint {
  /** How many earlier reviews were shown. */
  readonly length: number;
  readonly series: readonly CurveSeries[];
  /**
   * Kendall's τ of each order of the histories separately, with their mean and standard deviation (PerSE, Figure 6).
   */
  readonly orders: {
    readonly kendall: readonly number[];
    readonly mean: number | null;
    readonly standardDeviation: number | null;
  };
}

const RESAMPLES = 500;
const CORRELATIONS = { pearson: resampledPearson, spearman: resampledSpearman, kendall: resampledKendall } as const;

export function curvePoint(length: number, lines: readonly PredictedLine[], baselines: readonly string[]): CurvePoint {
  const orders = lines.reduce((most, { scores }) => Math.max(most, scores.length), 0);
  const taus = Array.from({ length: orders }, (_, order) => {
    const answered = lines.flatMap(({ scores, truth }) => {
      const score = scores[order];
      return score === null || score === undefined ? [] : [{ score, truth }];
    });
    return kendallTau(
      answered.map(({ score }) => score),
      answered.map(({ truth }) => truth),
    ).value;
  }).flatMap((tau) => tau ?? []);
  return {
    length,
    series: [
      series("judge", lines, ({ scores }) => meanOrNull(scores.flatMap((score) => score ?? []))),
      ...baselines.map((name) => series(name, lines, (line) => line.baselines[name] ?? null)),
    ],
    orders: {
      kendall: taus,
      mean: meanOrNull(taus),
      standardDeviation: taus.length > 1 ? standardDeviation(taus) : null,
    },
  };
}

function series(
  name: string,
  lines: readonly PredictedLine[],
  predictionOf: (line: PredictedLine) => number | null,
): CurveSeries {
  const answered = lines.flatMap((line) => {
    const prediction = predictionOf(line);
    return prediction === null ? [] : [{ ...line, prediction }];
  });
  const draw = drawTwoWays(
    answered.map(({ reader }) => reader),
    answered.map(({ book }) => book),
  );
  const figure = (by: keyof typeof CORRELATIONS): CurveFigure => {
    const statistic = CORRELATIONS[by](
      answered.map(({ truth }) => truth),
      answered.map(({ prediction }) => prediction),
    );
    const { value } = statistic(Uint32Array.from(answered.keys()));
    if (value === null) return { value: null, interval: null };
    const { interval } = percentileBootstrap({ draw, statistic, random: seededRandom(1), resamples: RESAMPLES });
    return { value, interval };
  };
  return {
    name,
    lines: answered.length,
    pearson: figure("pearson"),
    spearman: figure("spearman"),
    kendall: figure("kendall"),
  };
}

function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values);
}

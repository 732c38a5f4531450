import { normalCumulative } from "../stats/special/normal.ts";
import type { Forecast, NoForecast } from "./forecast.ts";

/** Two pitches held against each other: how much higher readers will rate the first, and how likely it is that they do. */
export interface ForecastComparison {
  readonly difference: number;
  /** Nine in ten such pairs of books. */
  readonly interval: readonly [number, number];
  readonly chanceFirst: number;
}

/** How many standard deviations half of a 90 % interval is wide. */
const HALF_WIDTH = 1.6449;

/** Null unless there are two and both have a forecast. The errors of the two forecasts are treated as independent. */
export function compareForecasts(forecasts: readonly (Forecast | NoForecast)[]): ForecastComparison | null {
  const [first, second] = forecasts;
  if (forecasts.length !== 2 || first?.kind !== "forecast" || second?.kind !== "forecast") return null;
  const difference = first.rating - second.rating;
  const up = Math.hypot(first.interval[1] - first.rating, second.rating - second.interval[0]);
  const down = Math.hypot(first.rating - first.interval[0], second.interval[1] - second.rating);
  const deviation = (up + down) / 2 / HALF_WIDTH;
  return {
    difference,
    interval: [difference - down, difference + up],
    chanceFirst: deviation > 0 ? normalCumulative(difference / deviation) : 0.5,
  };
}

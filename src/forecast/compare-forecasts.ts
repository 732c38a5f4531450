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
  const [ofFirst, ofSecond] = [reach(first), reach(second)];
  const up = Math.hypot(ofFirst.up, ofSecond.down);
  const down = Math.hypot(ofFirst.down, ofSecond.up);
  const deviation = (up + down) / 2 / HALF_WIDTH;
  return {
    difference,
    interval: [difference - down, difference + up],
    chanceFirst: deviation > 0 ? normalCumulative(difference / deviation) : 0.5,
  };
}

/** How far a rating may lie above and below its forecast. A side that the end of the scale cuts off is no better known than the other. */
function reach({ rating, interval: [low, high] }: Forecast): { readonly up: number; readonly down: number } {
  const [up, down] = [high - rating, rating - low];
  return { up: high >= 5 ? Math.max(up, down) : up, down: low <= 1 ? Math.max(up, down) : down };
}

/** The public library: everything here is meant to be used by other programs and stays stable. */
export { FabulaError } from "./core/errors.ts";
export { averageVerdicts, isScored, scored, unscored, type Verdict, verdictSchema } from "./core/verdict.ts";
export type { Forecast, Forecaster, NoForecast } from "./reader/forecast/forecast.ts";
export type { ForecastInput } from "./reader/forecast/forecast-input.ts";
export { loadForecaster } from "./reader/forecast/load-forecaster.ts";

import { type Forecaster, forecaster } from "./forecast.ts";
import { readForecastModel, shippedForecastFolder } from "./forecast-model.ts";

export interface ForecasterOptions {
  /** A folder written by `npm run train -- forecast`; the forecast that ships inside when absent. */
  readonly folder?: string | undefined;
  /** How many reasons each forecast gives. */
  readonly reasons?: number;
}

/**
 * Loads the model once and returns a function that forecasts how readers will rate a book. Every field may be missing.
 *
 * @example
 * ```ts
 * const forecast = loadForecaster();
 * const result = forecast({ title: "The Salt Road", genres: ["Fantasy"], premise: "A mapmaker is sent to a vanished coast." });
 * if (result.kind === "forecast") console.log(result.rating, result.interval);
 * ```
 */
export function loadForecaster({ folder, reasons }: ForecasterOptions = {}): Forecaster {
  const model = readForecastModel(folder ?? shippedForecastFolder());
  return forecaster(model, reasons === undefined ? {} : { reasons });
}

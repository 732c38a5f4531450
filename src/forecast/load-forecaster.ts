import { type Forecaster, forecaster } from "./forecast.ts";
import { readForecastModel, shippedForecastFolder } from "./forecast-model.ts";

export interface ForecasterOptions {
  /** A folder written by `npm run train -- forecast`; the forecast that ships inside when absent. */
  readonly folder?: string | undefined;
  /** How many reasons each forecast gives. */
  readonly reasons?: number;
}

/** A forecast ready for any number of books: `loadForecaster()({ title, genres, premise })`. */
export function loadForecaster({ folder, reasons }: ForecasterOptions = {}): Forecaster {
  const model = readForecastModel(folder ?? shippedForecastFolder());
  return forecaster(model, reasons === undefined ? {} : { reasons });
}

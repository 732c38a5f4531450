import { z } from "zod";
import { compareForecasts, type ForecastComparison } from "../../forecast/compare-forecasts.ts";
import { type ForecastInput, forecastInputSchema } from "../../forecast/forecast-input.ts";
import { bookInput } from "../define/shared-fields.ts";
import { defineTask, field } from "../define/task.ts";
import type { FileForecast } from "./forecast-books.ts";

const READ_AS = ["outline", "book", "json"] as const;
const description = z.custom<ForecastInput>((value) => typeof value === "object" && value !== null);

const model = field(
  z.string().exactOptional(),
  "a forecast trained with `npm run train -- forecast`, instead of the one that ships",
  { value: "FOLDER" },
);

export const forecastTask = defineTask({
  name: "forecast",
  summary:
    "Forecast the average reader rating (1–5) of a book, an outline or a summary, and what readers will say about each aspect.",
  library: { function: "forecastRating", options: "ForecastOptions", first: "books" },
  input: z.strictObject({
    books: field(z.array(z.union([bookInput, description])).min(1), "books, outlines, or descriptions of them", {
      operand: "[FILE...]",
      remote: (far) => z.array(z.union([far.book, forecastInputSchema])).min(1),
      type: "readonly (BookInput | ForecastInput)[]",
    }),
    as: field(z.enum(READ_AS).exactOptional(), "read a file as this kind, when its name does not show it", {
      value: "KIND",
      help: "read FILE as this kind, when its name does not show it",
    }),
    model,
    reasons: field(z.number().int().min(0).max(1000).default(10), "how many reasons are given", {
      onlyPrograms: true,
      remote: true,
    }),
  }),
  async run({ books, as, model: folder, reasons }, { onProgress }) {
    const { loadForecaster } = await import("../../forecast/load-forecaster.ts");
    const { forecastSource } = await import("./forecast-books.ts");
    const forecast = loadForecaster({ folder, reasons });
    const results = [];
    for (const [done, book] of books.entries()) {
      onProgress({ stage: "Reading", done, total: books.length });
      results.push(await forecastSource(book, forecast, as));
    }
    return results;
  },
  output: {
    kind: "forecasts",
    body: (results) => ({
      ...comparisonOf(results),
      forecasts: results.map(({ file, readAs, forecast: { kind, ...facts } }) =>
        "reason" in facts ? { id: file, readAs, unscored: facts.reason } : { id: file, readAs, ...facts },
      ),
    }),
  },
});

/** Of two books, how they compare; of any other number, nothing. */
function comparisonOf(results: readonly FileForecast[]): { comparison?: ForecastComparison } {
  const comparison = compareForecasts(results.map(({ forecast }) => forecast));
  return comparison === null ? {} : { comparison };
}

export const forecastLinesTask = defineTask({
  name: "forecast lines",
  summary: "Forecast the ratings of many books, each described in a line of JSON.",
  input: z.strictObject({
    in: field(
      z.string(),
      "JSONL: id, title, genres, premise, words, plot_summary, characters, expected_ratings, earlier_books ([{title, average_rating}] of the same author); any may be missing",
      {
        value: "FILE",
      },
    ),
    out: field(z.string().exactOptional(), "JSONL to write to, - for standard output; without it they are returned", {
      value: "FILE",
    }),
    model,
  }),
  async run({ in: input, out, model: folder }, { signal, onProgress }) {
    const { loadForecaster } = await import("../../forecast/load-forecaster.ts");
    const { writeForecasts } = await import("./forecast-books.ts");
    return writeForecasts({ input, output: out, forecast: loadForecaster({ folder, reasons: 5 }), signal, onProgress });
  },
  output: { kind: "forecasts", body: (written) => written },
});

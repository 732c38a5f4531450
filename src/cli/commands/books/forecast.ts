import pc from "picocolors";
import { FabulaError } from "../../../core/errors.ts";
import { writeJsonLines } from "../../../core/json-lines.ts";
import { signedNumber } from "../../../core/wording/signed-number.ts";
import type { Reason } from "../../../forecast/explain.ts";
import type { Forecast } from "../../../forecast/forecast.ts";
import { loadForecaster } from "../../../forecast/load-forecaster.ts";
import {
  type FileForecast,
  type ForecastLine,
  forecastFile,
  forecastLines,
  type ReadAs,
} from "../../../workflows/books/forecast-books.ts";
import { defineCommand } from "../../command.ts";
import { jsonDocument } from "../../output/json-document.ts";

type Colours = ReturnType<typeof pc.createColors>;

const READ_AS = ["outline", "book", "json"] as const satisfies readonly ReadAs[];

export default defineCommand({
  summary:
    "Forecast the average reader rating (1–5) of a book, an outline or a summary, and what readers will say about each aspect.",
  operands: "[FILE...]",
  flags: {
    in: {
      type: "string",
      value: "FILE",
      help: "JSONL: id, title, genres, premise, words, plot_summary, characters; any may be missing",
    },
    out: { type: "string", value: "FILE", help: "JSONL to write to, - for standard output", default: "-" },
    as: {
      type: "string",
      value: "KIND",
      help: "read FILE as this kind, when its name does not show it",
      choices: READ_AS,
    },
    model: {
      type: "string",
      value: "FOLDER",
      help: "a forecast trained with `npm run train -- forecast`, instead of the one that ships",
    },
  },
  examples: [
    "fabula forecast outline.md",
    "fabula forecast novel.epub --json",
    "fabula forecast --in books.jsonl --out forecasts.jsonl",
  ],
  async run({ operands, flags, terminal, signal }) {
    const forecast = loadForecaster({ folder: flags.model, reasons: flags.in ? 5 : 10 });
    if (flags.in) {
      if (operands.length > 0) throw new FabulaError("E_USAGE", "Give files, or --in FILE, not both.");
      let unscored = 0;
      const counted = async function* (): AsyncGenerator<ForecastLine> {
        for await (const line of forecastLines(flags.in!, forecast, terminal.progress, signal)) {
          if ("unscored" in line) unscored++;
          yield line;
        }
      };
      if (flags.json) {
        const forecasts: ForecastLine[] = [];
        for await (const line of counted()) forecasts.push(line);
        terminal.endProgress();
        terminal.print(jsonDocument("forecasts", { forecasts, unscored }));
      } else {
        await writeJsonLines(flags.out, counted());
        terminal.endProgress();
      }
      if (unscored > 0) terminal.note(`${unscored} could not be forecast: each says why under "unscored".`);
      return unscored > 0 ? 3 : 0;
    }
    if (operands.length === 0)
      throw new FabulaError("E_USAGE", "Give a file (`fabula forecast outline.md`) or --in books.jsonl.");
    const readAs = READ_AS.find((kind) => kind === flags.as);
    const results: FileForecast[] = [];
    for (const [done, file] of operands.entries()) {
      terminal.progress({ stage: "Reading", done, total: operands.length });
      results.push(await forecastFile(file, forecast, readAs));
    }
    terminal.endProgress();
    if (flags.json) terminal.print(jsonDocument("forecasts", { forecasts: results.map(toJson) }));
    else for (const result of results) terminal.print(describe(result, pc.createColors(terminal.colours)));
    return results.some((result) => result.forecast.kind === "unscored") ? 3 : 0;
  },
});

function toJson({ file, readAs, forecast }: FileForecast) {
  if (forecast.kind === "unscored") return { id: file, readAs, unscored: forecast.reason };
  const { kind, ...facts } = forecast;
  return { id: file, readAs, ...facts };
}

function describe({ file, readAs, forecast }: FileForecast, colours: Colours): string {
  if (forecast.kind === "unscored")
    return `${colours.bold(file)}\n  ${colours.yellow("no forecast")}: ${forecast.reason}\n`;
  const { rating, interval, percentile, fields, unrecognised, baseline } = forecast;
  return [
    `${colours.bold(file)} (read as ${readAs === "json" ? "JSON" : `a${readAs === "outline" ? "n" : ""} ${readAs}`})`,
    `  Expected average rating ${colours.bold(rating.toFixed(2))} out of 5; nine in ten such books lie between ${interval[0].toFixed(2)} and ${interval[1].toFixed(2)}.`,
    `  That is above ${percentile.toFixed(0)} % of the novels it learnt from.`,
    `  Made from ${fields.map(inWords).join(", ")}.${fields.includes("plot_summary") ? "" : " A plot summary would sharpen it."}`,
    ...(unrecognised.length > 0 ? [colours.yellow(`  Not understood: ${unrecognised.map(inWords).join(", ")}.`)] : []),
    "",
    "  What readers may be expected to say, in stars (and above how many of those novels):",
    ...aspectRows(forecast),
    "",
    `  What moved the rating from ${baseline.toFixed(2)}, in stars:`,
    ...forecast.why.map((reason) => `    ${signed(reason.effect, colours)}  ${reasonInWords(reason)}`),
    "",
  ].join("\n");
}

function aspectRows({ aspects, aspectPercentiles }: Forecast): string[] {
  return Object.entries(aspects).map(
    ([aspect, stars]) =>
      `    ${aspect.padEnd(12)} ${stars.toFixed(2)}  ${`${aspectPercentiles[aspect]!.toFixed(0)} %`.padStart(5)}`,
  );
}

function signed(effect: number, colours: Colours): string {
  const text = signedNumber(effect, 3);
  return effect > 0 ? colours.green(text) : colours.red(text);
}

function reasonInWords({ field, term }: Reason): string {
  if (field === "words") return "its length";
  if (term === null) return field === "genres" ? "genres it does not have" : `the rest of the ${inWords(field)}`;
  return field === "genres" ? `genre ${term}` : `“${term}” in the ${inWords(field)}`;
}

function inWords(field: string): string {
  return field === "words" ? "length" : field.replace("_", " ");
}

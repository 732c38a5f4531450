import pc from "picocolors";
import { signedNumber } from "../../../core/wording.ts";
import { compareForecasts, type ForecastComparison } from "../../../forecast/compare-forecasts.ts";
import type { Reason } from "../../../forecast/explain.ts";
import type { Forecast } from "../../../forecast/forecast.ts";
import { forecastLinesTask, forecastTask } from "../../../tasks/books/forecast.ts";
import type { FileForecast } from "../../../tasks/books/forecast-books.ts";
import { otherWay, taskCommand } from "../../task-command.ts";

type Colours = ReturnType<typeof pc.createColors>;

export const forecastCommand = taskCommand(forecastTask, {
  usage: "Give a file (`fabula forecast outline.md`) or --in books.jsonl.",
  examples: [
    "fabula forecast outline.md",
    "fabula forecast first-pitch.md second-pitch.md",
    "fabula forecast novel.epub --json",
    "fabula forecast --in books.jsonl --out forecasts.jsonl",
  ],
  async present(results, { terminal, show }) {
    await show(() => {
      const described = results.map((result) => describe(result, pc.createColors(terminal.colours))).join("");
      const comparison = compareForecasts(results.map(({ forecast }) => forecast));
      return comparison === null ? described : `${described}${comparisonInWords(comparison)}\n`;
    });
    return results.some(({ forecast }) => forecast.kind === "unscored") ? 3 : 0;
  },
  others: [
    otherWay(forecastLinesTask, {
      flag: "--in",
      when: (flags) => flags.in !== undefined,
      withOperands: "Give files, or --in FILE, not both.",
      flags: {
        out: { type: "string", value: "FILE", help: "JSONL to write to, - for standard output", default: "-" },
      },
      prepare: ({ out, ...input }, { json }) => (json || out === undefined ? input : { ...input, out }),
      async present({ unscored }, { flags, terminal, document }) {
        if (flags.json) terminal.print(document());
        if (unscored > 0) terminal.note(`${unscored} could not be forecast: each says why under "unscored".`);
        return unscored > 0 ? 3 : 0;
      },
    }),
  ],
});

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

function comparisonInWords({ difference, interval, chanceFirst }: ForecastComparison): string {
  const [side, chance] = chanceFirst >= 0.5 ? ["first", chanceFirst] : ["second", 1 - chanceFirst];
  const [low, high] = interval.map((bound) => signedNumber(bound, 2));
  return `The ${side} is rated higher ${Math.round(100 * chance)} times in 100. First less second: ${signedNumber(difference, 2)} stars; nine in ten such pairs lie between ${low} and ${high}.`;
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
  if (field === "earlier_books") return "how the author's earlier books were rated";
  if (term === null) return field === "genres" ? "genres it does not have" : `the rest of the ${inWords(field)}`;
  return field === "genres" ? `genre ${term}` : `“${term}” in the ${inWords(field)}`;
}

function inWords(field: string): string {
  return field === "words" ? "length" : field.replace("_", " ");
}

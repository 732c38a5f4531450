import { defineCommand } from "../../src/cli/command.ts";
import { FabulaError } from "../../src/core/errors.ts";
import { trainForecastFrom } from "../forecast/forecast-from-files.ts";
import type { Agreement } from "../forecast/measure-forecast.ts";

const DESIGNS_SHOWN = 12;

export default defineCommand({
  summary: "Trains the forecast of reader ratings again and measures it by 10-fold cross-validation.",
  operands: "",
  flags: {
    books: {
      type: "string",
      value: "FILE",
      help: "JSONL of books: id, title, genres, premise, words, plot_summary, characters, average_rating, ratings_5_to_1",
    },
    reviews: { type: "string", value: "FILE", help: "JSONL of structured reviews: book, reviewer, rating, aspects" },
    out: {
      type: "string",
      value: "FOLDER",
      help: "where to write weights.bin and measured.json; without it, only measure",
    },
    seed: { type: "number", value: "N", help: "how the books are dealt into folds", default: 1, integer: true },
  },
  examples: [
    "npm run train -- forecast --books books.jsonl.gz --reviews reviews.jsonl.gz --out assets/models/forecast",
  ],
  async run({ flags, terminal }) {
    const { books, reviews, out, seed } = flags;
    if (!books || !reviews) throw new FabulaError("E_USAGE", "Give --books FILE and --reviews FILE to train from.");
    const quality = await trainForecastFrom({ books, reviews, out: out ?? null, seed, onProgress: terminal.progress });
    terminal.endProgress();
    if (flags.json) {
      terminal.print(JSON.stringify(quality, null, 2));
      return 0;
    }
    const rows: [string, Agreement][] = [
      ["all fields", quality.rating],
      ["all fields, pairs of books of one genre", quality.withinGenre],
      ["all fields, pairs of books with the same first two genres", quality.withinKind],
      ...Object.entries(quality.byFields).map(([fields, value]): [string, Agreement] => [
        fields.replaceAll("+", ", "),
        value,
      ]),
      ...Object.entries(quality.byAspect).map(([aspect, value]): [string, Agreement] => [`appeal: ${aspect}`, value]),
    ];
    const width = Math.max(...rows.map(([name]) => name.length));
    terminal.print(
      [
        "On books the model had not seen:",
        ...rows.map(
          ([
            name,
            {
              kendall,
              interval: [low, high],
              books: count,
            },
          ]) =>
            `  ${name.padEnd(width)}  τ ${kendall.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}, ${count} books)`,
        ),
        `  90 % intervals are ±${quality.halfWidth.toFixed(2)} stars wide and cover ${(100 * quality.coverage).toFixed(1)} % of the books`,
        ...quality.byAudience.map(
          ({ from, books: count, coverage, coverageKnown }) =>
            `  of ${count} books of ${from} ratings and more ${(100 * coverage).toFixed(1)} %, with the number of ratings known ${(100 * coverageKnown).toFixed(1)} %`,
        ),
        `  given one other book of the author (${quality.author.pairs} pairs, share ${quality.author.share.toFixed(2)}) a forecast misses by ${quality.author.errorAfter.toFixed(3)} stars, else by ${quality.author.errorBefore.toFixed(3)}`,
      ].join("\n"),
    );
    const best = [...quality.designs].sort((left, right) => right.kendall - left.kendall).slice(0, DESIGNS_SHOWN);
    terminal.print(
      [
        `The best of ${quality.designs.length} designs, when each book is forecast from all others (* is used; --json shows them all):`,
        ...best.map(
          ({ design, kendall, chosen, folds }) =>
            `${chosen ? "*" : " "} τ ${kendall.toFixed(3)}  ${design}; chosen inside ${folds} of 10 folds`,
        ),
      ].join("\n"),
    );
    if (out) terminal.print(`Wrote ${out}: ${(quality.bytes / 1024).toFixed(0)} kB of weights.`);
    return 0;
  },
});

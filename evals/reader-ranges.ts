import { parseArgs } from "node:util";
import { countOf } from "../src/core/wording.ts";
import { crossValidate, type HeldOutPair, type TestDesign } from "../training/personal/cross-validate.ts";
import { readTrainingData } from "../training/personal/training-data.ts";
import { groupCoverage } from "./parts/personal.ts";
import { gain } from "./parts/personal-figures.ts";
import { reportMadeReaders, reportTastes } from "./parts/reader-own-tastes.ts";

/**
 * How often readers and books kept back fall inside the 80% range of the personal predictor, group by group, and how well the
 * chances of one to five stars hold, and how far the predictions are above the mean of the history, with one earlier review to twenty,
 * and where the averages of all stories are known: `npx tsx evals/reader-ranges.ts --data FOLDER`, a folder with LongStoryEval's books.jsonl.gz
 * and reviews.jsonl.gz. `--cuts N,N` takes other cuts of readers and books, `--folds N` that many folds of each. The form of the
 * ranges was chosen on cut 31; all groups of a table should lie between 77 and 83 %. `--tastes` asks instead what a taste that a
 * reader's own ratings prove brings: readers of 15 other ratings and more, 3 folds of books, and readers who are made up.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string" },
    cuts: { type: "string", default: "81,82,83" },
    folds: { type: "string", default: "2" },
    tastes: { type: "boolean", default: false },
  },
});
if (values.data === undefined)
  throw new Error("Give the folder of the data: npx tsx evals/reader-ranges.ts --data FOLDER");

const { data, cuts, folds } = values;
if (values.tastes) reportMadeReaders();
const table = await readTrainingData(`${data}/books.jsonl.gz`, `${data}/reviews.jsonl.gz`);
if (values.tastes) {
  for (const cut of cuts.split(",")) reportTastes(table, Number(cut));
  process.exit(0);
}
/** Each length of a long history is a design of its own: the readers who have so many grow fewer. */
const long = (length: number): TestDesign => ({ pairsPerReader: 10, lengths: [length], shown: ["stars"] });
const short: TestDesign = { pairsPerReader: 3, lengths: [1, 3], shown: ["whole", "stars"] };
const stars = [{ ...short, shown: ["stars"] }, long(10), long(20)] as const;
const DESIGNS: readonly TestDesign[] = [
  short,
  long(10),
  long(20),
  ...stars.map((design) => ({ ...design, averages: true })),
];
const held = cuts
  .split(",")
  .map((cut) =>
    crossValidate(
      table,
      { books: Number(folds), readers: Number(folds), seed: Number(cut) },
      Object.fromEntries(DESIGNS.entries()),
      ({ done, total }) => console.error(`${done} of ${total} cells`),
    ),
  );

for (const [at, design] of DESIGNS.entries()) {
  const pairs = held.flatMap((cut) => cut.get(String(at))!);
  for (const length of design.lengths)
    for (const shown of design.shown) {
      const own = pairs.filter((pair) => pair.length === length && pair.shown === shown);
      const words = shown === "whole" ? "with words" : "stars alone";
      report(
        `${countOf(length, "earlier review")}, ${words}${design.averages ? ", all averages known" : ""}`,
        design.averages
          ? own.map((pair) => ({ ...pair, predicted: pair.predictedWithAverage, interval: pair.intervalWithAverage }))
          : own,
        design.averages === true,
      );
    }
}

/** With averages known the baseline is the story's average and the reader's bias, since the mean of a history knows nothing of the story. */
function report(title: string, pairs: readonly HeldOutPair[], isAverageKnown: boolean): void {
  const inside = pairs.filter(({ rating, interval }) => rating >= interval[0] && rating <= interval[1]).length;
  console.log(`\n${title}: ${pairs.length} pairs, ${((100 * inside) / pairs.length).toFixed(1)} % inside`);
  for (const { name, value } of groupCoverage(pairs))
    console.log(`  ${(100 * (value ?? 0)).toFixed(1)} %${name.replace(/^[^,]*,/, " ")}`);
  if (!isAverageKnown) {
    const stars = [1, 2, 3, 4, 5].map((star) => {
      const expected = pairs.reduce((sum, { chances }) => sum + chances[star - 1]!, 0) / pairs.length;
      const given = pairs.filter(({ rating }) => Math.round(rating) === star).length / pairs.length;
      return `${star}: ${(100 * expected).toFixed(1)} / ${(100 * given).toFixed(1)}`;
    });
    console.log(`  stars expected / given, in %: ${stars.join(", ")}`);
  }
  for (const by of ["pearson", "spearman"] as const) {
    const { value, interval } = gain(pairs, {
      ...{ id: by, name: by, by },
      predicted: (pair) => pair.predicted,
      baseline: (pair) => (isAverageKnown ? pair.biasPlusAverage : pair.meanOfHistory),
    });
    const range = interval === null ? "" : ` (${interval.map((bound) => bound.toFixed(3)).join(" to ")})`;
    const baseline = isAverageKnown ? "the story's average plus the reader's bias" : "the mean of the history";
    console.log(`  ${by} above ${baseline}: ${value?.toFixed(3)}${range}`);
  }
}

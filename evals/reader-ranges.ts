import { parseArgs } from "node:util";
import { crossValidate, type HeldOutPair } from "../training/personal/cross-validate.ts";
import { readTrainingData } from "../training/personal/training-data.ts";
import { groupCoverage } from "./parts/personal.ts";
import { gain } from "./parts/personal-figures.ts";

/**
 * How often readers and books kept back fall inside the 80% range of the personal predictor, group by group, and how well the
 * chances of one to five stars hold, and how far the predictions are above the mean of the history: `npx tsx evals/reader-ranges.ts --data FOLDER`, a folder with LongStoryEval's books.jsonl.gz
 * and reviews.jsonl.gz. `--cuts N,N` takes other cuts of readers and books, `--folds N` that many folds of each. The form of the
 * ranges was chosen on cut 31; all groups of a table should lie between 77 and 83 %.
 */
const { values } = parseArgs({
  options: {
    data: { type: "string" },
    cuts: { type: "string", default: "81,82,83" },
    folds: { type: "string", default: "2" },
  },
});
if (values.data === undefined)
  throw new Error("Give the folder of the data: npx tsx evals/reader-ranges.ts --data FOLDER");

const { data, cuts, folds } = values;
const table = await readTrainingData(`${data}/books.jsonl.gz`, `${data}/reviews.jsonl.gz`);
const held = cuts
  .split(",")
  .flatMap(
    (cut) =>
      crossValidate(
        table,
        { books: Number(folds), readers: Number(folds), seed: Number(cut) },
        { lengths: { pairsPerReader: 3, lengths: [1, 3], shown: ["whole", "stars"] } },
        ({ done, total }) => console.error(`${done} of ${total} cells`),
      ).get("lengths")!,
  );

for (const length of [1, 3])
  for (const shown of ["whole", "stars"] as const)
    report(
      `${length} earlier review${length > 1 ? "s" : ""}, ${shown === "whole" ? "with words" : "stars alone"}`,
      held.filter((pair) => pair.length === length && pair.shown === shown),
    );

function report(title: string, pairs: readonly HeldOutPair[]): void {
  const inside = pairs.filter(({ rating, interval }) => rating >= interval[0] && rating <= interval[1]).length;
  console.log(`\n${title}: ${pairs.length} pairs, ${((100 * inside) / pairs.length).toFixed(1)} % inside`);
  for (const { name, value } of groupCoverage(pairs))
    console.log(`  ${(100 * (value ?? 0)).toFixed(1)} %${name.replace(/^[^,]*,/, " ")}`);
  const stars = [1, 2, 3, 4, 5].map((star) => {
    const expected = pairs.reduce((sum, { chances }) => sum + chances[star - 1]!, 0) / pairs.length;
    const given = pairs.filter(({ rating }) => Math.round(rating) === star).length / pairs.length;
    return `${star}: ${(100 * expected).toFixed(1)} / ${(100 * given).toFixed(1)}`;
  });
  console.log(`  stars expected / given, in %: ${stars.join(", ")}`);
  for (const by of ["pearson", "spearman"] as const) {
    const { value, interval } = gain(pairs, {
      ...{ id: by, name: by, by },
      predicted: (pair) => pair.predicted,
      baseline: (pair) => pair.meanOfHistory,
    });
    const range = interval === null ? "" : ` (${interval.map((bound) => bound.toFixed(3)).join(" to ")})`;
    console.log(`  ${by} above the mean of the history: ${value?.toFixed(3)}${range}`);
  }
}

/**
 * The leaderboard from published scores alone: does its order agree with the data's own, and what do its tests tell apart?
 *
 *   npx tsx evals/published-scores.ts JUDGED-CHAPTERS.jsonl.gz
 *
 * Prints Kendall's τ of the writers' composites and levels with the data's own chapter averages, the groups, and the
 * matrix of differences with corrected p-values.
 */
import { z } from "zod";
import { jsonLines } from "../src/core/json-lines.ts";
import { kendallTau } from "../src/stats/correlation.ts";
import { mean } from "../src/stats/distribution.ts";
import { rankScoredWriters } from "../src/tasks/bench/population.ts";

const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("Usage: npx tsx evals/published-scores.ts JUDGED-CHAPTERS.jsonl.gz");

const rowSchema = z.looseObject({
  writer: z.string(),
  story: z.string(),
  story_chapter_average: z.number().nullable(),
});
const stories = new Map<string, Map<string, number>>();
for await (const { writer, story, story_chapter_average: grade } of jsonLines(path, rowSchema)) {
  if (grade === null) continue;
  const own = stories.get(writer) ?? new Map<string, number>();
  stories.set(writer, own.set(story, grade));
}
const averages = new Map([...stories].map(([writer, own]) => [writer, mean([...own.values()])]));

const { board, power } = await rankScoredWriters({
  scores: [path],
  rubric: "longform",
  population: null,
  second: null,
  seed: 1,
});
const shared = board.rows.filter(({ writer }) => averages.has(writer));
const grades = shared.map(({ writer }) => averages.get(writer)!);
const tau = (values: readonly number[]) => kendallTau(values, grades).value?.toFixed(3) ?? "undefined";
console.log(`${board.rows.length} writers, ${board.comparisons.pairs.length} pairs`);
console.log(
  `Kendall τ with the data's own chapter averages, which ${shared.length} writers have: composites ${tau(shared.map(({ composite }) => composite))}, levels ${tau(shared.map(({ level }) => level))}`,
);
const { pairs, significance, method } = board.comparisons;
const apart = pairs.filter(({ adjusted }) => adjusted !== null && adjusted < significance);
console.log(`${apart.length} of ${pairs.length} pairs are told apart. ${method}`);
if (power)
  console.log(
    `Novels for a difference: ${power.novels.map(({ difference, novels }) => `${difference}: ${novels}`).join(", ")}`,
  );

console.log("\nrank  composite  level (95 %)          group  writer");
for (const { rank, composite, level, interval, groups, writer } of board.rows) {
  console.log(
    `${String(rank).padStart(4)}  ${composite.toFixed(2).padStart(9)}  ${level.toFixed(1).padStart(5)} (${interval[0].toFixed(1)}–${interval[1].toFixed(1)})`.padEnd(
      40,
    ) + `  ${groups.padEnd(5)}  ${writer}`,
  );
}

console.log("\nCorrected p of each pair, by rank (row above column; · below 0.025)");
const found = new Map(pairs.map((pair) => [`${pair.first}\n${pair.second}`, pair]));
for (const [at, row] of board.rows.entries()) {
  const cells = board.rows.slice(at + 1).map(({ writer }) => {
    const pair = found.get(`${row.writer}\n${writer}`) ?? found.get(`${writer}\n${row.writer}`);
    if (!pair || pair.adjusted === null) return " ? ";
    if (pair.adjusted < significance) return " · ";
    return pair.adjusted > 0.994 ? "1.0" : pair.adjusted.toFixed(2).slice(-3);
  });
  console.log(`${String(row.rank).padStart(3)} ${"    ".repeat(at)}${cells.map((cell) => cell.padStart(4)).join("")}`);
}

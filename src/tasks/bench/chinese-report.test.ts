import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { benchmarkWriters } from "../../bench/benchmark-writers.ts";
import { buildPopulation } from "../../bench/population/build-population.ts";
import { memberOf, panelChapters, panelRecipe } from "../../bench/population/panel.ts";
import { seededRandom } from "../../core/random.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { markdownBenchmark } from "../../report/bench/benchmark-table.ts";
import { htmlBenchmark } from "../../report/bench/board.ts";

import { dimensionNames, populationFromScores, rankScoredWriters } from "./population.ts";

const RUBRIC = "novel-bench-zh";
const WRITERS = { 甲: 3.6, 乙: 2.4, 丙: 3 };
const { criteria, ...rubric } = await loadRubric(RUBRIC);
const random = seededRandom(3);

/** Chapters of three writers. Longer chapters get higher scores, so that the report has something to say about length. */
function chapters() {
  return Object.entries(WRITERS).flatMap(([writer, level]) =>
    Array.from({ length: 24 }, (_, index) => {
      const quality = level + 0.8 * random();
      const scores = criteria.map(() => quality + 0.4 * random());
      return { writer, novel: `小说 ${index % 8}`, chapter: index + 1, words: Math.round(400 * quality), scores };
    }),
  );
}

/** Names in Latin letters that the report may contain: the software and the authors of the tests. */
const NAMES = ["title", "Fabula", "Westfall", "Young", "Holm"];

/** Finds other Latin words that a reader would see, ignoring markup and style. */
function englishIn(text: string): string[] {
  const visible = text.replace(/<style>[\s\S]*?<\/style>/g, "").replace(/<(?!\/?title)[^>]*>/g, " ");
  return (visible.match(/[A-Za-z]{3,}/g) ?? []).filter((word) => !NAMES.includes(word));
}

describe("a report on Chinese novels", () => {
  it("has its headings, captions and dimensions in Chinese", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "fabula-report-")), "scores.jsonl");
    const rows = chapters().map(({ scores, ...row }) => ({
      ...row,
      judge: "评委",
      scores: Object.fromEntries(criteria.map(({ id }, index) => [id, scores[index]])),
    }));
    writeFileSync(file, rows.map((row) => JSON.stringify(row)).join("\n"));
    const ranked = await rankScoredWriters({ scores: [file], rubric: RUBRIC, population: null, second: null, seed: 1 });
    const benchmark = { ...ranked, population: { ...ranked.population, description: "" } };
    const names = await dimensionNames(benchmark.population, RUBRIC);
    const html = await htmlBenchmark(benchmark, names);
    expect(html).toContain('<html lang="zh-CN">');
    expect(html).toContain("修辞手法");
    expect(englishIn(html)).toEqual([]);
    expect(englishIn(markdownBenchmark(benchmark, names))).toEqual([]);
  });

  it("by a panel has each judge's figures in Chinese", async () => {
    const opinions = [chapters(), chapters()];
    const populations = opinions.map(
      (own, index) =>
        populationFromScores(own, {
          id: "测试",
          description: "",
          judge: { id: `评委${index}`, version: "1" },
          language: "zh",
          rubric: { ...rubric, criteria },
        }).population,
    );
    const panel = populations.map(memberOf);
    const joined = panelChapters(panel, opinions);
    const recipe = { ...panelRecipe(populations, { id: "测试", description: "" }), language: "zh" };
    const population = { ...buildPopulation(joined, recipe).population, panel };
    const names = await dimensionNames(population, RUBRIC);
    const html = await htmlBenchmark(benchmarkWriters(joined, population, seededRandom(1)), names);
    expect(html).toContain("评委1 给各作者在各维度上的平均分");
    expect(englishIn(html).filter((word) => word !== "panel")).toEqual([]);
  });
});

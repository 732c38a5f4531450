import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { benchFiles } from "../../bench/bench-folder.ts";
import { benchmarkWriters } from "../../bench/benchmark-writers.ts";
import { loadPopulation } from "../../bench/population/reference-population.ts";
import type { ChapterScorer } from "../../bench/scoring.ts";
import { seededRandom } from "../../core/random.ts";
import { scored, unscored } from "../../core/verdict.ts";
import { parseRubric } from "../../criteria/load-rubric.ts";
import { terminalBenchmark } from "../../report/bench/benchmark-table.ts";
import { type BuildWorkOptions, buildPopulations } from "./build.ts";
import { chaptersOn } from "./chapters.ts";
import { textPlacer } from "./place.ts";

const { signal } = new AbortController();
const folderFor = () => mkdtempSync(join(tmpdir(), "fabula-bench-build-"));

const rubricNamed = (id: string, dimensions: readonly string[]) =>
  parseRubric(
    `id: ${id}\nversion: 1\nlanguage: en\ntitle: Test\nscale: { minimum: 0, maximum: 100 }\ncriteria:\n${dimensions.map((name) => `  - { id: ${name}, name: ${name}, definition: x }`).join("\n")}\n`,
    id,
  );

/** A judge that takes the score from the text itself ("quality 7 …"), with a small offset for each dimension. */
function judgeNamed(
  id: string,
  { dimensions = ["plot", "prose"], mood = 0, blind }: { dimensions?: string[]; mood?: number; blind?: RegExp } = {},
): ChapterScorer {
  const rubric = rubricNamed(`rubric-${id}`, dimensions);
  return {
    id,
    version: "1",
    rubric,
    async score(text, repeat) {
      const quality = Number(/quality (\d+)/.exec(text)?.[1] ?? 0);
      const verdict = (index: number) =>
        blind?.test(text)
          ? unscored(`${id} would not read it`)
          : scored(quality * (index + 1) + mood * ((repeat * 7) % 5));
      return Object.fromEntries(dimensions.map((dimension, index) => [dimension, verdict(index)]));
    },
  };
}

function prepared(novels: readonly { novel: string; quality: number }[]): string {
  const folder = folderFor();
  const rows = novels.flatMap(({ novel, quality }) =>
    [1, 2, 3].map((chapter) => ({
      novel,
      writer: `author of ${novel}`,
      title: novel,
      language: "en",
      chapter,
      words: 10,
      sha256: "0",
      text: `${novel} chapter ${chapter}, quality ${quality + chapter}`,
    })),
  );
  writeFileSync(benchFiles(folder).chapters, `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`);
  return folder;
}

const humans = Array.from({ length: 20 }, (_, index) => ({ novel: `novel ${index}`, quality: index }));

const options = (folder: string, given: Partial<BuildWorkOptions> = {}): BuildWorkOptions => ({
  folder,
  id: "test",
  description: "made-up novels",
  repeats: 1,
  check: { texts: 0, repeats: 11 },
  anchors: null,
  concurrency: 4,
  dryRun: false,
  signal,
  ...given,
});

describe("building a population", () => {
  it("writes a row for every chapter in their order, and the population of the means", async () => {
    const folder = prepared(humans);
    const [built] = await buildPopulations([judgeNamed("ann")], options(folder));
    const rows = readFileSync(benchFiles(folder).scores("ann"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.map(({ novel, chapter }) => `${novel} ${chapter}`)).toEqual(
      humans.flatMap(({ novel }) => [1, 2, 3].map((chapter) => `${novel} ${chapter}`)),
    );
    expect(rows[0]).toMatchObject({ judge: "ann", repeat: 0 });
    expect(built!.population.novels[5]).toMatchObject({ novel: "novel 5", chapters: 3, scores: [7, 14] });
    expect(await loadPopulation(built!.file)).toEqual(built!.population);
  });

  it("scores nothing and writes nothing in a dry run", async () => {
    const folder = prepared(humans);
    expect(await buildPopulations([judgeNamed("ann")], options(folder, { dryRun: true }))).toEqual([]);
    expect(readdirSync(folder)).toEqual(["chapters.jsonl"]);
  });

  it("checks how steady a judge is: the same texts, eleven times each, with IQR and variance", async () => {
    const check = { texts: 4, repeats: 11 };
    const [moody] = await buildPopulations([judgeNamed("moody", { mood: 1 })], options(prepared(humans), { check }));
    const [steady] = await buildPopulations([judgeNamed("steady")], options(prepared(humans), { check }));
    expect(moody!.population.repeatability).toHaveLength(4);
    for (const row of moody!.population.repeatability!) {
      expect(row.repeats).toBe(11);
      expect(row.interquartileRange).toBeGreaterThan(0);
      expect(row.variance).toBeGreaterThan(0);
    }
    for (const row of steady!.population.repeatability!)
      expect(row).toMatchObject({ interquartileRange: 0, variance: 0 });
    expect(steady!.population.repeatability!.map(({ text }) => text)).toEqual(
      moody!.population.repeatability!.map(({ text }) => text),
    );
  });

  it("shows classics as an anchor, and warns when they do not stand above the bulk", async () => {
    const judgedBy = async (quality: number) => {
      const anchors = prepared([1, 2, 3].map((index) => ({ novel: `classic ${index}`, quality: quality + index })));
      const [built] = await buildPopulations([judgeNamed("ann")], options(prepared(humans), { anchors }));
      const { population } = built!;
      const writers = humans.slice(0, 4).map(({ novel, quality: own }) => ({
        novel,
        writer: novel,
        chapter: 1,
        words: 10,
        scores: [own, 2 * own],
      }));
      return { population, benchmark: benchmarkWriters(writers, population, seededRandom(1)) };
    };
    const high = await judgedBy(30);
    expect(high.population.corpus.novels).toBe(20);
    expect(high.benchmark.anchors).toMatchObject({ novels: 3, level: 100, warning: null });
    expect(terminalBenchmark(high.benchmark, { colours: false })).toMatch(/– {2}classics \(anchors\).*100\.0/);
    const low = await judgedBy(3);
    expect(low.benchmark.warnings.join()).toContain("do not stand above the population's bulk");
  });
});

describe("a panel of judges", () => {
  const ann = judgeNamed("ann");
  const bob = judgeNamed("bob", { dimensions: ["voice", "pace", "scene"], blind: /novel 3 / });

  it("has each judge's population and a common one, without the novels that some judge could not score", async () => {
    const built = await buildPopulations([ann, bob], options(prepared(humans)));
    expect(built.map(({ population }) => population.judge.id)).toEqual(["ann", "bob", "panel ann+bob"]);
    const panel = built[2]!;
    expect(panel.population).toMatchObject({ dimensions: ["ann", "bob"], weights: [0.5, 0.5] });
    expect(panel.population.novels).toHaveLength(19);
    expect(panel.population.novels[0]).toMatchObject({ chapters: 3, words: 18 });
    expect(panel.excluded).toEqual([
      { novel: "novel 3", writer: "author of novel 3", reason: "no chapter has a score for bob" },
    ]);
    expect(built[1]!.unscored).toBe(3);
    expect(await loadPopulation(panel.file)).toEqual(panel.population);
  });

  it("places a text by all its judges, and says which one could not score it", async () => {
    const { population } = (await buildPopulations([ann, bob], options(prepared(humans))))[2]!;
    const place = textPlacer([bob, ann], population);
    const best = await place("best", "quality 60", signal);
    expect(best.percentile).toEqual({ kind: "scored", score: 100 });
    expect(best.judges?.bob).toMatchObject({ percentile: { score: 100 }, dimensions: { voice: { score: 60 } } });
    const half = await place("half", "novel 3 again, quality 60", signal);
    expect(half.percentile).toEqual({ kind: "unscored", reason: "bob: bob would not read it" });
    expect(half.judges?.ann?.percentile).toMatchObject({ kind: "scored" });
    expect(() => textPlacer([ann], population)).toThrow(/bob is missing/);
    expect(() => textPlacer([ann, judgeNamed("eve")], population)).toThrow(/not by eve/);
    expect(() => textPlacer([{ ...ann, version: "2" }, bob], population)).toThrow(/another version of ann/);
  });

  it("ranks writers by all its judges, shows each judge's levels, and how well they agree", async () => {
    const folder = prepared(humans);
    // Bob scores good texts low, so the two judges cannot agree.
    const contrary = judgeNamed("bob");
    const upsideDown: ChapterScorer = {
      ...contrary,
      score: async (text, repeat, abort) => {
        const verdicts = await contrary.score(text, repeat, abort);
        return Object.fromEntries(
          Object.entries(verdicts).map(([id, verdict]) => [
            id,
            verdict.kind === "scored" ? scored(100 - verdict.score) : verdict,
          ]),
        );
      },
    };
    const { population } = (await buildPopulations([ann, upsideDown], options(folder)))[2]!;
    const written = prepared([2, 8, 14].map((quality) => ({ novel: `story ${quality}`, quality })));
    await buildPopulations([ann, upsideDown], options(written));
    const files = ["ann", "bob"].map((judge) => benchFiles(written).scores(judge));
    const rubric = rubricNamed("rubric-ann", ["plot", "prose"]);
    const both = {
      ...population,
      panel: population.panel!.map((member) => ({ ...member, rubric: { ...member.rubric, id: rubric.id } })),
    };
    const chapters = await chaptersOn(both, files, rubric);
    const benchmark = benchmarkWriters(chapters, both, seededRandom(1));
    expect(benchmark.panel?.pairs[0]).toMatchObject({
      first: "ann",
      second: "bob",
      agreement: { kendall: { value: -1 } },
    });
    expect(terminalBenchmark(benchmark, { colours: false })).toMatch(/Panel: ann and bob agree by Spearman -1\.00/);
    await expect(chaptersOn(both, files.slice(0, 1), rubric)).rejects.toThrow(/None of the files has scores of bob/);
  });
});

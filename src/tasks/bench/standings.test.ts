import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { benchFiles } from "../../bench/bench-folder.ts";
import { type ScoredChapter, UNKNOWN_WRITER } from "../../bench/population/novel-scores.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { scored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { chaptersOn } from "./chapters.ts";
import { populationFromScores } from "./population.ts";
import { readStandings, standingsOn } from "./standings.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-standings-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const random = seededRandom(1);
const around = (level: number) => level + (random() - 0.5) / 2;

const rubric = await loadRubric("novel-bench-en");
const ids = rubric.criteria.map(({ id }) => id);

/** Forty novels, by eight people unless another name is given, as one judge scored them. */
function populationOf(writerOf = (index: number) => `person ${index % 8}`) {
  const humans = Array.from(
    { length: 40 },
    (_, index): ScoredChapter => ({
      novel: `novel ${index}`,
      writer: writerOf(index),
      chapter: 1,
      words: 1000,
      scores: ids.map(() => around(1.3 + index / 12)),
    }),
  );
  const names = { id: "made-up", description: "made-up novels" };
  return populationFromScores(humans, { ...names, judge: { id: "m@http://host/v1", version: "1" }, rubric }).population;
}

/** Twelve novels as a writer's file has them. */
function rowsOf(writer: string, level: number, basis: object = {}) {
  return Array.from({ length: 12 }, (_, index) => ({
    novel: `novel ${index}`,
    writer,
    chapter: 1,
    words: 900,
    ...basis,
    scores: Object.fromEntries(ids.map((id) => [id, scored(around(level))])),
  }));
}

describe("a benchmark folder", () => {
  it("shows each judge's population with the writers that were placed on it, beside its own", async () => {
    const population = populationOf();
    const files = benchFiles(folder);
    await writeFile(files.population(population.judge.id), JSON.stringify(population));
    await writeJsonLines(files.scores(population.judge.id), []);
    for (const [writer, level] of [
      ["openai:strong", 4],
      ["openai:weak", 1.4],
    ] as const) {
      await writeJsonLines(files.writerScores(writer, population.judge.id), rowsOf(writer, level));
    }
    const [standings, ...others] = await readStandings(folder);
    expect(others).toEqual([]);
    expect(standings!.benchmark?.board.rows.map(({ writer }) => writer)).toEqual(["openai:strong", "openai:weak"]);
    expect(standings!.anchors.size).toBe(8);
    expect(standings!.board.rows).toHaveLength(10);
    const level = (writer: string) => standings!.board.rows.find((row) => row.writer === writer)!.level;
    expect(level("openai:strong")).toBeGreaterThan(level("openai:weak"));
  });

  it("leaves out a writer's scores of an earlier build and names the file, instead of showing nothing", async () => {
    const population = populationOf();
    const judge = population.judge.id;
    const files = benchFiles(folder);
    await writeFile(files.population(judge), JSON.stringify(population));
    await writeJsonLines(files.writerScores("new", judge), rowsOf("new", 4, { judge, judgeVersion: "1" }));
    await writeJsonLines(files.writerScores("silent", judge), []);
    const stale = files.writerScores("old", judge);
    await writeJsonLines(stale, rowsOf("old", 3, { judge, judgeVersion: "0.9" }));
    const [standings] = await readStandings(folder);
    expect(standings!.benchmark?.board.rows.map(({ writer }) => writer)).toEqual(["new"]);
    expect(standings!.leftOut).toEqual([
      `${basename(stale)} was left out: it has scores by another version of the judge than the population (0.9, not 1). Score that writer again, or remove the file.`,
    ]);
    await expect(chaptersOn(population, [stale])).rejects.toThrow(/by another version of the judge/);
  });

  it("does not make one writer of the books whose author is not known", () => {
    const anonymous = standingsOn(
      populationOf((index) => (index < 20 ? UNKNOWN_WRITER : "person")),
      [],
    );
    expect([...anonymous.anchors]).toEqual(["person"]);
    expect(anonymous.board.rows.map(({ writer }) => writer)).toEqual(["person"]);
  });
});

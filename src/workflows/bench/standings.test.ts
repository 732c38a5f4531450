import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { sampleEvaluation, sampleJuryEvaluation } from "../../../test/fixtures/sample-evaluation.ts";
import { benchFiles } from "../../bench/bench-folder.ts";
import type { ScoredChapter } from "../../bench/scored-chapter.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { scored } from "../../core/verdict.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { topLevel } from "../../criteria/rubric.ts";
import { pocketStandings } from "./pocket-standings.ts";
import { populationFromScores } from "./population.ts";
import { readStandings } from "./standings.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "fabula-standings-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const random = seededRandom(1);
const around = (level: number) => level + (random() - 0.5);

describe("a benchmark folder", () => {
  it("shows each judge's population with the writers that were placed on it, beside its own", async () => {
    const rubric = await loadRubric("novel-bench-en");
    const ids = rubric.criteria.map(({ id }) => id);
    const humans = Array.from(
      { length: 40 },
      (_, index): ScoredChapter => ({
        novel: `novel ${index}`,
        writer: `person ${index % 8}`,
        chapter: 1,
        words: 1000,
        scores: ids.map(() => around(1 + index / 12)),
      }),
    );
    const { population } = populationFromScores(humans, {
      id: "made-up",
      description: "made-up novels",
      judge: { id: "m@http://host/v1", version: "1" },
      rubric,
    });
    const files = benchFiles(folder);
    await writeFile(files.population(population.judge.id), JSON.stringify(population));
    await writeJsonLines(files.scores(population.judge.id), []);
    for (const [writer, level] of [
      ["openai:strong", 4],
      ["openai:weak", 1.2],
    ] as const) {
      const rows = Array.from({ length: 12 }, (_, index) => ({
        novel: `novel ${index}`,
        writer,
        chapter: 1,
        words: 900,
        scores: Object.fromEntries(ids.map((id) => [id, scored(around(level))])),
      }));
      await writeJsonLines(files.writerScores(writer, population.judge.id), rows);
    }
    const [standings, ...others] = await readStandings(folder);
    expect(others).toEqual([]);
    expect(standings!.benchmark?.board.rows.map(({ writer }) => writer)).toEqual(["openai:strong", "openai:weak"]);
    expect(standings!.anchors.size).toBe(8);
    expect(standings!.board.rows).toHaveLength(10);
    const level = (writer: string) => standings!.board.rows.find((row) => row.writer === writer)!.level;
    expect(level("openai:strong")).toBeGreaterThan(level("openai:weak"));
  });
});

describe("the published novels that the pocket judge has read", () => {
  it("make a population that a book judged before there was a jury is placed on, and one judged by the jury is not", async () => {
    const rising = (level: number) => ({
      verdict: scored(level),
      course: [1, 2, 3].map((chapter) => ({ chapter, verdict: scored(level + chapter / 2) })),
    });
    const sample = sampleEvaluation();
    const judged = topLevel(await loadRubric("long-story")).map(({ id, name }, at) => ({
      ...sample.aspects[0]!,
      id,
      name,
      ...rising(10 + at / 4),
    }));
    const earlier = sampleEvaluation({
      aspects: judged,
      population: { ...sample.population!, id: "english-public-domain" },
    });
    const { population, benchmark, board, anchors } = await pocketStandings([earlier]);
    expect(population.novels.length).toBeGreaterThan(50);
    expect(benchmark?.board.rows).toHaveLength(1);
    const own = board.rows.find(({ writer }) => writer === earlier.book.title)!;
    expect(own.interval[0]).toBeLessThan(own.level);
    expect(own.interval[1]).toBeGreaterThanOrEqual(own.level);
    expect(anchors.has(own.writer)).toBe(false);
    expect((await pocketStandings([sampleJuryEvaluation()])).benchmark).toBeNull();
  });
});

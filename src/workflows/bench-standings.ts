import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { alignScores } from "../bench/align-scores.ts";
import { benchFiles } from "../bench/bench-folder.ts";
import { benchmarkWriters, type WriterBenchmark } from "../bench/benchmark-writers.ts";
import { loadPopulation, type ReferencePopulation } from "../bench/population/reference-population.ts";
import { readScores } from "../bench/read-scores.ts";
import type { ScoredChapter } from "../bench/scored-chapter.ts";
import { seededRandom } from "../core/random.ts";
import { loadRubric } from "../criteria/load-rubric.ts";

/** A population with the writers that were placed on it; null while there are none. */
export interface Standings {
  readonly population: ReferencePopulation;
  readonly benchmark: WriterBenchmark | null;
}

const SEED = 1;
const POPULATION_FILE = /^population\..+\.json$/;

/** Everything a benchmark folder can show: for each judge that built a population, where the writers stand on it. */
export async function readStandings(folder: string): Promise<Standings[]> {
  const names = (await readdir(folder)).sort();
  const standings: Standings[] = [];
  for (const name of names.filter((candidate) => POPULATION_FILE.test(candidate))) {
    const population = await loadPopulation(join(folder, name));
    const human = benchFiles("").scores(population.judge.id);
    const prefix = human.slice(0, -"jsonl".length);
    const files = names.filter((file) => file.startsWith(prefix) && file !== human && file.endsWith(".jsonl"));
    const chapters = await scoresIn(
      files.map((file) => join(folder, file)),
      population,
    );
    standings.push({
      population,
      benchmark: chapters.length === 0 ? null : benchmarkWriters(chapters, population, seededRandom(SEED)),
    });
  }
  return standings;
}

async function scoresIn(files: readonly string[], population: ReferencePopulation): Promise<ScoredChapter[]> {
  if (files.length === 0) return [];
  const rubric = await loadRubric(population.rubric.id);
  const chapters: ScoredChapter[] = [];
  for (const file of files) chapters.push(...(await readScores(file, rubric)));
  return alignScores(chapters, rubric, population);
}

/** The writers of the population itself, ranked among each other: what a machine's level can be held against. */
export function populationStandings(population: ReferencePopulation): WriterBenchmark {
  const chapters = population.novels.map(({ novel, writer, words, scores }) => ({
    ...{ novel, writer, chapter: 1, words, scores },
  }));
  return benchmarkWriters(chapters, population, seededRandom(SEED));
}

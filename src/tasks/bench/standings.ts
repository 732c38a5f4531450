import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { benchFiles, type ScoreRow, scoreRowSchema } from "../../bench/bench-folder.ts";
import { benchmarkWriters, type WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { type ScoredChapter, UNKNOWN_WRITER } from "../../bench/population/novel-scores.ts";
import { loadPopulation, type ReferencePopulation } from "../../bench/population/reference-population.ts";
import { type PowerAdvice, powerAdvice } from "../../bench/validity.ts";
import { type Leaderboard, leaderboard } from "../../bench/writers/leaderboard.ts";
import { jsonLines } from "../../core/json-lines.ts";
import { seededRandom } from "../../core/random.ts";
import { chaptersOn } from "./chapters.ts";
import { rubricInNames } from "./folder.ts";

/** The levels of writers on a population, with the anchors of that population. */
export interface Standings {
  readonly population: ReferencePopulation;
  /** The level of each placed writer; null while there are none. */
  readonly benchmark: WriterBenchmark | null;
  /** Those writers and the anchors in one ranking; writers that share a letter cannot be told apart. */
  readonly board: Leaderboard;
  /** Writers of the population itself. */
  readonly anchors: ReadonlySet<string>;
  /** Score files of the folder that were left out, and why. */
  readonly leftOut: readonly string[];
  /** The chapters that placed the writers. */
  readonly chapters: readonly ScoredChapter[];
  /** The files that hold every judge's scores of a writer. */
  scoreFiles(writer: string): readonly string[];
}

const SEED = 1;
/**
 * With a single novel there is nothing to resample: its level would look certain although it is the least certain of
 * all.
 */
const LEAST_NOVELS = 3;
/** More anchors than these would only make the list long. */
const MOST_ANCHORS = 40;
const POPULATION_FILE = /^population\..+\.json$/;

/** Everything a benchmark folder can show: where the writers stand on each judge's population. */
export async function readStandings(folder: string): Promise<Standings[]> {
  const names = (await readdir(folder)).sort();
  const standings: Standings[] = [];
  for (const name of names.filter((candidate) => POPULATION_FILE.test(candidate))) {
    const population = await loadPopulation(join(folder, name));
    const members = population.panel ?? [population];
    const named = await Promise.all(
      members.map(async ({ judge, rubric }) => [judge.id, await rubricInNames(folder, judge.id, rubric.id)] as const),
    );
    const byJudge = await Promise.all(named.map(([judge, rubric]) => writerFiles(folder, names, judge, rubric)));
    const isComplete = byJudge.every((files) => files.length > 0);
    const leftOut = new Set<string>();
    // A file left by an earlier build is skipped, so that the others can still be shown.
    const onMisfit = (file: string, found: string) =>
      leftOut.add(`${basename(file)} was left out: it has ${found}. Score that writer again, or remove the file.`);
    const chapters = isComplete ? await chaptersOn(population, byJudge.flat(), null, onMisfit) : [];
    const scoreFiles = (writer: string) =>
      named.map(([judge, rubric]) => benchFiles(folder).writerScores(writer, judge, rubric));
    standings.push({ ...standingsOn(population, chapters), leftOut: [...leftOut], scoreFiles });
  }
  return standings;
}

/** Places writers whose scores are in the order of the population's dimensions, beside the population's own writers. */
export function standingsOn(population: ReferencePopulation, chapters: readonly ScoredChapter[]): Standings {
  const counts = new Map<string, number>();
  for (const { writer } of population.novels) counts.set(writer, (counts.get(writer) ?? 0) + 1);
  const anchors = new Set(
    [...counts]
      .filter(([writer, novels]) => writer !== UNKNOWN_WRITER && novels >= LEAST_NOVELS)
      .sort((left, right) => right[1] - left[1] || left[0].localeCompare(right[0]))
      .slice(0, MOST_ANCHORS)
      .map(([writer]) => writer),
  );
  const known = population.novels
    .filter(({ writer }) => anchors.has(writer))
    .map(({ novel, writer, words, scores }) => ({
      novel,
      writer,
      chapter: 1,
      isUnnumbered: true as const,
      words,
      scores,
    }));
  return {
    population,
    benchmark: chapters.length === 0 ? null : benchmarkWriters(chapters, population, seededRandom(SEED)),
    board: leaderboard([...chapters, ...known], population, seededRandom(SEED)),
    anchors,
    leftOut: [],
    chapters,
    scoreFiles: () => [],
  };
}

/** The writers' score files. They stand beside those of the human novels, with the writer's name appended to theirs. */
async function writerFiles(
  folder: string,
  names: readonly string[],
  judge: string,
  rubric: string | null,
): Promise<string[]> {
  const human = benchFiles("").scores(judge, rubric);
  const prefix = human.slice(0, -"jsonl".length);
  const candidates = names.filter((file) => file.startsWith(prefix) && file !== human && file.endsWith(".jsonl"));
  const files: string[] = [];
  for (const file of candidates) {
    const first = await firstRow(join(folder, file));
    if (first && (first.judge === undefined || first.judge === judge)) files.push(join(folder, file));
  }
  return files;
}

/**
 * Reads the first row, which says whose scores these are: one judge's name may be the beginning of another's, and so
 * may their file names. A writer who wrote nothing has a file without rows.
 */
async function firstRow(file: string): Promise<ScoreRow | null> {
  for await (const row of jsonLines(file, scoreRowSchema)) return row;
  return null;
}

/** How many novels are needed, judging by those written so far; null if there are none. */
export async function powerOfPilot(
  folder: string,
  writers: number,
  onNote: (note: string) => void,
): Promise<PowerAdvice | null> {
  if (!existsSync(folder)) return null;
  const standings = await readStandings(folder);
  // A panel and its judges report the same file.
  for (const note of new Set(standings.flatMap(({ leftOut }) => leftOut))) onNote(note);
  const pilots = standings.flatMap(({ benchmark }) => (benchmark ? [benchmark] : []));
  const last = pilots.find(({ population }) => population.panel) ?? pilots.at(-1);
  return last ? powerAdvice(last.board.comparisons, Math.max(2, writers)) : null;
}

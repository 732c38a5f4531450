import { benchmarkWriters, type SecondJudge, type WriterBenchmark } from "../../bench/benchmark-writers.ts";
import { buildPopulation } from "../../bench/population/build-population.ts";
import { type NovelExclusion, NovelSums, type ScoredChapter } from "../../bench/population/novel-scores.ts";
import { compositeOf, singleChapterDistribution } from "../../bench/population/place-on-population.ts";
import {
  loadPopulation,
  type ReferencePopulation,
  UNSTATED_JUDGE,
} from "../../bench/population/reference-population.ts";
import { alignScores, type RowBasis, readScores, SameBasis } from "../../bench/read-scores.ts";
import { wordsIn } from "../../bench/words.ts";
import { FabulaError } from "../../core/errors.ts";
import { seededRandom } from "../../core/random.ts";
import { loadRubric } from "../../criteria/load-rubric.ts";
import { type Rubric, rubricHash } from "../../criteria/rubric.ts";
import { chaptersOn } from "./chapters.ts";

export interface BuildOptions {
  readonly id: string;
  readonly description: string;
  readonly judge: ReferencePopulation["judge"];
  readonly rubric: Rubric;
  /** What the judge was asked with: the hash of the prompt, and the settings in words. */
  readonly prompt?: string;
  readonly settings?: string;
  readonly language?: string;
}

/** Builds a population, on which texts can be placed, from chapter scores. */
export function populationFromScores(chapters: readonly ScoredChapter[], options: BuildOptions) {
  const dimensions = options.rubric.criteria.map((criterion) => criterion.id);
  const built = populationFromSums(NovelSums.of(chapters, dimensions), options);
  const aligned = alignScores(chapters, options.rubric, built.population);
  const composites = aligned.flatMap(({ scores }) =>
    scores.every((score) => score !== null) ? [compositeOf(scores, built.population)] : [],
  );
  const singleChapters = singleChapterDistribution(composites);
  return { ...built, population: { ...built.population, ...(singleChapters && { singleChapters }) } };
}

/** Does the same from scores that were already averaged by novel. */
export function populationFromSums(
  sums: NovelSums,
  { rubric, ...options }: BuildOptions,
): { population: ReferencePopulation; excluded: NovelExclusion[] } {
  const usable = sums.usable();
  if (usable.kept.length === 0) {
    throw new FabulaError(
      "E_POPULATION_SMALL",
      `${options.judge.id} scored hardly any of these chapters, so there is nothing to build from: see the reasons in its file of scores, or name another judge.`,
    );
  }
  const built = buildPopulation(sums, {
    ...options,
    rubric: { id: rubric.id, version: rubric.version, hash: rubricHash(rubric) },
    dimensions: usable.kept,
  });
  const rarely = usable.dropped.map((dimension) => wordsIn(options.language).warnings.seldomScored(dimension));
  return { ...built, population: { ...built.population, warnings: [...rarely, ...built.population.warnings] } };
}

export interface ScoredWritersOptions {
  readonly scores: readonly string[];
  readonly rubric: string;
  /** A population file; without one, the ranked stories themselves form the population. */
  readonly population: string | null;
  readonly second: {
    readonly scores: readonly string[];
    readonly rubric: string;
    readonly population: string | null;
  } | null;
  readonly seed: number;
}

/** Ranks writers whose chapters some judge has already scored. */
export async function rankScoredWriters(options: ScoredWritersOptions): Promise<WriterBenchmark> {
  const first = await scoresOnPopulation(options.scores, options.rubric, options.population);
  const second = options.second
    ? await scoresOnPopulation(options.second.scores, options.second.rubric, options.second.population)
    : null;
  return benchmarkWriters(first.chapters, first.population, seededRandom(options.seed), second);
}

async function scoresOnPopulation(
  files: readonly string[],
  rubricName: string,
  path: string | null,
): Promise<SecondJudge> {
  const rubric = await loadRubric(rubricName);
  if (path) {
    const population = await loadPopulation(path);
    return { chapters: await chaptersOn(population, files, rubric), population };
  }
  const { chapters, made } = await publishedScores(files, rubric);
  const { population } = populationFromScores(chapters, {
    id: "the writers themselves",
    description: "the same stories that are ranked",
    ...made,
  });
  return { chapters: alignScores(chapters, rubric, population), population };
}

/**
 * Reads rows of scores from any source. All must have been made in the same way, which is returned too, as far as the
 * rows state it.
 */
export async function publishedScores(
  files: readonly string[],
  rubric: Rubric,
): Promise<{ readonly chapters: ScoredChapter[]; readonly made: Omit<BuildOptions, "id" | "description"> }> {
  const basis = new SameBasis();
  const accept = (row: RowBasis, file: string) => {
    basis.add(row, file);
    return true;
  };
  const chapters: ScoredChapter[] = [];
  for (const file of files) {
    for (const chapter of await readScores(file, rubric, { accept })) chapters.push(chapter);
  }
  const { judge, judgeVersion, promptHash, settings } = basis.stated;
  return {
    chapters,
    made: {
      judge: { id: judge ?? UNSTATED_JUDGE, ...(judgeVersion !== undefined && { version: judgeVersion }) },
      rubric,
      language: rubric.language,
      ...(promptHash !== undefined && { prompt: promptHash }),
      ...(settings !== undefined && { settings }),
    },
  };
}

/**
 * Names of the dimensions by id, in the rubric's language; for a panel, of all its judges. If a user's own rubric
 * cannot be found, its dimensions are named by their ids.
 */
export async function dimensionNames(
  { panel }: ReferencePopulation,
  rubric: string,
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const source of [rubric, ...(panel ?? []).map((member) => member.rubric.id)]) {
    const found = await loadRubric(source).catch(() => null);
    for (const { id, name } of found?.criteria ?? []) if (!names.has(id)) names.set(id, name);
  }
  return names;
}

import { benchFiles } from "../../bench/bench-folder.ts";
import type { NovelExclusion } from "../../bench/population/novel-scores.ts";
import { NovelSums } from "../../bench/population/novel-sums.ts";
import { anchorsOn } from "../../bench/population/place-anchors.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import type { ChapterScorer } from "../../bench/scoring/chapter-scorer.ts";
import { writeWholeFile } from "../../core/files/write-whole-file.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { buildPanel } from "./panel.ts";
import { populationFromSums } from "./population.ts";
import { type RepeatCheckOptions, repeatCheck, SampleOfTexts } from "./repeats.ts";
import { isUnscored, scoredChapter, scoreEach } from "./scoring.ts";
import { chosenChapters } from "./writers.ts";

export interface BuildWorkOptions {
  readonly folder: string;
  readonly id: string;
  readonly description: string;
  readonly repeats: number;
  readonly check: RepeatCheckOptions;
  /** A prepared folder of novels that should rank above the others; null for none. */
  readonly anchors: string | null;
  readonly concurrency: number;
  /** Count the calls only: nothing is written. */
  readonly dryRun: boolean;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface BuiltPopulation {
  readonly population: ReferencePopulation;
  readonly excluded: readonly NovelExclusion[];
  readonly unscored: number;
  readonly file: string;
}

/**
 * Scores every chosen chapter and builds a population from the scores: one for each judge, and with several judges the panel's
 * last. Empty for a dry run.
 */
export async function buildPopulations(
  scorers: readonly ChapterScorer[],
  options: BuildWorkOptions,
): Promise<readonly BuiltPopulation[]> {
  const built: BuiltPopulation[] = [];
  for (const scorer of scorers) {
    const one = await buildOne(scorer, options);
    if (one) built.push(one);
  }
  if (built.length < 2) return built;
  const panel = await buildPanel(
    built.map(({ population }) => population),
    scorers,
    options,
  );
  const file = await written(panel.population, options.folder);
  return [...built, { ...panel, unscored: 0, file }];
}

async function buildOne(scorer: ChapterScorer, options: BuildWorkOptions): Promise<BuiltPopulation | null> {
  const files = benchFiles(options.folder);
  const sample = new SampleOfTexts(options.check.texts);
  const own = await scoreFolder(scorer, options.folder, options, files.scores(scorer.id), sample);
  const repeatability = await repeatCheck(sample.texts(), scorer, options);
  const classics =
    options.anchors === null
      ? null
      : await scoreFolder(scorer, options.anchors, options, files.anchorScores(scorer.id), null);
  if (options.dryRun) return null;
  const { population, excluded } = populationFromSums(own.sums, {
    id: options.id,
    description: options.description,
    judge: { id: scorer.id, version: scorer.version },
    rubric: scorer.rubric,
  });
  const complete = {
    ...population,
    ...(classics && { anchors: anchorsOn(population, classics.sums) }),
    ...(repeatability.length > 0 && { repeatability }),
  };
  const file = await written(complete, options.folder);
  return { population: complete, excluded, unscored: own.unscored + (classics?.unscored ?? 0), file };
}

/** Scores a folder's chapters as they are read; rows go to the file, and only sums by novel stay in memory. */
async function scoreFolder(
  scorer: ChapterScorer,
  folder: string,
  options: BuildWorkOptions,
  file: string,
  sample: SampleOfTexts | null,
): Promise<{ sums: NovelSums; unscored: number }> {
  const { chapters, total } = await chosenChapters(folder);
  const sums = new NovelSums(scorer.rubric.criteria.map(({ id }) => id));
  let unscored = 0;
  async function* rows() {
    for await (const { text, rows: repeats } of scoreEach(chapters, scorer, { ...options, total })) {
      sums.add(scoredChapter(repeats, scorer.rubric));
      sample?.offer(text);
      unscored += repeats.filter(isUnscored).length;
      yield* repeats;
    }
  }
  if (options.dryRun) for await (const _ of rows());
  else await writeJsonLines(file, rows());
  return { sums, unscored };
}

async function written(population: ReferencePopulation, folder: string): Promise<string> {
  const file = benchFiles(folder).population(population.judge.id);
  await writeWholeFile(file, `${JSON.stringify(population)}\n`);
  return file;
}

import { benchFiles, type ScoreRow } from "../bench/bench-folder.ts";
import type { NovelExclusion } from "../bench/population/novel-scores.ts";
import type { ReferencePopulation } from "../bench/population/reference-population.ts";
import type { ChapterScorer } from "../bench/scoring/chapter-scorer.ts";
import { type Repeatability, repeatability } from "../bench/validity/repeatability.ts";
import { writeJsonLines } from "../core/json-lines.ts";
import type { ProgressListener } from "../core/progress.ts";
import { writeWholeFile } from "../core/write-whole-file.ts";
import { populationFromScores } from "./bench-population.ts";
import { scoredChapters, scoreTexts, type TextToScore } from "./bench-scoring.ts";

export interface BuildWorkOptions {
  readonly folder: string;
  readonly id: string;
  readonly description: string;
  readonly repeats: number;
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
  readonly repeatability: readonly Repeatability[];
  readonly file: string;
}

/** Scores every chosen chapter and makes the population of it. Null for a dry run. */
export async function buildFromTexts(
  texts: readonly TextToScore[],
  scorer: ChapterScorer,
  options: BuildWorkOptions,
): Promise<BuiltPopulation | null> {
  const files = benchFiles(options.folder);
  const rows = await scoreTexts(texts, scorer, options);
  if (options.dryRun) return null;
  await writeJsonLines(files.scores(scorer.id), rows);
  const { population, excluded } = populationFromScores(scoredChapters(rows, scorer), {
    id: options.id,
    description: options.description,
    judge: { id: scorer.id, version: scorer.version },
    rubric: scorer.rubric,
  });
  const file = files.population(scorer.id);
  await writeWholeFile(file, `${JSON.stringify(population)}\n`);
  return { population, excluded, unscored: countUnscored(rows), repeatability: spreads(rows), file };
}

export function countUnscored(rows: readonly ScoreRow[]): number {
  return rows.filter((row) => Object.values(row.scores).some((verdict) => verdict.kind === "unscored")).length;
}

function spreads(rows: readonly ScoreRow[]): Repeatability[] {
  const means = new Map<string, number[]>();
  for (const row of rows) {
    const scores = Object.values(row.scores).flatMap((verdict) => (verdict.kind === "scored" ? [verdict.score] : []));
    if (scores.length === 0) continue;
    const key = `${row.writer} · ${row.novel} · ${row.chapter}`;
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    means.set(key, [...(means.get(key) ?? []), mean]);
  }
  return repeatability(means);
}

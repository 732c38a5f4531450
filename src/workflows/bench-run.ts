import { alignScores } from "../bench/align-scores.ts";
import { benchFiles } from "../bench/bench-folder.ts";
import type { ReferencePopulation } from "../bench/population/reference-population.ts";
import { type WriterLevel, writerLevel } from "../bench/writers/writer-level.ts";
import { writeJsonLines } from "../core/json-lines.ts";
import type { ProgressListener } from "../core/progress.ts";
import { seededRandom } from "../core/random.ts";
import type { Run } from "../runner/open-run.ts";
import { countUnscored } from "./bench-build.ts";
import { scorerNamed } from "./bench-scorer.ts";
import { scoredChapters, scoreTexts } from "./bench-scoring.ts";
import { writeChapters } from "./bench-writers.ts";

export interface RunWriterOptions {
  readonly folder: string;
  readonly writer: string;
  readonly judge: string;
  readonly rubric: string;
  readonly population: ReferencePopulation;
  readonly novels: number;
  readonly maximumTokens: number;
  readonly temperature: number;
  readonly words: number;
  readonly seed: number;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface WriterRun {
  /** Null when no novel could be placed. */
  readonly level: WriterLevel | null;
  readonly unwritten: number;
  readonly unscored: number;
  /** The file of scores that `fabula bench report` reads. */
  readonly scores: string;
}

/** Synopses → chapters by the writer → scores → its place among the population. */
export async function runWriter(run: Run, options: RunWriterOptions): Promise<WriterRun> {
  const { population, writer } = options;
  const scorer = await scorerNamed(options.judge, options.rubric, run);
  const written = await writeChapters(run, {
    ...options,
    rubric: scorer.rubric,
    random: seededRandom(options.seed),
  });
  const texts = written.flatMap((row) => (row.text === null ? [] : [{ ...row, text: row.text }]));
  const rows = await scoreTexts(texts, scorer, { ...options, repeats: 1, concurrency: run.concurrency });
  const scores = benchFiles(options.folder).writerScores(writer, scorer.id);
  if (!run.dryRun) await writeJsonLines(scores, rows);
  const chapters = alignScores(scoredChapters(rows, scorer), scorer.rubric, population);
  return {
    level: writerLevel(writer, chapters, population, seededRandom(options.seed)),
    unwritten: written.length - texts.length,
    unscored: countUnscored(rows),
    scores,
  };
}

import { alignScores } from "../../bench/align-scores.ts";
import { benchFiles, type ScoreRow } from "../../bench/bench-folder.ts";
import { panelChapters } from "../../bench/population/panel.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import type { ScoredChapter } from "../../bench/scored-chapter.ts";
import { type PanelAgreement, panelAgreement } from "../../bench/validity/panel-agreement.ts";
import { type WriterLevel, writerLevel } from "../../bench/writers/writer-level.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import type { Run } from "../../runner/open-run.ts";
import { assertJudgeOf, scorerNamed } from "./scorer.ts";
import { scoredChapter, scoreEach, unscoredChapters } from "./scoring.ts";
import { writeChapters } from "./writers.ts";

export interface RunWriterOptions {
  readonly folder: string;
  readonly writer: string;
  /** One judge, or the judges of a panel: those the population was built with. */
  readonly judges: readonly string[];
  readonly rubric: string;
  readonly prompts: PromptSource;
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
  /** Chapters that some judge could not score. */
  readonly unscored: number;
  /** Each judge's own level, where several judged. */
  readonly byJudge: PanelAgreement["judges"];
  /** The files of scores that `fabula bench report` reads, one of each judge. */
  readonly scores: readonly string[];
}

/** Synopses → chapters by the writer → scores → its place among the population. */
export async function runWriter(run: Run, options: RunWriterOptions): Promise<WriterRun> {
  const { population, writer } = options;
  const scorers = await Promise.all(options.judges.map((judge) => scorerNamed(judge, options, run)));
  for (const scorer of scorers) assertJudgeOf(population, scorer);
  const written = await writeChapters(run, {
    ...options,
    rubric: scorers[0]!.rubric,
    random: seededRandom(options.seed),
  });
  const texts = written.flatMap((row) => (row.text === null ? [] : [{ ...row, text: row.text }]));
  const opinions: ScoredChapter[][] = [];
  const scores: string[] = [];
  const all: ScoreRow[] = [];
  for (const scorer of scorers) {
    const rows: ScoreRow[] = [];
    const work = { ...options, repeats: 1, concurrency: run.concurrency, total: texts.length };
    for await (const scored of scoreEach(texts, scorer, work)) rows.push(...scored.rows);
    const file = benchFiles(options.folder).writerScores(writer, scorer.id);
    if (!run.dryRun) await writeJsonLines(file, rows);
    scores.push(file);
    all.push(...rows);
    const base = population.panel?.find(({ judge }) => judge.id === scorer.id) ?? population;
    opinions.push(
      alignScores(
        rows.map((row) => scoredChapter([row], scorer.rubric)),
        scorer.rubric,
        base,
      ),
    );
  }
  const chapters = population.panel ? panelChapters(population.panel, opinions) : opinions[0]!;
  return {
    level: writerLevel(writer, chapters, population, seededRandom(options.seed)),
    byJudge: panelAgreement(chapters, population, seededRandom(options.seed))?.judges ?? [],
    unwritten: written.length - texts.length,
    unscored: unscoredChapters(all),
    scores,
  };
}

import { benchFiles, type ScoreRow, type SynopsisRow, type WrittenRow } from "../../bench/bench-folder.ts";
import type { ScoredChapter } from "../../bench/population/novel-scores.ts";
import { panelChapters } from "../../bench/population/panel.ts";
import type { ReferencePopulation } from "../../bench/population/reference-population.ts";
import { alignScores } from "../../bench/read-scores.ts";
import type { ChapterScorer } from "../../bench/scoring.ts";
import { type PanelAgreement, panelAgreement } from "../../bench/validity.ts";
import { type WriterLevel, writerLevel } from "../../bench/writers/writer-level.ts";
import { type WritingRates, writingRates } from "../../bench/writing.ts";
import { writeJsonLines } from "../../core/json-lines.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { seededRandom } from "../../core/random.ts";
import type { PromptSource } from "../../prompts/own-prompts.ts";
import type { Run } from "../../runner/open-run.ts";
import { rubricInNames } from "./folder.ts";
import { assertBasisOf, assertJudgeOf, hasWholeScores, scorerNamed } from "./scorer.ts";
import { scoredChapter, scoreEach, unscoredChapters } from "./scoring.ts";
import { keepFindings } from "./works.ts";
import { writeChapters, writerName } from "./write-chapters.ts";

export interface RunWriterOptions {
  readonly folder: string;
  readonly writer: string;
  /** The judge, or the judges of the panel, that built the population. */
  readonly judges: readonly string[];
  readonly rubric: string;
  readonly prompts: PromptSource;
  readonly population: ReferencePopulation;
  readonly novels: number;
  readonly maximumTokens: number;
  readonly temperature: number;
  readonly words: number;
  /** How often each chapter is scored; the same as when the population was built. */
  readonly repeats: number;
  readonly seed: number;
  readonly synopses?: readonly SynopsisRow[];
  readonly variant?: string;
  /** What workers of a shared store have already written, and a scorer that returns their judges' scores. */
  readonly made?: {
    readonly written: readonly WrittenRow[];
    readonly scorer: (scorer: ChapterScorer) => ChapterScorer;
  } | null;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

export interface WriterRun {
  /** The model, with its settings if they differ from the defaults. */
  readonly name: string;
  /** Null when no novel could be placed. */
  readonly level: WriterLevel | null;
  readonly unwritten: number;
  /** Chapters that some judge could not score. */
  readonly unscored: number;
  readonly rates: WritingRates;
  readonly written: readonly WrittenRow[];
  /** Each judge's own level, where several judged. */
  readonly byJudge: PanelAgreement["judges"];
  /** The chapters in the form in which they are placed, for comparison with other writers of the run. */
  readonly chapters: readonly ScoredChapter[];
  /** The score files for `fabula bench report`, one per judge. */
  readonly scores: readonly string[];
}

/** From synopses to chapters by the writer, to scores, to its place in the population. */
export async function runWriter(run: Run, options: RunWriterOptions): Promise<WriterRun> {
  const { population } = options;
  const name = writerName(options.writer, options, options.variant);
  const scorers = await Promise.all(
    options.judges.map((judge) => scorerNamed(judge, { ...options, wholeNumbers: hasWholeScores(population) }, run)),
  );
  for (const scorer of scorers) {
    assertJudgeOf(population, scorer);
    await assertBasisOf(population, scorer, options.repeats > 1);
  }
  const { made, ...writing } = options;
  const written = await writeChapters(run, {
    ...writing,
    ...(made && { made: made.written }),
    rubric: scorers[0]!.rubric,
    random: seededRandom(options.seed),
  });
  const texts = written.flatMap((row) => (row.text === null ? [] : [{ ...row, text: row.text }]));
  const opinions: ScoredChapter[][] = [];
  const scores: string[] = [];
  const all: ScoreRow[] = [];
  for (const scorer of scorers) {
    const rows: ScoreRow[] = [];
    const own: ScoredChapter[] = [];
    const work = { ...options, concurrency: run.concurrency, total: texts.length };
    for await (const scored of scoreEach(texts, made?.scorer(scorer) ?? scorer, work)) {
      rows.push(...scored.rows);
      own.push(scoredChapter(scored.rows, scorer.rubric));
    }
    const file = benchFiles(options.folder).writerScores(
      writerName(options.writer, options),
      scorer.id,
      await rubricInNames(options.folder, scorer.id, scorer.rubric.id),
      options.variant,
    );
    if (!run.dryRun) await writeJsonLines(file, rows);
    scores.push(file);
    for (const row of rows) all.push(row);
    const base = population.panel?.find(({ judge }) => judge.id === scorer.id) ?? population;
    opinions.push(alignScores(own, scorer.rubric, base));
  }
  if (!run.dryRun) await keepFindings(options.folder, written);
  const chapters = population.panel ? panelChapters(population.panel, opinions) : opinions[0]!;
  return {
    name,
    level: writerLevel(name, chapters, population, seededRandom(options.seed)),
    byJudge: panelAgreement(chapters, population, seededRandom(options.seed))?.judges ?? [],
    unwritten: written.length - texts.length,
    unscored: unscoredChapters(all),
    rates: writingRates(written, options.words),
    written,
    chapters,
    scores,
  };
}

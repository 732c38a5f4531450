import type { ScoreRow } from "../../bench/bench-folder.ts";
import type { ScoredChapter } from "../../bench/population/novel-scores.ts";
import { type ChapterScorer, scoreRow } from "../../bench/scoring.ts";
import { sha256 } from "../../core/hash.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { type Rubric, rubricHash } from "../../criteria/rubric.ts";
import { eachBounded } from "../../runner/map-bounded.ts";
import { mean } from "../../stats/distribution.ts";
import { countWords } from "../../text/words.ts";

export interface TextToScore {
  readonly novel: string;
  readonly writer: string;
  readonly chapter: number;
  readonly text: string;
}

export interface ScoringOptions {
  /** How often each text is scored; its score is the mean. */
  readonly repeats: number;
  readonly concurrency: number;
  /** How many texts there are, where that is known, for progress. */
  readonly total: number | null;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

/** One text with its scores: one row for each time it was scored. */
export interface ScoredText {
  readonly text: TextToScore;
  readonly rows: readonly ScoreRow[];
}

/** Scores a stream of texts, in order. Only the texts being scored are in memory. */
export async function* scoreEach(
  texts: Iterable<TextToScore> | AsyncIterable<TextToScore>,
  scorer: ChapterScorer,
  options: ScoringOptions,
): AsyncGenerator<ScoredText> {
  const ahead = new Map<number, ScoredText>();
  let next = 0;
  let done = 0;
  for await (const [position, scored] of eachBounded(texts, options.concurrency, async (text) => {
    const rows = await scoreRepeatedly(text, scorer, options.repeats, options.signal);
    options.onProgress?.({ stage: `Scoring (${scorer.id})`, done: ++done, total: options.total });
    return { text, rows };
  })) {
    ahead.set(position, scored);
    for (let ready = ahead.get(next); ready; ready = ahead.get(next)) {
      ahead.delete(next++);
      yield ready;
    }
  }
}

export async function scoreRepeatedly(
  { novel, writer, chapter, text }: TextToScore,
  scorer: ChapterScorer,
  repeats: number,
  signal: AbortSignal,
): Promise<ScoreRow[]> {
  const words = countWords(text);
  const made = await provenanceOf(scorer, repeats > 1);
  // A single score uses temperature 0 (sample 0); repeats are samples from 1 on.
  const samples = repeats === 1 || scorer.isDeterministic ? [0] : Array.from({ length: repeats }, (_, at) => at + 1);
  return Promise.all(
    samples.map(async (repeat): Promise<ScoreRow> => {
      const opinion = scorer.opinion
        ? await scorer.opinion(text, repeat, signal)
        : { scores: await scorer.score(text, repeat, signal) };
      return { novel, writer, chapter, ...made, textHash: sha256(text), words, repeat, ...opinion };
    }),
  );
}

/** Hashing a rubric takes as long as scoring a paragraph, and the hash is the same for every chapter. */
const shortHashes = new WeakMap<Rubric, string>();

function shortHashOf(rubric: Rubric): string {
  const known = shortHashes.get(rubric) ?? rubricHash(rubric).slice(0, 12);
  shortHashes.set(rubric, known);
  return known;
}

/** Everything besides the text that a row of scores depends on. Reading refuses rows that do not match. */
export async function provenanceOf(scorer: ChapterScorer, isRepeated: boolean) {
  const basis = await scorer.basis?.();
  return {
    judge: scorer.id,
    judgeVersion: scorer.version,
    rubric: scorer.rubric.id,
    rubricHash: shortHashOf(scorer.rubric),
    ...(basis && { promptHash: basis.prompt, settings: basis.settings(isRepeated) }),
  };
}

/** A text's rows as one chapter of numbers; repeats are averaged dimension by dimension. */
export function scoredChapter(rows: readonly ScoreRow[], rubric: Rubric): ScoredChapter {
  const numbers = rows.map((row) => scoreRow(row.scores, rubric));
  const { novel, writer, chapter, words } = rows[0]!;
  return { novel, writer, chapter, words, scores: rubric.criteria.map((_, index) => meanOf(numbers, index)) };
}

/** Counts the chapters that at least one judge could not score. */
export function unscoredChapters(rows: readonly ScoreRow[]): number {
  return new Set(rows.filter(isUnscored).map(({ novel, chapter }) => `${novel}\n${chapter}`)).size;
}

export function isUnscored({ scores }: ScoreRow): boolean {
  return Object.values(scores).some((verdict) => verdict.kind === "unscored");
}

function meanOf(rows: readonly (readonly (number | null)[])[], index: number): number | null {
  const known = rows.flatMap((row) => row[index] ?? []);
  return known.length === 0 ? null : mean(known);
}

import type { ScoreRow } from "../bench/bench-folder.ts";
import type { ScoredChapter } from "../bench/scored-chapter.ts";
import { type ChapterScorer, scoreRow } from "../bench/scoring/chapter-scorer.ts";
import type { ProgressListener } from "../core/progress.ts";
import { mapBounded } from "../runner/map-bounded.ts";
import { countWords } from "../text/words.ts";

export interface TextToScore {
  readonly novel: string;
  readonly writer: string;
  readonly chapter: number;
  readonly text: string;
}

export interface ScoringOptions {
  /** How often each text is scored; the paper's robustness check repeats eleven times. */
  readonly repeats: number;
  readonly concurrency: number;
  readonly onProgress?: ProgressListener;
  readonly signal: AbortSignal;
}

/** Scores every text on every dimension, as often as asked. */
export async function scoreTexts(
  texts: readonly TextToScore[],
  scorer: ChapterScorer,
  options: ScoringOptions,
): Promise<ScoreRow[]> {
  const total = texts.length * options.repeats;
  let done = 0;
  function* tasks() {
    for (const text of texts) for (let repeat = 0; repeat < options.repeats; repeat++) yield { text, repeat };
  }
  return mapBounded(tasks(), options.concurrency, async ({ text, repeat }): Promise<ScoreRow> => {
    const scores = await scorer.score(text.text, repeat, options.signal);
    options.onProgress?.({ stage: "Scoring", done: ++done, total });
    const { novel, writer, chapter } = text;
    return { novel, writer, chapter, words: countWords(text.text), repeat, scores };
  });
}

/** Score rows as chapters of numbers: repeats of one chapter are averaged, dimension by dimension. */
export function scoredChapters(rows: readonly ScoreRow[], scorer: Pick<ChapterScorer, "rubric">): ScoredChapter[] {
  const groups = new Map<string, ScoreRow[]>();
  for (const row of rows) {
    const key = JSON.stringify([row.writer, row.novel, row.chapter]);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  return [...groups.values()].map((repeats) => {
    const numbers = repeats.map((row) => scoreRow(row.scores, scorer.rubric));
    const { novel, writer, chapter, words } = repeats[0]!;
    return { novel, writer, chapter, words, scores: scorer.rubric.criteria.map((_, index) => meanOf(numbers, index)) };
  });
}

function meanOf(rows: readonly (readonly (number | null)[])[], index: number): number | null {
  const known = rows.flatMap((row) => row[index] ?? []);
  return known.length === 0 ? null : known.reduce((sum, score) => sum + score, 0) / known.length;
}

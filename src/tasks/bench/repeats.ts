import type { ChapterScorer } from "../../bench/scoring.ts";
import { type Repeatability, repeatability } from "../../bench/validity.ts";
import { sha256 } from "../../core/hash.ts";
import type { ProgressListener } from "../../core/progress.ts";
import { mapBounded } from "../../runner/map-bounded.ts";
import { mean } from "../../stats/distribution.ts";
import { scoreRepeatedly, type TextToScore } from "./scoring.ts";

/** The paper's check of a judge's consistency: it scores some texts eleven times each. */
export interface RepeatCheckOptions {
  readonly texts: number;
  readonly repeats: number;
}

/** A reproducible sample from a stream of unknown length: the texts with the smallest hashes. */
export class SampleOfTexts {
  readonly #size: number;
  #chosen: { readonly hash: string; readonly text: TextToScore }[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  offer(text: TextToScore): void {
    if (this.#size === 0) return;
    const hash = sha256(JSON.stringify([text.writer, text.novel, text.chapter]));
    const last = this.#chosen.at(-1);
    if (this.#chosen.length >= this.#size && last && hash >= last.hash) return;
    this.#chosen = [...this.#chosen, { hash, text }]
      .sort((one, other) => (one.hash < other.hash ? -1 : 1))
      .slice(0, this.#size);
  }

  texts(): readonly TextToScore[] {
    return this.#chosen.map(({ text }) => text);
  }
}

/** Scores each text repeatedly and measures the spread of its mean over the dimensions. */
export async function repeatCheck(
  texts: readonly TextToScore[],
  scorer: ChapterScorer,
  options: {
    readonly check: RepeatCheckOptions;
    readonly concurrency: number;
    readonly onProgress?: ProgressListener;
    readonly signal: AbortSignal;
  },
): Promise<Repeatability[]> {
  if (scorer.isDeterministic) return [];
  let done = 0;
  const scores = await mapBounded(texts, options.concurrency, async (text): Promise<[string, number[]]> => {
    const rows = await scoreRepeatedly(text, scorer, Math.max(2, options.check.repeats), options.signal);
    options.onProgress?.({ stage: `Repeating (${scorer.id})`, done: ++done, total: texts.length });
    const means = rows.flatMap(({ scores: verdicts }) => {
      const known = Object.values(verdicts).flatMap((verdict) => (verdict.kind === "scored" ? [verdict.score] : []));
      return known.length === 0 ? [] : [mean(known)];
    });
    return [`${text.writer} · ${text.novel} · ${text.chapter}`, means];
  });
  return repeatability(new Map(scores));
}
